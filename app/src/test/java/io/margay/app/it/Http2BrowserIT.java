package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.it.Chromium.Tab;
import io.margay.testkit.TestCertificate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A page of many small images and an upload over HTTP/2 and TLS, in a real browser, served by
/// `./margay run`.
final class Http2BrowserIT {
    private static final int IMAGES = 66;

    @TempDir Path folder;

    @Test
    void gallery_andUpload_goOverHttp2() throws Exception {
        TestCertificate certificate = TestCertificate.temporary();
        Path webapps = ServerProcess.checkout().resolve("examples/target/webapps");
        Path configuration = folder.resolve("margay.yaml");
        Files.writeString(
                configuration,
                """
                listeners:
                  - https: 127.0.0.1:0
                    certificates: [{cert: %s, key: %s}]
                hosts:
                  - routes:
                      /upload: {app: %s}
                      /: {app: %s}
                """
                        .formatted(
                                certificate.cert(),
                                certificate.key(),
                                webapps.resolve("upload"),
                                webapps.resolve("pages")));
        try (ServerProcess margay = ServerProcess.margay(folder, "run", configuration.toString());
                Chromium browser = Chromium.start(folder, "--ignore-certificate-errors")) {
            String root = "https://127.0.0.1:" + margay.awaitMargay() + "/";
            Tab tab = browser.open(root + "gallery.html");
            assertEquals("h2", protocols(tab, "navigation"));
            assertEquals("h2", protocols(tab, "resource"));
            assertEquals(
                    String.valueOf(IMAGES),
                    tab.evaluate(
                            "[...document.images]"
                                    + ".filter(i => i.complete && i.naturalWidth).length"));
            byte[] content = "margay ".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
            String _ =
                    tab.evaluate(
                            "fetch('/upload/digest', {method: 'POST',"
                                    + " body: 'margay '.repeat(100000)})"
                                    + ".then(answer => answer.text())"
                                    + ".then(text => sum = text), ''");
            tab.await("typeof sum != 'undefined'");
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            String expected = HexFormat.of().formatHex(digest.digest(content));
            assertEquals("true", tab.evaluate("sum.includes('" + expected + "')"));
            assertEquals("h2", protocols(tab, "resource"));
            assertEquals(0, margay.terminate(), margay.toString());
        }
    }

    /// By which protocols the page and what belongs to it have come.
    private static String protocols(Tab tab, String kind) throws InterruptedException {
        return tab.evaluate(
                "[...new Set(performance.getEntriesByType('"
                        + kind
                        + "').map(e => e.nextHopProtocol))].join()");
    }
}
