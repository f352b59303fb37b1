package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.FreePort;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The console in a browser: what it shows of a gateway with applications, by keyboard, to a screen
/// reader, on a phone, in light and in dark.
final class ConsoleBrowserIT {
    private static final int NARROW = 390;
    private static final int WIDE = 1280;
    private static final int PICTURE_HEIGHT = 830;

    /// A page, and what is there when it has been drawn.
    private record Page(String id, String drawn) {}

    private static final List<Page> PAGES =
            List.of(
                    new Page("overview", "document.querySelectorAll('.plot canvas').length === 4"),
                    new Page("traffic", "document.querySelector('#page td')"),
                    new Page("map", "document.querySelector('.map .health rect.failing')"),
                    new Page("requests", "document.querySelector('#page td')"),
                    new Page("applications", "document.querySelector('#page td button')"),
                    new Page(
                            "upstreams",
                            "document.querySelector('#health .timeline .failing')"
                                    + " && document.querySelector('#mirrors td')"),
                    new Page("cluster", "document.querySelectorAll('#page .empty').length > 3"),
                    new Page("certificates", "document.querySelector('#page .empty')"),
                    new Page("guards", "document.querySelector('#page td')"),
                    new Page("configuration", "document.querySelector('#page dd')?.textContent"),
                    new Page("log", "document.querySelector('.log p')"),
                    new Page("jvm", "document.querySelector('#system dd')"));

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
                  .concat([...document.querySelectorAll('#page th:not([scope]), #page th:empty')]
                  .filter(e => !e.closest('.plot')).map(e => 'th ' + e.textContent)).join(' | ');
            })()\
            """;

    private static final String FITS = "document.documentElement.scrollWidth <= innerWidth";

    /// Sentences and buttons of tables that one has to scroll to.
    private static final String OUT_OF_SIGHT =
            """
            [...document.querySelectorAll('td:is(.wide, .actions)')]
                .filter(e => e.getBoundingClientRect().right > innerWidth)
                .map(e => e.dataset.name).join()\
            """;

    private static final String TOKEN = "a token for this test";

    @TempDir Path folder;

    /// A gateway with applications, one that is broken, and an upstream that is down.
    private int configured() throws Exception {
        int admin = FreePort.next();
        Path webapps = Files.createDirectories(folder.resolve("webapps"));
        Files.createDirectories(webapps.resolve("shop/WEB-INF"));
        Files.writeString(webapps.resolve("shop/index.jsp"), "<%= session.getId() %>");
        Files.writeString(
                webapps.resolve("shop/wait.jsp"),
                "<% while (!new java.io.File(request.getParameter(\"until\")).exists())"
                        + " Thread.sleep(20); %>");
        Files.createDirectories(webapps.resolve("news/WEB-INF"));
        Files.writeString(webapps.resolve("broken.war"), "no archive");
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:%1$d
                admin-token: "%2$s"
                hosts:
                  - webapps: webapps
                    routes: {/gone: {gateway: back, mirror: {to: copies}}}
                upstreams:
                  copies: {members: [{url: "http://127.0.0.1:%3$d"}]}
                  back:
                    members: [{url: "http://127.0.0.1:%3$d", name: dead}, {file: back.members}]
                """
                        .formatted(admin, TOKEN, FreePort.next()));
        return admin;
    }

    @Test
    void console_isUsableByAllAndShowsTheGateway() throws Exception {
        int admin = configured();
        try (ServerProcess server = ServerProcess.margay(folder, "run", "margay.yaml");
                Chromium chromium = Chromium.start(folder)) {
            Browser browser = new Browser(server.awaitMargay());
            assertEquals(503, browser.get("/gone/").statusCode());
            String session = browser.get("/shop/").body().strip();
            Chromium.Tab tab = chromium.open("http://127.0.0.1:" + admin + "/");
            tab.await("document.querySelector('.attention').textContent.includes('upstream back')");
            for (Page page : PAGES) {
                show(tab, page);
                assertEquals("", tab.evaluate(NAMELESS), page.id());
                for (boolean dark : new boolean[] {false, true}) {
                    tab.look(NARROW, dark);
                    assertEquals("true", tab.evaluate(FITS), page.id() + " on a phone");
                    assertEquals("", tab.evaluate(OUT_OF_SIGHT), page.id() + " on a phone");
                    assertEquals("", Axe.violations(tab), page.id() + ", dark: " + dark);
                    tab.look(WIDE, dark);
                    assertEquals("true", tab.evaluate(FITS), page.id());
                    assertEquals("", Axe.violations(tab), page.id() + ", dark: " + dark);
                }
            }
            tab.type("#token", TOKEN);
            sessions(tab, session);
            drain(tab);
            live(tab, browser);
            stack(tab, browser);
            configuration(tab);
            profile(tab);
        }
    }

    private static void show(Chromium.Tab tab, Page page) throws Exception {
        String _ = tab.evaluate("location.hash = '" + page.id() + "'");
        tab.await("document.title.startsWith(document.querySelector('h1').textContent)");
        tab.await("document.querySelector('#pages a[aria-current]').hash === '#" + page.id() + "'");
        tab.await(page.drawn());
    }

    /// Sessions of an application are listed without what would let one use them, and ended.
    private static void sessions(Chromium.Tab tab, String session) throws Exception {
        String _ = tab.evaluate("location.hash = 'applications'");
        String button = "document.querySelector('[aria-label=\"1 sessions of /shop\"]')";
        tab.await(button);
        tab.look(NARROW, false);
        String stop = "document.querySelector('[aria-label=\"stop /shop\"]')";
        String reached = stop + ".getBoundingClientRect().right <= innerWidth";
        assertEquals("true", tab.evaluate(reached), "buttons are on the phone");
        tab.look(WIDE, false);
        String _ = tab.evaluate(button + ".click()");
        tab.await("document.activeElement.id === 'of-sessions'");
        String listed = tab.evaluate("document.querySelector('#sessions').innerText");
        assertTrue(listed.contains(session.substring(0, 6) + "…"), listed);
        assertFalse(listed.contains(session), listed);
        assertEquals("", tab.evaluate(NAMELESS));
        assertEquals("", Axe.violations(tab));
        String _ = tab.evaluate("document.querySelector('#sessions td button').click()");
        tab.await("document.querySelector('#said').textContent.includes('was ended')");
        assertEquals("0", tab.evaluate("document.querySelectorAll('#sessions tbody tr').length"));
    }

    /// A member of an upstream is drained and used again; the keyboard stays where it was.
    private static void drain(Chromium.Tab tab) throws Exception {
        String _ = tab.evaluate("location.hash = 'upstreams'");
        tab.await("document.querySelector('#sources')?.textContent.includes('does not exist')");
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
            tab.await("document.querySelector('#members').textContent.includes('" + step[2] + "')");
            tab.await("!" + button);
            tab.await("document.querySelector('#members').contains(document.activeElement)");
            assertEquals("", tab.evaluate(NAMELESS));
        }
    }

    /// Numbers change in the cells that are there.
    private static void live(Chromium.Tab tab, Browser browser) throws Exception {
        String _ = tab.evaluate("location.hash = 'applications'");
        tab.await("document.querySelector('[aria-label=\"stop /shop\"]')");
        String _ =
                tab.evaluate(
                        "window.kept = document.querySelector('[aria-label=\"stop /shop\"]')"
                                + ".closest('tr').cells[5]; kept.was = kept.textContent; ''");
        assertEquals(200, browser.get("/shop/").statusCode());
        tab.await("kept.isConnected && kept.textContent !== kept.was");
    }

    /// A request in flight shows where its thread is.
    private void stack(Chromium.Tab tab, Browser browser) throws Exception {
        String _ = tab.evaluate("location.hash = 'requests'");
        Path until = folder.resolve("until");
        Thread waiting =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                HttpResponse<String> _ =
                                        browser.get("/shop/wait.jsp?until=" + until);
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });
        String button = "document.querySelector('[aria-label^=\"Show the stack of \"]')";
        tab.await(button);
        assertEquals("", tab.evaluate(NAMELESS));
        String _ = tab.evaluate(button + ".click()");
        tab.await("document.querySelector('pre').textContent.includes('wait_jsp._jspService')");
        Files.writeString(until, "");
        waiting.join();
        tab.await("!" + button);
    }

    /// The file beside what is active. A file that is wrong is told, and not applied; a right one
    /// is.
    private void configuration(Chromium.Tab tab) throws Exception {
        String _ = tab.evaluate("location.hash = 'configuration'");
        tab.await("document.querySelector('#in-force').textContent.includes('back.members')");
        Path file = folder.resolve("margay.yaml");
        String begun = Files.readString(file);
        String right = begun.replace("/gone:", "/left:") + "drain: 7s\nworkers: {threads-max: 9}\n";
        Files.writeString(file, right);
        String _ = tab.evaluate("document.querySelector('[aria-label^=Check]').click()");
        tab.await("document.querySelector('#changes tbody').rows.length === 6");
        String changes = tab.evaluate("document.querySelector('#changes').innerText");
        for (String each :
                List.of(
                        "hosts[#1].routes./gone.gateway",
                        "drain",
                        "default: 25s",
                        "read at start only: restart the server")) {
            assertTrue(changes.contains(each), changes);
        }
        String whole = tab.evaluate("document.querySelector('#page').innerText");
        assertFalse(whole.contains(TOKEN), whole);
        assertEquals("", tab.evaluate(NAMELESS));
        for (int width : new int[] {NARROW, WIDE}) {
            tab.look(width, false);
            assertEquals("true", tab.evaluate(FITS), "differences at " + width);
            assertEquals("", Axe.violations(tab));
        }
        guide(tab, "console-configuration");
        String said = "document.querySelector('#said').textContent";
        for (String[] step :
                new String[][] {
                    {"Reload", "colour: red\n", "Nothing was changed."},
                    {"Check", "colour: red\n", "1 error"},
                    {"Check", "", "has no errors"},
                    {"Reload", "", "is active"}
                }) {
            Files.writeString(file, right + step[1]);
            String button =
                    "document.querySelector('[aria-label=\"" + step[0] + " the configuration\"]')";
            tab.await(button);
            String _ = tab.evaluate(button + ".click()");
            tab.await(said + ".includes('" + step[2] + "')");
            String found = tab.evaluate("document.querySelector('#found').textContent");
            assertEquals(!step[1].isEmpty(), found.contains("colour"), found);
        }
        String left = "document.querySelector('#changes tbody')";
        tab.await(left + ".rows.length === 1 && " + left + ".innerText.includes('threads-max')");
        tab.type("#in-force input[type=search]", "drain");
        tab.await("document.querySelector('#in-force tbody').innerText.includes('7s')");
        tab.await("document.querySelector('#in-force tbody').rows.length === 1");
        String _ = tab.evaluate("document.querySelector('#in-force input[type=checkbox]').click()");
        tab.await("document.querySelector('#in-force tbody').innerText.includes('drain-delay')");
        assertEquals("", Axe.violations(tab));
    }

    /// A picture of the guide, where those are made anew.
    private static void guide(Chromium.Tab tab, String name) throws Exception {
        if (Boolean.getBoolean("margay.update")) {
            Path images = Path.of("..", "docs", "images");
            Files.write(images.resolve(name + ".png"), tab.picture(WIDE, PICTURE_HEIGHT));
        }
    }

    /// A flame graph is drawn of a recording.
    private static void profile(Chromium.Tab tab) throws Exception {
        String _ = tab.evaluate("location.hash = 'jvm'");
        tab.await("document.querySelector('#threads')");
        String _ = tab.evaluate("document.querySelector('#threads').click()");
        tab.await("document.querySelector('pre').textContent.includes('    at ')");
        String _ = tab.evaluate("document.querySelector('#profile').click()");
        tab.await("document.querySelector('.flame').parentElement.innerText.includes('samples.')");
        assertEquals("", tab.evaluate(NAMELESS));
    }
}
