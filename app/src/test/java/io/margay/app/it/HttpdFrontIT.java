package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// httpd with mod_jk and with mod_proxy_ajp in front of an application that Margay serves: through
/// httpd each page is what it is without.
final class HttpdFrontIT {
    private final Path home = Path.of(System.getProperty("margay.tomcat", "tomcat"));

    @TempDir Path folder;

    @Test
    void application_behindHttpd_answersAsWithout() throws Exception {
        if (System.getenv("CI") == null) {
            Assumptions.assumeTrue(HttpdFront.isInstalled(), "httpd with mod_jk is not installed");
        }
        PageList list =
                PageList.read(ServerProcess.checkout().resolve("examples/tomcat-pages.txt")).few();
        Path httpdFolder =
                Files.createDirectory(
                        folder.resolve("httpd"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwxr-xr-x")));
        try (ServerProcess margay =
                ServerProcess.margay(
                        folder,
                        "run",
                        home.resolve("webapps").toString(),
                        "--http",
                        "0",
                        "--ajp",
                        "0",
                        "--ajp-secret",
                        "s3cret")) {
            int port = margay.awaitMargay();
            try (HttpdFront httpd = new HttpdFront(httpdFolder, margay.output());
                    AskedServer direct = new AskedServer(list, port);
                    AskedServer again = new AskedServer(list, port);
                    AskedServer jk = new AskedServer(list, httpd.jkPort());
                    AskedServer proxy = new AskedServer(list, httpd.proxyPort())) {
                TreeSet<String> unexpected = new TreeSet<>();
                unexpected(unexpected, "mod_jk", list, direct, jk);
                unexpected(unexpected, "mod_proxy_ajp", list, again, proxy);
                assertEquals("", String.join("\n", unexpected), httpd.log());
            }
            assertEquals(0, margay.terminate(), margay.toString());
        }
        assertTrue(Files.exists(httpdFolder.resolve("logs/jk.log")));
    }

    private static void unexpected(
            TreeSet<String> into, String way, PageList list, AskedServer direct, AskedServer other)
            throws Exception {
        PageComparison.differences(list, direct, other)
                .forEach((page, difference) -> into.add(way + ": " + page + difference));
    }
}
