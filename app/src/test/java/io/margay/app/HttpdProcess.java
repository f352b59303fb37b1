package io.margay.app;

import io.margay.testkit.CorpusFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// Apache httpd with a configuration of the corpus, as a child process. It waits within a bound.
final class HttpdProcess implements AutoCloseable {
    private static final long START_SECONDS_MAX = 30;
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authn_core",
                    "authz_core",
                    "authz_host",
                    "access_compat",
                    "allowmethods",
                    "alias",
                    "dir",
                    "env",
                    "setenvif",
                    "rewrite",
                    "headers",
                    "macro",
                    "remoteip",
                    "proxy",
                    "proxy_http",
                    "proxy_ajp",
                    "slotmem_shm",
                    "proxy_balancer",
                    "lbmethod_byrequests",
                    "lbmethod_bybusyness",
                    "lbmethod_bytraffic",
                    "proxy_hcheck",
                    "jk");

    /// It ends at its start, for what its configuration says.
    static final class NotStarted extends IOException {
        private static final long serialVersionUID = 1;

        NotStarted(String message) {
            super(message);
        }
    }

    private final Process process;

    private HttpdProcess(Process process) {
        this.process = process;
    }

    /// Starts httpd, and waits until its port answers.
    static HttpdProcess start(CorpusFile file, Path folder, Map<String, String> values, int port)
            throws IOException {
        Files.createDirectories(folder.resolve("logs"));
        Files.createDirectories(folder.resolve("empty"));
        boolean _ = !file.write(folder, values).isEmpty();
        String conf = file.text("httpd.conf");
        StringBuilder text = new StringBuilder();
        text.append("ServerRoot \"").append(folder).append("\"\n");
        load(MODULES, text);
        text.append("PidFile httpd.pid\nErrorLog logs/error.log\nServerName localhost\n");
        text.append("DefaultRuntimeDir \"").append(folder).append("\"\nMutex pthread\n");
        if ("root".equals(System.getProperty("user.name"))) {
            text.append("User www-data\nGroup www-data\n");
        }
        if (!conf.contains("JkShmFile")) {
            text.append("JkShmFile logs/jk.shm\n");
        }
        if (!conf.contains("JkLogFile")) {
            text.append("JkLogFile logs/mod_jk.log\n");
        }
        if (!conf.contains("DocumentRoot")) {
            text.append("DocumentRoot empty\n");
        }
        text.append("Include httpd.conf\n");
        Path whole = folder.resolve("whole.conf");
        Files.writeString(whole, text);
        open(folder);
        return launch(folder, port, "-DFOREGROUND");
    }

    /// Starts httpd as one process, which is quicker, and waits until its port answers.
    ///
    /// @param text of the configuration, without modules and what concerns processes
    static HttpdProcess single(Path folder, List<String> modules, String text, int port)
            throws IOException {
        Files.createDirectories(folder.resolve("logs"));
        StringBuilder whole = new StringBuilder();
        whole.append("ServerRoot \"").append(folder).append("\"\n");
        load(modules, whole);
        whole.append("PidFile httpd.pid\nErrorLog logs/error.log\nServerName localhost\n");
        whole.append("DefaultRuntimeDir \"").append(folder).append("\"\nMutex pthread\n");
        whole.append("ServerLimit 1\nThreadsPerChild 4\nMaxRequestWorkers 4\n");
        whole.append("MinSpareThreads 1\nMaxSpareThreads 4\nTypesConfig /etc/mime.types\n");
        if ("root".equals(System.getProperty("user.name"))) {
            whole.append("User www-data\nGroup www-data\n");
        }
        Files.writeString(folder.resolve("whole.conf"), whole.append(text));
        return launch(folder, port, "-X");
    }

    private static void load(List<String> modules, StringBuilder text) {
        for (String module : modules) {
            text.append("LoadModule ").append(module).append("_module ");
            text.append("/usr/lib/apache2/modules/mod_").append(module).append(".so\n");
        }
    }

    private static HttpdProcess launch(Path folder, int port, String option) throws IOException {
        String whole = folder.resolve("whole.conf").toString();
        Process process =
                new ProcessBuilder("/usr/sbin/apache2", "-f", whole, option)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("logs/output.txt").toFile())
                        .start();
        await(process, port, folder);
        return new HttpdProcess(process);
    }

    /// httpd's children are another user.
    private static void open(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.toList()) {
                Files.setPosixFilePermissions(
                        path,
                        PosixFilePermissions.fromString(
                                Files.isDirectory(path) ? "rwxrwxrwx" : "rw-rw-rw-"));
            }
        }
    }

    private static void await(Process process, int port, Path folder) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (System.nanoTime() < end && process.isAlive()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException e) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }
        boolean _ = process.destroyForcibly().isAlive();
        throw new NotStarted(
                "httpd does not start: "
                        + Files.readString(folder.resolve("logs/output.txt"))
                        + (Files.exists(folder.resolve("logs/error.log"))
                                ? Files.readString(folder.resolve("logs/error.log"))
                                : ""));
    }

    /// Deletes a folder with all in it.
    static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
