package io.margay.lab.study;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.kinds.HostFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/// The memory of a server over many full TLS handshakes: does anything leak? Confined to one
/// thread.
public final class HandshakeStudy {
    private static final int CONNECTIONS = 8;
    private static final String FILE = "/pages/small.html";

    private final LabEnvironment here;
    private final Path folder;
    private final HostFiles host;
    private final Consumer<String> says;

    public HandshakeStudy(LabEnvironment here, Path folder, HostFiles host, Consumer<String> says) {
        this.here = here;
        this.folder = folder;
        this.host = host;
        this.says = says;
    }

    /// Measures: after each round the handshakes so far and the memory.
    ///
    /// @return a table in Markdown
    public String run(int rounds, int seconds) throws IOException {
        ServerSpec spec = new ServerSpec(host.name(), host, List.of());
        StringBuilder table = new StringBuilder("| handshakes | MiB |\n|---|---|\n");
        try (StudyServers servers = new StudyServers(here, folder, "0", true);
                RunningServer server = servers.start(spec, here, FILE);
                GeneratorProcess generator = servers.generator(here)) {
            LoadJob job =
                    LoadJob.closed(CONNECTIONS, true, false)
                            .to(
                                    server.setting().https(),
                                    List.of(FILE),
                                    servers.certificate().pem().toString())
                            .lasting(0, seconds * 1000L, seconds * 1000L + 15_000);
            long handshakes = 0;
            for (int round = 1; round <= rounds; round++) {
                LoadResult result = generator.load(job, () -> {}, _ -> {}, () -> {});
                if (result.requests() == 0) {
                    throw new IOException("no handshake was made: " + result.errors());
                }
                handshakes += result.opened();
                String row = "| %d | %.0f |".formatted(handshakes, StudyServers.mib(server));
                says.accept(row);
                table.append(row).append('\n');
            }
            return table.toString();
        }
    }
}
