package io.margay.app.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A real httpd with mod_jk at one port and mod_proxy_ajp at another, configured by the very lines
/// that Margay prints for them.
final class HttpdFront implements AutoCloseable {
    private static final Path BINARY = Path.of("/usr/sbin/apache2");
    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");

    private final int jkPort = freePort();
    private final int proxyPort = freePort();
    private final Path folder;
    private final Process process;

    /// Whether this machine has httpd with mod_jk.
    static boolean isInstalled() {
        return Files.isExecutable(BINARY) && Files.exists(MODULES.resolve("mod_jk.so"));
    }

    /// @param folder an empty one of its own
    /// @param printed what Margay has printed
    HttpdFront(Path folder, List<String> printed) throws IOException, InterruptedException {
        this.folder = folder;
        List<String> workers = block(printed, "for mod_jk, workers.properties:");
        List<String> mount = block(printed, "for mod_jk, httpd.conf:");
        List<String> proxy = block(printed, "or for mod_proxy_ajp, httpd.conf:");
        Files.write(folder.resolve("workers.properties"), workers);
        Files.write(folder.resolve("httpd.conf"), configuration(mount, proxy));
        process =
                new ProcessBuilder(
                                BINARY.toString(),
                                "-DFOREGROUND",
                                "-d",
                                folder.toString(),
                                "-f",
                                folder.resolve("httpd.conf").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("out.log").toFile())
                        .start();
        await(jkPort);
        await(proxyPort);
    }

    /// The indented lines below a heading.
    private static List<String> block(List<String> printed, String heading) {
        List<String> lines = new ArrayList<>();
        int at = printed.indexOf("margay: " + heading) + 1;
        if (at == 0) {
            throw new AssertionError("\"" + heading + "\" was not printed: " + printed);
        }
        while (at < printed.size() && printed.get(at).startsWith("    ")) {
            lines.add(printed.get(at++).strip());
        }
        return lines;
    }

    private List<String> configuration(List<String> mount, List<String> proxy) {
        List<String> lines = new ArrayList<>();
        for (String module : List.of("mpm_event", "authz_core", "proxy", "proxy_ajp", "jk")) {
            lines.add("LoadModule " + module + "_module " + MODULES + "/mod_" + module + ".so");
        }
        lines.addAll(
                List.of(
                        "ServerName localhost",
                        "PidFile httpd.pid",
                        "ErrorLog error.log",
                        "User www-data",
                        "Group www-data",
                        "DefaultRuntimeDir .",
                        "Mutex pthread",
                        "StartServers 1",
                        "ServerLimit 2",
                        "ThreadsPerChild 32",
                        "MaxRequestWorkers 64",
                        "MaxKeepAliveRequests 0",
                        "JkWorkersFile workers.properties",
                        "JkShmFile jk.shm",
                        "JkLogFile jk.log",
                        "JkLogLevel error",
                        "AllowEncodedSlashes NoDecode"));
        host(lines, jkPort, mount);
        host(lines, proxyPort, proxy);
        return lines;
    }

    private static void host(List<String> lines, int port, List<String> mapping) {
        lines.add("Listen 127.0.0.1:" + port);
        lines.add("<VirtualHost 127.0.0.1:" + port + ">");
        lines.addAll(mapping);
        lines.add("</VirtualHost>");
    }

    int jkPort() {
        return jkPort;
    }

    int proxyPort() {
        return proxyPort;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void await(int port) throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - end > 0 || !process.isAlive()) {
                    close();
                    throw new IOException("httpd does not start: " + log(), e);
                }
                process.waitFor(20, TimeUnit.MILLISECONDS);
            }
        }
    }

    /// What httpd and mod_jk have logged.
    String log() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("out.log", "error.log", "jk.log")) {
            if (Files.exists(folder.resolve(name))) {
                text.append(Files.readString(folder.resolve(name), StandardCharsets.ISO_8859_1));
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
