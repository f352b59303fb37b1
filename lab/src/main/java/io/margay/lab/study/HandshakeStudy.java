package io.margay.lab.study;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.Surroundings;
import io.margay.lab.servers.kinds.HostFiles;
import io.margay.lab.site.Certificate;
import io.margay.lab.site.Leftovers;
import io.margay.lab.site.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/// The memory of a server over many full TLS handshakes: does anything leak? Confined to one
/// thread.
public final class HandshakeStudy {
    private static final int CONNECTIONS = 8;
    private static final String FILE = "/pages/small.html";

    private final Surroundings surroundings;
    private final Path folder;
    private final HostFiles host;
    private final Consumer<String> says;

    public HandshakeStudy(
            Surroundings surroundings, Path folder, HostFiles host, Consumer<String> says) {
        this.surroundings = surroundings;
        this.folder = folder;
        this.host = host;
        this.says = says;
    }

    /// Measures: after each round the handshakes so far and the memory.
    ///
    /// @return a table in Markdown
    public String run(int rounds, int seconds) throws IOException {
        Path site = Site.make(surroundings.webapps(), folder.resolve("site"));
        Certificate certificate = Certificate.in(folder, surroundings.javaHome(), true);
        StudyServers servers =
                new StudyServers(folder, site, certificate, StudyServers.pinned(surroundings, "0"));
        ServerSpec spec = new ServerSpec(host.name(), host, List.of());
        StringBuilder table = new StringBuilder("| handshakes | MiB |\n|---|---|\n");
        try (RunningServer server = servers.start(spec, surroundings, FILE);
                GeneratorProcess generator =
                        new GeneratorProcess(
                                StudyServers.pinned(surroundings, "1"),
                                folder.resolve("generator.log"))) {
            LoadJob job =
                    LoadJob.closed(CONNECTIONS, true, false)
                            .to(
                                    server.setting().https(),
                                    List.of(FILE),
                                    certificate.pem().toString())
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
        } finally {
            Site.remove(site);
            Leftovers.remove(folder);
        }
    }
}
