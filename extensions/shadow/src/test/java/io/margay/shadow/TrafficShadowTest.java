package io.margay.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.mirror.Shadow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/// What becomes of differences over many requests: what differs by itself is not told, what is rare
/// is found, sessions stay apart, and everything is bounded.
final class TrafficShadowTest {
    /// A server whose pages have a number of their own, a token, a date, and a session.
    private static BiFunction<String, String, Answers> lively(int seed) {
        Random random = new Random(seed);
        return (path, cookies) -> {
            String session = "JSESSIONID=";
            Answers answer =
                    Answers.html(
                                    """
                                    <p id="path">%s</p><p id="now">%d</p>
                                    <form><input type=hidden name=csrf value=%x></form>
                                    <p id="user">%s</p>
                                    """
                                            .formatted(
                                                    path,
                                                    random.nextInt(),
                                                    random.nextLong(),
                                                    cookies.contains(session) ? "known" : "new"))
                            .withField("X-Served: " + random.nextLong())
                            .withField("X-Side: " + (random.nextInt(10) == 0 ? "b" : "a"));
            return cookies.contains(session)
                    ? answer
                    : answer.withField("Set-Cookie: " + session + random.nextLong() + "; Path=/");
        };
    }

    @Test
    void equalServers_thatAreNeverTheSameTwice_showNoDifference() {
        TwoServers two = new TwoServers(5, lively(1), lively(2));
        for (int i = 0; i < 2_000; i++) {
            Answers first = two.get("/page/" + i % 7, "");
            String cookie = first.seen().fields().get("Set-Cookie");
            two.get("/list?page=" + i, cookie.substring(0, cookie.indexOf(';')));
        }
        assertEquals(List.of(), two.causes());
        assertEquals(4_000, two.results().compared());
        assertEquals("4,000 requests compared: no difference", two.results().verdict());
        assertTrue(two.results().asides().places() > 0);
        assertTrue(two.results().asides().repeated() < 600, two.results()::toString);
    }

    @Test
    void faultInAThousand_isFound() {
        AtomicInteger count = new AtomicInteger();
        TwoServers two =
                new TwoServers(
                        1,
                        (_, _) -> Answers.html("a"),
                        (_, _) ->
                                count.incrementAndGet() % 1_000 == 0
                                        ? Answers.html("a").withStatus(500)
                                        : Answers.html("a"));
        for (int i = 0; i < 3_000; i++) {
            two.get("/user/" + i, "");
        }
        assertEquals(List.of("3 GET /user/{} status: 200 → 500"), two.causes());
        assertEquals(3, two.results().differing());
        assertEquals(3, two.results().groups().getFirst().confirmed());
        assertEquals(3, two.results().sides().fresh().failed());
    }

    @Test
    void pagesOfErrors_areOneReason_whicheverPathHasThem() {
        String theirs = "<h1>HTTP Status 404</h1><hr><p>%s</p><h3>Tomcat</h3>";
        TwoServers two =
                new TwoServers(
                        1,
                        (path, _) -> Answers.html(theirs.formatted(path)).withStatus(404),
                        (_, _) -> Answers.html("<h1>404 Not Found</h1>").withStatus(404));
        for (String path : List.of("/a", "/b/c", "/d.css")) {
            two.get(path, "");
        }
        assertEquals(List.of("3 GET (with status 404) content: page of the error"), two.causes());
        assertEquals("404 Not Found", two.results().groups().getFirst().example().fresh());
    }

    /// A clock on one of them hides no other.
    @Test
    void pageOfAnError_thatDiffersByItself_isLearnedAlone() {
        AtomicInteger clock = new AtomicInteger();
        String page = "<h1>404</h1><p>%s</p>";
        TwoServers two =
                new TwoServers(
                        0,
                        (_, _) -> Answers.html(page.formatted(clock.get())).withStatus(404),
                        (path, _) ->
                                Answers.html(
                                                path.equals("/clock")
                                                        ? page.formatted(clock.get() + 3)
                                                        : "<h1>404</h1><p>0</p><hr>")
                                        .withStatus(404),
                        clock::incrementAndGet);
        for (int i = 0; i < 10; i++) {
            two.get("/clock", "");
        }
        assertEquals(List.of(), two.causes());
        assertEquals(2, clock.getAndSet(0));
        two.get("/b", "");
        assertEquals(List.of("1 GET (with status 404) content: page of the error"), two.causes());
    }

    /// The clocks of two machines are never the same, and the old server says the same twice.
    @Test
    void clock_isLearned_beforeItIsReported() {
        AtomicInteger seconds = new AtomicInteger();
        TwoServers two =
                new TwoServers(
                        0,
                        (path, _) -> Answers.html("<i>" + seconds + "</i><b>" + path),
                        (path, _) ->
                                Answers.html(
                                        "<i>"
                                                + (seconds.get() + 3)
                                                + "</i><b>"
                                                + path.replace("c", "C")),
                        seconds::incrementAndGet);
        two.get("/a", "");
        assertEquals(List.of(), two.causes());
        for (int i = 0; i < 10; i++) {
            two.get("/a", "");
            two.get("/c", "");
        }
        assertEquals(List.of("10 GET /c content: html > body > b > (text)"), two.causes());
    }

    @Test
    void cause_thatIsBelieved_isAskedAboutNowAndThen() {
        Random random = new Random(1);
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger asked = new AtomicInteger();
        TwoServers two =
                new TwoServers(
                        0,
                        (_, _) -> {
                            asked.incrementAndGet();
                            return Answers.html(calls.get() <= 10 ? "a" : "" + random.nextInt());
                        },
                        (_, _) -> Answers.html("b"));
        for (int i = 0; i < 200; i++) {
            calls.incrementAndGet();
            two.get("/", "");
            if (i == 9) {
                assertEquals(1, two.causes().size());
                assertEquals(16, asked.get());
            }
        }
        assertEquals(List.of(), two.causes());
        assertTrue(asked.get() < 240, asked::toString);
    }

    @Test
    void errorsOfTheOldServer_areNotTheNewOnes() {
        Random random = new Random(3);
        TwoServers two =
                new TwoServers(
                        5,
                        (_, _) ->
                                random.nextInt(4) == 0
                                        ? Answers.html("a").withStatus(503)
                                        : Answers.html("a"),
                        (_, _) -> Answers.html("b"));
        for (int i = 0; i < 500; i++) {
            two.get("/", "");
        }
        List<String> causes =
                two.causes().stream().map(one -> one.substring(one.indexOf(' ') + 1)).toList();
        assertTrue(causes.contains("GET / content: html > body > (text)"), causes::toString);
    }

    /// As at the end of the server between.
    @Test
    void answerThatDoesNotCome_whenNoneComes_isNoDifference() {
        AtomicInteger asked = new AtomicInteger();
        Answers page = Answers.html("a");
        TwoServers two =
                new TwoServers(
                        0,
                        (_, _) -> asked.incrementAndGet() % 2 == 1 ? page : page.withStatus(0),
                        (path, _) -> path.equals("/cut") ? page.brokenOff() : page.withStatus(0));
        two.get("/", "");
        two.get("/cut", "");
        assertEquals(List.of(), two.causes());
        TwoServers dead = new TwoServers(0, (_, _) -> page, (_, _) -> page.withStatus(0));
        dead.get("/", "");
        assertEquals(List.of("1 GET / no answer"), dead.causes());
    }

    @Test
    void slowServer_isSaidToBeSlow_andNoDifference() {
        TwoServers two =
                new TwoServers(
                        0,
                        (_, _) -> Answers.html("a").taking(Duration.ofMillis(5)),
                        (_, _) -> Answers.html("a").taking(Duration.ofMillis(25)));
        for (int i = 0; i < 200; i++) {
            two.get("/", "");
        }
        assertTrue(two.results().isSlower());
        assertFalse(two.results().differs());
        assertEquals(25, two.results().sides().fresh().p50(), 3);
        assertTrue(two.shadow.text().contains("more than 10 ms later"), two.shadow.text());
    }

    // Sessions

    @Test
    void sessions_areKeptApart_andMapped() {
        List<String> sent = new ArrayList<>();
        TwoServers two =
                new TwoServers(
                        0,
                        (path, _) ->
                                path.equals("/login")
                                        ? Answers.html("a").withField("Set-Cookie: SID=old1")
                                        : Answers.html("a"),
                        (path, cookies) -> {
                            sent.add(cookies);
                            return path.equals("/login")
                                    ? Answers.html("a").withField("Set-Cookie: SID=new1")
                                    : Answers.html("a");
                        });
        two.get("/login", "theme=dark");
        two.get("/", "theme=dark; SID=old1");
        two.get("/", "SID=stranger");
        assertEquals(List.of("theme=dark", "theme=dark; SID=new1"), sent);
        assertEquals(Map.of(Reason.SESSION, 1L), two.results().leftOut());
        two.post("SID=old1", Answers.html("a"));
        two.get("/", "SID=old1");
        assertEquals(1L, two.results().leftOut().get(Reason.PARTED));
        two.post("", Answers.html("a").withField("Set-Cookie: other=1"));
        two.get("/", "other=1");
        assertEquals(2L, two.results().leftOut().get(Reason.PARTED));
        assertEquals(2, sent.size());
    }

    /// A page that shows them is the same, and shows none of them in a report.
    @Test
    void idsOfSessions_andOfObjects_inAPage_areNotCompared() {
        AtomicInteger count = new AtomicInteger();
        BiFunction<String, String, Answers> shows =
                (_, cookies) ->
                        Answers.html("<p>You are " + cookies + " <i>shop.Cart@" + object(count));
        TwoServers two =
                new TwoServers(
                        0,
                        (path, cookies) ->
                                shows.apply(path, cookies)
                                        .withField("Set-Cookie: SID=of-the-old-server"),
                        (path, cookies) ->
                                shows.apply(path, cookies)
                                        .withField("Set-Cookie: SID=of-the-new-server"));
        two.get("/", "");
        two.get("/", "SID=of-the-old-server");
        assertEquals(List.of(), two.causes());
        assertEquals(2, two.results().compared());
        TwoServers other =
                new TwoServers(
                        0,
                        (_, cookies) -> Answers.html("<p>You are " + cookies),
                        (_, cookies) -> Answers.html("<p>You were " + cookies));
        other.get("/", "lang=de");
        assertEquals(1, other.results().groups().size());
    }

    private static String object(AtomicInteger count) {
        return Integer.toHexString(0x1a2b3c4 + count.incrementAndGet());
    }

    @Test
    void requestsThatNeedWhatTheNewServerHasNot_areLeftOut() {
        List<String> asked = new ArrayList<>();
        TwoServers two =
                new TwoServers(
                        0,
                        (_, _) -> Answers.html("a"),
                        (path, _) -> {
                            asked.add(path);
                            return path.equals("/kept")
                                    ? Answers.of(304, "", "")
                                    : Answers.html("a");
                        });
        two.get("/", "", "Basic c2VjcmV0");
        two.get("/a;jsessionid=12", "");
        two.get("/kept", "");
        assertEquals(List.of("/kept"), asked);
        assertEquals(
                Map.of(Reason.CREDENTIALS, 1L, Reason.SESSION_IN_PATH, 1L, Reason.VALIDATORS, 1L),
                two.results().leftOut());
        assertEquals("nothing was compared", two.results().verdict());
    }

    // Bounds and reports

    @Test
    void groupsAndPatterns_areBounded() {
        AtomicInteger count = new AtomicInteger();
        TwoServers two =
                new TwoServers(
                        0,
                        (_, _) -> Answers.html("a"),
                        (_, _) -> Answers.html("a").withField("X-" + count.get() + ": 1"));
        for (int i = 0; i < 1_000; i++) {
            count.set(i);
            two.get("/" + (char) ('a' + i % 26) + (char) ('a' + i / 26 % 26) + "x", "");
        }
        assertEquals(200, two.results().groups().size());
        assertEquals(800, two.results().asides().beyond());
        assertEquals(1_000, two.results().differing());
        assertTrue(two.shadow.text().lines().count() < 130);
    }

    @Test
    void report_isOnePageThatLoadsAndRunsNothing() {
        TwoServers two =
                new TwoServers(
                        0,
                        (_, _) -> Answers.html("<p title='\"><script>alert(1)</script>'>a"),
                        (_, _) -> Answers.html("<p title='<img src=x onerror=alert(2)>'>a"));
        two.get("/search?q=private", "");
        String page =
                two.shadow.page(
                        "Old & new", List.of(new Shadow.Chapter("Steps", List.of("5 % <b>"))));
        assertTrue(page.contains("<h2>Steps</h2>\n<ul><li>5 % &lt;b&gt;</li>"), page);
        assertTrue(page.contains("<title>Old &amp; new</title>"), page);
        assertTrue(page.contains("default-src 'none'; style-src 'sha256-"), page);
        assertTrue(page.contains("/search?q=…"), page);
        for (String never : List.of("<script", "<img", "http://", "https://", "private")) {
            assertFalse(page.contains(never), never);
        }
        String text = two.shadow.text();
        assertTrue(text.startsWith("1 request compared: 1 with differences, for 1 reason\n"), text);
        assertTrue(text.contains("1 × GET /search  content: html > body > p @title"), text);
    }

    @Test
    void patterns_putTogetherWhatDiffersInAnId() {
        for (String path :
                List.of(
                        "/user/17/edit",
                        "/user/0f8fad5b-d9cb-469f-a165-70867728950e/edit",
                        "/user/00112233445566778899aabb/edit",
                        "/user/order-2026001/edit;jsessionid=A")) {
            assertEquals("/user/{}/edit", PathPattern.of(path));
        }
        assertEquals("/img/{}.png", PathPattern.of("/img/123.png"));
        assertEquals("/v2/list", PathPattern.of("/v2/list"));
        assertTrue(PathPattern.of("/a".repeat(1_000)).length() < 150);
    }
}
