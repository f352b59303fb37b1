package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.it.Chromium.Tab;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The lab's reports in a real browser: in a wide and a narrow window, light and dark. Pictures of
/// all are kept in `target/lab-reports` of this module.
final class ReportBrowserIT {
    private static final int WIDE = 1280;
    private static final int NARROW = 360;
    private static final int PICTURE_PIXELS = 5000;

    /// Pieces of text in one drawing that lie over each other, or leave the window.
    private static final String MISPLACED =
            """
            [...document.querySelectorAll('svg')].flatMap(svg => {
              const all = [...svg.querySelectorAll('text')];
              const boxes = all.map(t => t.getBoundingClientRect());
              return all.filter((t, i) => boxes[i].right > innerWidth + 1 || boxes[i].left < -1
                  || boxes.some((b, j) => j < i && b.left < boxes[i].right - 1
                      && boxes[i].left < b.right - 1 && b.top < boxes[i].bottom - 3
                      && boxes[i].top < b.bottom - 3));
            }).map(t => t.textContent).slice(0, 5).join(' | ')\
            """;

    /// The least contrast of a text with the paper, times 100 (WCAG 2.2, 1.4.3).
    private static final String CONTRAST =
            """
            (() => {
              const light = c => { const [r, g, b] = c.match(/[0-9.]+/g).map(v => {
                  v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
                  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
              const paper = light(getComputedStyle(document.body).backgroundColor);
              const ratio = l => (Math.max(l, paper) + 0.05) / (Math.min(l, paper) + 0.05);
              const all = [...document.querySelectorAll('h1, h2, p, li, a, th, td, pre')]
                  .map(e => ratio(light(getComputedStyle(e).color)))
                  .concat([...document.querySelectorAll('svg text')]
                  .map(e => ratio(light(getComputedStyle(e).fill))));
              return Math.floor(100 * Math.min(...all));
            })()\
            """;

    @TempDir Path folder;

    /// Parts of measured runs, drawn by `margay lab report`.
    private List<Path> reports() throws Exception {
        List<Path> drawn = new ArrayList<>();
        for (String name : List.of("heartbeat", "frontends-max")) {
            Path own = Files.createDirectories(folder.resolve(name));
            Path copy = own.resolve("result.json");
            try (InputStream json = getClass().getResourceAsStream("lab/" + name + ".json")) {
                Files.copy(Objects.requireNonNull(json), copy);
            }
            try (ServerProcess lab =
                    ServerProcess.margay(folder, "lab", "report", copy.toString())) {
                assertEquals(0, lab.awaitExit(), lab.toString());
            }
            drawn.add(own.resolve("report.html"));
        }
        return drawn;
    }

    @Test
    void reports_areReadable_inAnyWindow_lightAndDark() throws Exception {
        Path pictures = Files.createDirectories(Path.of("target/lab-reports").toAbsolutePath());
        List<Path> reports = reports();
        try (Chromium browser = Chromium.start(folder)) {
            for (Path report : reports) {
                String name = String.valueOf(report.getName(report.getNameCount() - 2));
                Tab tab = browser.open(report.toUri().toString());
                for (int width : new int[] {WIDE, NARROW}) {
                    for (boolean dark : new boolean[] {false, true}) {
                        String which = name + "-" + width + (dark ? "-dark" : "");
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
                        assertEquals("", tab.evaluate(MISPLACED), which);
                        int contrast = Integer.parseInt(tab.evaluate(CONTRAST));
                        assertTrue(contrast >= 450, which + ": contrast " + contrast);
                        assertEquals(
                                "0",
                                tab.evaluate("performance.getEntriesByType('resource').length"),
                                which + " fetches something");
                    }
                }
            }
        }
    }
}
