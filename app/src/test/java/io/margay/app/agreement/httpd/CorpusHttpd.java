package io.margay.app.agreement.httpd;

import io.margay.testkit.CorpusFile;
import io.margay.testkit.HttpdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Apache httpd with a configuration of the corpus. Stateless.
final class CorpusHttpd {
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authn_core",
                    "authz_core",
                    "authz_host",
                    "auth_basic",
                    "authn_file",
                    "authz_user",
                    "authz_groupfile",
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
                    "socache_shmcb",
                    "ssl",
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

    private CorpusHttpd() {}

    /// Starts it, and waits until its port answers.
    static HttpdProcess start(CorpusFile file, Path folder, Map<String, String> values, int port)
            throws IOException {
        Files.createDirectories(folder.resolve("logs"));
        Files.createDirectories(folder.resolve("empty"));
        boolean _ = !file.write(folder, values).isEmpty();
        String conf = file.text("httpd.conf");
        StringBuilder text = new StringBuilder();
        if (!conf.contains("JkShmFile")) {
            text.append("JkShmFile logs/jk.shm\n");
        }
        if (!conf.contains("JkLogFile")) {
            text.append("JkLogFile logs/jk.log\n");
        }
        if (!conf.contains("DocumentRoot")) {
            text.append("DocumentRoot empty\n");
        }
        text.append("Include httpd.conf\n");
        open(folder);
        return HttpdProcess.start(folder, MODULES, text.toString(), port);
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
}
