package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A page, its script and its data, compressed, in a browser.
final class CompressionBrowserIT {
    /// How many bytes came for each byte of the page and of what it loads, times 100.
    private static final String SHARE =
            """
            [...performance.getEntriesByType('navigation'),
             ...performance.getEntriesByType('resource')]
                .filter(one => !one.name.endsWith('favicon.ico'))
                .map(one => Math.ceil(100 * one.encodedBodySize / one.decodedBodySize)).join(' ')\
            """;

    @TempDir Path folder;

    @Test
    void browser_decodesWhatIsCompressed() throws Exception {
        Path app = Files.createDirectories(folder.resolve("app"));
        Files.writeString(
                app.resolve("index.jsp"),
                "<!doctype html><title>large</title><script src=script.js></script>"
                        + "<% for (int i = 0; i < 3000; i++) { %><p>Paragraph.<% } %>");
        Files.writeString(
                app.resolve("script.js"),
                "// A line that is like the others.\n".repeat(3000) + "window.ran = true;");
        try (ServerProcess server =
                        ServerProcess.margay(folder, "run", "app", "--http", "0", "--compress");
                Chromium chromium = Chromium.start(folder)) {
            Chromium.Tab tab = chromium.open("http://127.0.0.1:" + server.awaitMargay() + "/");
            tab.await("document.readyState === 'complete' && window.ran");
            assertEquals("3000", tab.evaluate("document.querySelectorAll('p').length"));
            String[] shares = tab.evaluate(SHARE).split(" ");
            assertEquals(2, shares.length);
            for (String share : shares) {
                assertTrue(Integer.parseInt(share) < 20, String.join(" ", shares));
            }
        }
    }
}
