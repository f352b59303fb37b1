package io.margay.testkit;

import io.margay.testkit.program.Kill;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Apache httpd as a child process in a folder of its own. Used by one thread; everything waits
/// within a bound.
public final class HttpdProcess implements AutoCloseable {
    private static final String NAME = "apache2";
    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");
    private static final long START_SECONDS_MAX = 30;
    private static final long END_SECONDS_MAX = 20;
    private static final int CONNECT_MILLIS = 1000;
    private static final int POLL_MILLIS = 5;
    private static final List<String> LOGS = List.of("output.txt", "error.log", "jk.log");

    /// httpd ends while it starts, for what its configuration says.
    public static final class NotStarted extends IOException {
        private static final long serialVersionUID = 1;

        private NotStarted(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private final Process process;
    private final Path folder;

    /// One process has no children that it must end, and would wait for connections kept open.
    private final boolean isSingle;

    private HttpdProcess(Process process, Path folder, boolean isSingle) {
        this.process = process;
        this.folder = folder;
        this.isSingle = isSingle;
    }

    /// Whether this machine has httpd with these modules.
    public static boolean isInstalled(List<String> modules) {
        return Program.find(NAME).isPresent()
                && modules.stream().map(HttpdProcess::file).allMatch(Files::exists);
    }

    private static Path file(String module) {
        return MODULES.resolve("mod_" + module + ".so");
    }

    /// Starts httpd, and waits until its ports answer. Its logs are in the folder `logs`, also
    /// those that `text` may name.
    ///
    /// @param folder where its processes may read, as another user if this one is root
    /// @param modules without `mod_`
    /// @param text the configuration, without what concerns modules and the process as such
    /// @throws NotStarted if it does not serve
    public static HttpdProcess start(Path folder, List<String> modules, String text, int... ports)
            throws IOException {
        return start(folder, modules, text, false, ports);
    }

    /// Starts httpd as one process, which is quicker.
    ///
    /// @throws NotStarted if it does not serve
    public static HttpdProcess startSingle(
            Path folder, List<String> modules, String text, int... ports) throws IOException {
        String few =
                """
                ServerLimit 1
                ThreadsPerChild 4
                MaxRequestWorkers 4
                MinSpareThreads 1
                MaxSpareThreads 4
                """;
        return start(folder, modules, few + text, true, ports);
    }

    private static HttpdProcess start(
            Path folder, List<String> modules, String text, boolean isSingle, int... ports)
            throws IOException {
        Path logs = Files.createDirectories(folder.resolve("logs"));
        StringBuilder whole = new StringBuilder();
        whole.append("ServerRoot \"").append(folder).append("\"\n");
        for (String module : modules) {
            if (!Files.exists(file(module))) {
                String brings = module.equals("jk") ? "libapache2-mod-jk" : "apache2";
                throw Program.missing("mod_" + module, brings);
            }
            whole.append("LoadModule %s_module %s\n".formatted(module, file(module)));
        }
        whole.append("PidFile httpd.pid\nErrorLog logs/error.log\nServerName localhost\n");
        whole.append("DefaultRuntimeDir \"").append(folder).append("\"\nMutex pthread\n");
        if (modules.contains("mime")) {
            whole.append("TypesConfig /etc/mime.types\n");
        }
        if ("root".equals(System.getProperty("user.name"))) {
            whole.append("User www-data\nGroup www-data\n");
        }
        Path conf = Files.writeString(folder.resolve("whole.conf"), whole.append(text));
        String option = isSingle ? "-X" : "-DFOREGROUND";
        Process process =
                new ProcessBuilder(Program.of(NAME), "-f", conf.toString(), option)
                        .redirectErrorStream(true)
                        .redirectOutput(logs.resolve(LOGS.getFirst()).toFile())
                        .start();
        HttpdProcess httpd = new HttpdProcess(process, folder, isSingle);
        for (int port : ports) {
            httpd.await(port);
        }
        return httpd;
    }

    private void await(int port) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        CONNECT_MILLIS);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - until > 0 || ends(POLL_MILLIS)) {
                    close();
                    throw new NotStarted("httpd does not start: " + log(), e);
                }
            }
        }
    }

    private boolean ends(long millis) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /// Has it take new processes for old ones while it serves.
    public void restartGracefully() throws IOException, InterruptedException {
        Kill.send("USR1", process.pid());
    }

    /// What httpd has printed and logged, and mod_jk if it logs to `logs/jk.log`.
    public String log() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String name : LOGS) {
            Path file = folder.resolve("logs").resolve(name);
            if (Files.exists(file)) {
                text.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        if (isSingle) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
        if (!ends(TimeUnit.SECONDS.toMillis(END_SECONDS_MAX)) || process.isAlive()) {
            process.destroyForcibly();
        }
    }
}
