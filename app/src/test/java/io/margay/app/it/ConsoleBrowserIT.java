package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The console in a browser: what it shows of a gateway with applications, by keyboard, to a screen
/// reader, on a phone, in light and in dark.
final class ConsoleBrowserIT {
    private static final int NARROW = 360;
    private static final int WIDE = 1200;

    /// The least contrast of a text with the paper, times 100 (WCAG 2.2, 1.4.3).
    private static final String CONTRAST =
            """
            (() => {
              const canvas = document.createElement('canvas').getContext('2d');
              const rgb = c => { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1);
                  return canvas.getImageData(0, 0, 1, 1).data; };
              const light = c => { const [r, g, b] = [...c].slice(0, 3).map(v => {
                  v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
                  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
              const dark = matchMedia('(prefers-color-scheme: dark)').matches;
              const paper = dark ? [18, 18, 18] : [255, 255, 255];
              const seen = e => { const o = getComputedStyle(e.closest('.quiet') || e).opacity;
                  const c = rgb(getComputedStyle(e).color);
                  return paper.map((p, i) => p + (c[i] - p) * o); };
              const ratio = e => { const a = light(seen(e)), b = light(paper);
                  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); };
              return Math.floor(100 * Math.min(...[...document.querySelectorAll(
                  'h1, h2, p, a, th, td, dt, dd, label, span')].map(ratio)));
            })()\
            """;

    /// What has no name for a screen reader, and names that several buttons share.
    private static final String NAMELESS =
            """
            (() => {
              const named = e => e.ariaLabel || e.textContent.trim() || e.labels?.length;
              const buttons = [...document.querySelectorAll('button')]
                  .map(b => b.ariaLabel || b.textContent);
              return [...document.querySelectorAll('button, input, select, [role=region]')]
                  .filter(e => !named(e) && !e.getAttribute('aria-labelledby'))
                  .map(e => e.id || e.tagName)
                  .concat(buttons.filter((name, i) => buttons.indexOf(name) !== i))
                  .concat([...document.querySelectorAll('th:not([scope]), th:empty')]
                  .map(e => 'th ' + e.textContent)).join(' | ');
            })()\
            """;

    private static final String TOKEN = "a token for this test";

    @TempDir Path folder;

    @Test
    void console_isUsableByAllAndShowsTheGateway() throws Exception {
        int admin = FreePort.next();
        Path webapps = Files.createDirectories(folder.resolve("webapps"));
        Files.createDirectories(webapps.resolve("shop/WEB-INF"));
        Files.writeString(webapps.resolve("shop/index.jsp"), "<%= session.getId() %>");
        Files.createDirectories(webapps.resolve("news/WEB-INF"));
        Files.writeString(webapps.resolve("broken.war"), "no archive");
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:%d
                admin-token: "%s"
                hosts: [{webapps: webapps, routes: {/gone: {gateway: back}}}]
                upstreams:
                  back:
                    members: [{url: "http://127.0.0.1:%d", name: dead}, {file: back.members}]
                """
                        .formatted(admin, TOKEN, FreePort.next()));
        try (ServerProcess server = ServerProcess.margay(folder, "run", "margay.yaml");
                Chromium chromium = Chromium.start(folder)) {
            Browser browser = new Browser(server.awaitMargay());
            assertEquals(503, browser.get("/gone/").statusCode());
            String session = browser.get("/shop/").body().strip();
            Chromium.Tab tab = chromium.open("http://127.0.0.1:" + admin + "/");
            tab.await("document.querySelector('#upstreams').textContent.includes('(down)')");
            assertEquals("", tab.evaluate(NAMELESS));
            assertEquals("1", tab.evaluate("document.querySelectorAll('main').length"));
            assertTrue(
                    tab.evaluate("document.querySelector('#system').innerText").contains("Heap"));
            String button = "document.querySelector('[aria-label=\"1 sessions of /shop\"]')";
            tab.await(button);
            String _ = tab.evaluate(button + ".click()");
            tab.await("document.activeElement.id === 'of-sessions'");
            String listed = tab.evaluate("document.querySelector('#sessions').innerText");
            assertTrue(listed.startsWith(session.substring(0, 6) + "…"), listed);
            assertFalse(listed.contains(session), listed);
            assertEquals("", tab.evaluate(NAMELESS));
            String stop = "document.querySelector('[aria-label=\"stop /shop\"]')";
            for (boolean dark : new boolean[] {false, true}) {
                tab.look(WIDE, dark);
                assertTrue(Integer.parseInt(tab.evaluate(CONTRAST)) >= 450, "dark: " + dark);
                tab.look(NARROW, dark);
                String fits = "document.documentElement.scrollWidth <= innerWidth";
                assertEquals("true", tab.evaluate(fits), "nothing lies beside the phone");
                String reached = stop + ".getBoundingClientRect().right <= innerWidth";
                assertEquals("true", tab.evaluate(reached), "buttons are on the phone");
                assertEquals("", Axe.violations(tab), "dark: " + dark);
            }
            String focus = "(" + stop + ".focus(), document.activeElement === " + stop + ")";
            assertEquals("true", tab.evaluate(focus));
            tab.type("#token", TOKEN);
            drain(tab);
            String _ = tab.evaluate("document.querySelector('#sessions button').click()");
            tab.await("document.querySelector('#said').textContent.includes('was ended')");
            assertEquals("0", tab.evaluate("document.querySelectorAll('#sessions tr').length"));
        }
    }

    /// A member of an upstream is drained and used again.
    private static void drain(Chromium.Tab tab) throws Exception {
        tab.await("document.querySelector('#sources').textContent.includes('does not exist')");
        for (String[] step :
                new String[][] {
                    {"drain", "gets requests of its sessions only.", "disabled"},
                    {"enable", "gets requests.", "active"}
                }) {
            String button =
                    "document.querySelector('[aria-label=\"" + step[0] + " dead of back\"]')";
            tab.await(button);
            String focus = "(" + button + ".focus(), document.activeElement === " + button + ")";
            assertEquals("true", tab.evaluate(focus));
            String _ = tab.evaluate(button + ".click()");
            tab.await(
                    "document.querySelector('#said').textContent === 'dead of back "
                            + step[1]
                            + "'");
            tab.await(
                    "document.querySelector('#upstreams').textContent.includes('" + step[2] + "')");
            assertEquals("", tab.evaluate(NAMELESS));
        }
    }
}
