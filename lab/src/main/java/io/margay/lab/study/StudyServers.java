package io.margay.lab.study;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.RunningServer;
import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.SettingBuilder;
import io.margay.lab.site.Certificate;
import io.margay.lab.site.Leftovers;
import io.margay.lab.site.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Starts the servers of a study, one at a time, on processors of their own. Confined to one
/// thread.
final class StudyServers implements AutoCloseable {
    private final Path folder;
    private final Path site;
    private final Certificate certificate;
    private List<String> prefix;
    private int started;

    /// Makes what they serve.
    ///
    /// @param folder of the study
    /// @param processors of the servers, as `taskset` takes them
    /// @param ecKey whether their key is of the curve P-256, else RSA
    StudyServers(LabEnvironment here, Path folder, String processors, boolean ecKey)
            throws IOException {
        this.folder = folder;
        prefix = pinned(here, processors);
        certificate = Certificate.in(folder, here.javaHome(), ecKey);
        site = Site.make(here.webapps(), folder.resolve("site"));
    }

    /// The words that pin a command to processors.
    ///
    /// @param processors as `taskset` takes them
    static List<String> pinned(LabEnvironment here, String processors) throws IOException {
        return List.of(here.tools().get("taskset").toString(), "-c", processors);
    }

    /// Starts what comes by other words than those that pin it to processors.
    void startBy(List<String> words) {
        prefix = List.copyOf(words);
    }

    Certificate certificate() {
        return certificate;
    }

    /// Starts a server, and waits until it answers for the page.
    RunningServer start(ServerSpec spec, LabEnvironment here, String page) throws IOException {
        return start(spec, here, page, List.of());
    }

    /// The same in front of back ends that run already.
    RunningServer start(ServerSpec spec, LabEnvironment here, String page, List<Setting> backs)
            throws IOException {
        Path own = Files.createDirectories(folder.resolve("servers").resolve("" + ++started));
        return start(spec, here, own, site, List.of(page), backs);
    }

    /// Starts a server with a site of its own, and waits until it has answered for each page.
    ///
    /// @param own the folder it writes to
    RunningServer start(
            ServerSpec spec, LabEnvironment here, Path own, Path webapps, List<String> pages)
            throws IOException {
        return start(spec, here, own, webapps, pages, List.of());
    }

    private RunningServer start(
            ServerSpec spec,
            LabEnvironment here,
            Path own,
            Path webapps,
            List<String> pages,
            List<Setting> backs)
            throws IOException {
        Setting setting =
                SettingBuilder.builder()
                        .here(here)
                        .folder(own)
                        .webapps(webapps)
                        .http(port())
                        .https(port())
                        .ajp(port())
                        .secret("s")
                        .route("b")
                        .certificate(certificate)
                        .backs(backs)
                        .build();
        RunningServer server = new RunningServer(spec, setting);
        try {
            server.start(prefix);
            for (String page : pages) {
                server.awaitAnswer(page);
            }
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /// The load generator, on a processor that is not the servers'.
    GeneratorProcess generator(LabEnvironment here) throws IOException {
        return new GeneratorProcess(pinned(here, "1"), folder.resolve("generator.log"));
    }

    /// Removes what need not be kept, once the servers have ended.
    @Override
    public void close() throws IOException {
        Site.remove(site);
        Leftovers.remove(folder);
    }

    private static int port() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// What all processes of a server have used.
    static ProcessSample sample(RunningServer server) {
        return server.sample().values().stream().reduce(ProcessSample.NONE, ProcessSample::plus);
    }

    /// The memory of a server.
    static double mib(RunningServer server) {
        return sample(server).residentKib() / 1024.0;
    }

    /// The threads of all processes of a server.
    static int threads(RunningServer server) throws IOException {
        int threads = 0;
        for (List<Long> tier : server.processes().values()) {
            for (long process : tier) {
                try (Stream<Path> all = Files.list(Path.of("/proc", "" + process, "task"))) {
                    threads += (int) all.count();
                }
            }
        }
        return threads;
    }

    /// The process of a server that has one.
    static long process(RunningServer server) {
        return server.processes().values().iterator().next().getFirst();
    }
}
