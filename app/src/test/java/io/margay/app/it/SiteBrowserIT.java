package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.it.Chromium.Tab;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The documentation in a real browser, as `margay docs` serves it. Pictures are kept in
/// `target/site-pictures` of this module.
final class SiteBrowserIT {
    private static final int WIDE = 1280;
    private static final int NARROW = 360;
    private static final int PICTURE_PIXELS = 2000;

    private static final String SEARCH =
            """
            (() => {
              const query = document.querySelector('#site-query');
              query.focus();
              query.value = 'rolling update';
              query.dispatchEvent(new Event('input'));
            })()\
            """;

    @TempDir Path folder;

    @Test
    void pages_areReadable_andSearched_inAnyWindow_lightAndDark() throws Exception {
        Path pictures = Files.createDirectories(Path.of("target/site-pictures").toAbsolutePath());
        try (ServerProcess docs = ServerProcess.margay(folder, "docs", "--http", "0");
                Chromium browser = Chromium.start(folder)) {
            String site = "http://127.0.0.1:" + docs.awaitMargay() + "/";
            for (String page : new String[] {"index", "guide/tls", "reference/metrics"}) {
                Tab tab = browser.open(site + page + ".html");
                for (int width : new int[] {WIDE, NARROW}) {
                    for (boolean dark : new boolean[] {false, true}) {
                        String which = page.replace('/', '-') + "-" + width + (dark ? "-dark" : "");
                        tab.look(width, dark);
                        Files.write(
                                pictures.resolve(which + ".png"),
                                tab.picture(width, PICTURE_PIXELS));
                        assertEquals(
                                String.valueOf(width),
                                tab.evaluate(
                                        "Math.max(innerWidth,"
                                                + " document.documentElement.scrollWidth)"),
                                which + " is to be moved sideways");
                        assertEquals("", Axe.violations(tab), which);
                    }
                }
            }
            Tab tab = browser.open(site);
            tab.look(NARROW, false);
            String _ = tab.evaluate(SEARCH);
            tab.await("document.querySelectorAll('#site-results a').length > 0");
            assertEquals(
                    "true",
                    tab.evaluate(
                            "[...document.querySelectorAll('#site-results a')].every("
                                    + "a => /rolling/i.test(a.textContent))"));
            assertEquals("", Axe.violations(tab), "results");
            Files.write(pictures.resolve("search.png"), tab.picture(NARROW, PICTURE_PIXELS));
        }
    }
}
