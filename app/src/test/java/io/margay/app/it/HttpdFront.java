package io.margay.app.it;

import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A real httpd with mod_jk at one port and mod_proxy_ajp at another, configured by the very lines
/// that Margay prints for them.
final class HttpdFront implements AutoCloseable {
    private static final List<String> MODULES =
            List.of("mpm_event", "authz_core", "proxy", "proxy_ajp", "jk");

    private final int jkPort = FreePort.next();
    private final int proxyPort = FreePort.next();
    private final HttpdProcess httpd;

    /// Whether this machine has httpd with mod_jk.
    static boolean isInstalled() {
        return HttpdProcess.isInstalled(MODULES);
    }

    /// @param folder an empty one of its own
    /// @param printed what Margay has printed
    HttpdFront(Path folder, List<String> printed) throws IOException {
        List<String> workers = block(printed, "for mod_jk, workers.properties:");
        List<String> mount = block(printed, "for mod_jk, httpd.conf:");
        List<String> proxy = block(printed, "or for mod_proxy_ajp, httpd.conf:");
        Files.write(folder.resolve("workers.properties"), workers);
        httpd = HttpdProcess.start(folder, MODULES, configuration(mount, proxy), jkPort, proxyPort);
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

    private String configuration(List<String> mount, List<String> proxy) {
        return """
        StartServers 1
        ServerLimit 2
        ThreadsPerChild 32
        MaxRequestWorkers 64
        MaxKeepAliveRequests 0
        JkWorkersFile workers.properties
        JkShmFile logs/jk.shm
        JkLogFile logs/jk.log
        JkLogLevel error
        AllowEncodedSlashes NoDecode
        """
                + host(jkPort, mount)
                + host(proxyPort, proxy);
    }

    private static String host(int port, List<String> mapping) {
        return """
        Listen 127.0.0.1:%1$d
        <VirtualHost 127.0.0.1:%1$d>
        %2$s
        </VirtualHost>
        """
                .formatted(port, String.join("\n", mapping));
    }

    int jkPort() {
        return jkPort;
    }

    int proxyPort() {
        return proxyPort;
    }

    /// What httpd and mod_jk have logged.
    String log() throws IOException {
        return httpd.log();
    }

    @Override
    public void close() {
        httpd.close();
    }
}
