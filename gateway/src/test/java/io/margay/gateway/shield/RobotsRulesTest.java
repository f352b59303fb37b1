package io.margay.gateway.shield;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rules of robots.txt, as RFC 9309 has them.
final class RobotsRulesTest {
    private static final String FILE =
            """
            # who may what
            User-Agent: GPTBot
            user-agent: CCBot/2.0   # two names, one group
            Disallow: /
            Allow: /open/

            User-agent: ExampleBot
            Disallow: /private/
            Disallow: /*.pdf$
            Disallow: /search?*q=
            Disallow: /caf%C3%A9
            Allow: /private/news
            Crawl-delay: 10

            User-agent: ExampleBot-News
            Disallow: /news

            User-agent: *
            Disallow: /search
            Disallow:
            Sitemap: https://shop.example/sitemap.xml

            User-agent: ExampleBot
            Disallow: /late
            """;

    private static boolean forbids(String agent, String target, boolean isTold) {
        return RobotsRules.of(FILE).forbids(agent, target, isTold);
    }

    @ParameterizedTest
    @CsvSource({
        "'Mozilla/5.0 (compatible; GPTBot/1.2)', /x, true",
        "'Mozilla/5.0 (compatible; gptbot/1.2)', /open/x, false",
        "CCBot, /x, true",
        "ExampleBot/1, /private/x, true",
        "ExampleBot/1, /private/news/1, false",
        "ExampleBot/1, /a/b.pdf, true",
        "ExampleBot/1, /a/b.pdf.html, false",
        "ExampleBot/1, /a/b.pdf?c, false",
        "ExampleBot/1, /search?a&q=x, true",
        "ExampleBot/1, /search?a, false",
        "ExampleBot/1, /café/x, true",
        "ExampleBot/1, /news, false",
        "ExampleBot/1, /late/x, true",
        "ExampleBot-News/1, /news, true",
        "ExampleBot-News/1, /private/x, false",
        "AnExampleBot/1, /private/x, false",
        "ExampleBots/1, /private/x, false",
    })
    void groupsWithTheNameOfAClient_areMeantForIt(String agent, String target, boolean forbidden) {
        assertEquals(forbidden, forbids(agent, target, false));
        assertEquals(forbidden, forbids(agent, target, true));
    }

    /// An encoded asterisk, or dollar sign, stands for itself (RFC 9309 §2.2.3).
    @ParameterizedTest
    @CsvSource({
        "/a%2Ab, /a*b, true",
        "/a%2ab, /a*b/c, true",
        "/a%2Ab, /a-b, false",
        "/a%2A*c, /a*bc, true",
        "/a%2A*c, /abc, false",
        "/a%24, /a$, true",
        "/a%24, /a$b, true",
        "/a%24$, /a$b, false",
        "/a%24, /a, false",
        "/a?b=%2A, /a?b=*, true",
        "/a?b=%2A, /a?b=%2a, true",
        "/a?b=%2A, /a?b=c, false",
        "/a*b%2Fc, /aXb/c, true",
    })
    void encodedAsterisk_isALiteral(String rule, String target, boolean forbidden) {
        RobotsRules rules = RobotsRules.of("User-agent: a\nDisallow: " + rule);
        assertEquals(forbidden, rules.forbids("a", target, false));
    }

    @Test
    void groupOfAll_isMeantForThoseThatHaveFetchedTheFile() {
        assertTrue(forbids("OtherBot/1", "/search/x", true));
        assertFalse(forbids("OtherBot/1", "/search/x", false));
        assertFalse(forbids("OtherBot/1", "/", true));
        assertTrue(RobotsRules.of(FILE).forbids(null, "/search", true));
    }

    @Test
    void textsThatAreNoRules_areSkipped() {
        String text = "<html>\nDisallow: /\nUser-agent\nUser-agent: a\nDisallow /\n: x\n";
        assertFalse(RobotsRules.of(text).forbids("a", "/", true));
        assertFalse(RobotsRules.of("").forbids("a", "/", true));
        RobotsRules nobody = RobotsRules.of("User-agent: # nobody\nDisallow: /\n");
        assertFalse(nobody.forbids("a", "/", false));
        assertFalse(nobody.forbids(null, "/", true));
        RobotsRules all = RobotsRules.of("User-agent: *\nDisallow: /\n");
        assertFalse(all.forbids("a (*)", "/", false), "it has not fetched the file");
    }

    @Test
    void wordsOfBrowsers_nameNoCrawler() {
        String text = "User-agent: Mozilla/4.0 (compatible; MSIE 4.0)\nDisallow: /\n";
        assertFalse(RobotsRules.of(text).forbids("Mozilla/5.0 (X11) Firefox/140.0", "/", true));
    }

    @Test
    void rulesBeyondTheirNumber_areNotTaken() {
        String all = "User-agent: a\n" + "Disallow: /x\n".repeat(RobotsRules.RULES_MAX);
        assertTrue(RobotsRules.of(all).forbids("a", "/x", false));
        assertThrows(IllegalArgumentException.class, () -> RobotsRules.of(all + "Disallow: /y"));
    }

    @Test
    void fileWithAByteOrderMark_hasItsFirstGroup() {
        assertTrue(RobotsRules.of("\uFEFF" + FILE).forbids("GPTBot", "/x", false));
    }

    @Test
    void namesBeyondTheirNumber_areNotTaken() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < RobotsRules.NAMES_MAX; i++) {
            all.append("User-agent: a").append(i).append('\n');
        }
        String most = all.toString();
        assertTrue(RobotsRules.of(most + "Disallow: /").forbids("a0", "/", false));
        assertThrows(
                IllegalArgumentException.class, () -> RobotsRules.of(most + "User-agent: b\n"));
    }

    /// A path of a client cannot make a rule with many asterisks slow.
    @Test
    void asterisks_areNoWorkForLongPaths() {
        RobotsRules rules = RobotsRules.of("User-agent: a\nDisallow: /" + "*a".repeat(200) + "*b$");
        String path = "/" + "a".repeat(8_000) + "c";
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> {
                    for (int i = 0; i < 1_000; i++) {
                        assertFalse(rules.forbids("a", path, false));
                    }
                });
    }
}
