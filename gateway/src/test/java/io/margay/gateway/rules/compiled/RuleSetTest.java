package io.margay.gateway.rules.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.TlsAttribute;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.regex.BoundedRegex;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RuleSetTest {
    private static RuleSet rules(GatewayRule... rules) {
        return RuleSet.of(List.of(rules), RuleLimits.defaults());
    }

    private static RuleAction to(String upstream, String target) {
        return new RuleAction.Forward(
                upstream, target, false, RuleAction.Query.KEEP, ProxyRules.defaults());
    }

    private static RuleRequest get(String target) {
        int mark = target.indexOf('?');
        String raw = mark < 0 ? target : target.substring(0, mark);
        CanonicalPath path = CanonicalPath.of(raw);
        return new RuleRequest(
                "GET",
                path.path(),
                raw,
                mark < 0 ? null : target.substring(mark + 1),
                "http",
                "shop.example",
                "127.0.0.1",
                80,
                Fields.EMPTY);
    }

    private static String target(RuleSet rules, String request) {
        return assertInstanceOf(RuleDecision.Forward.class, rules.decide(get(request))).target();
    }

    private static GatewayRule setting(String regex, String name, String value) {
        return GatewayRule.of(new PathMatch.Regex(regex, false, false), new RuleAction.Skip(0))
                .withSets(List.of(new GatewayRule.Assignment(name, value)));
    }

    @Test
    void variables_thatRulesSet_areKnownToLaterRulesAndAfterwards() {
        RuleSet rules =
                rules(
                        setting("^/(.)", "first", "$1"),
                        setting("^/b", "first", "c%{ENV:first}"),
                        new GatewayRule(
                                PathMatch.ANY,
                                List.of(),
                                List.of(Condition.of("%{ENV:first}", "^cb$")),
                                new RuleAction.Refuse(418)));
        RuleSet.Outcome other = rules.outcome(get("/a"));
        assertEquals(RuleDecision.ROUTES, other.decision());
        assertEquals(Map.of("first", "a"), other.set());
        assertEquals("a", other.request().variables().get("first"));
        assertEquals(new RuleDecision.Refuse(418), rules.decide(get("/b")));
        assertTrue(rules.setsVariables());
    }

    @Test
    void pathThatARequestBeganWith_isKnownBehindARewriting_andNewWhereItIsBegunAnew() {
        RuleSet rules =
                rules(
                        GatewayRule.of(
                                new PathMatch.Prefix("/a"),
                                new RuleAction.Rewrite("/b", RuleAction.Query.KEEP, 0)),
                        new GatewayRule(
                                new PathMatch.Prefix("/b"),
                                List.of(),
                                List.of(Condition.of("%{BEGUN_URI}", "^/b")),
                                new RuleAction.Refuse(418)));
        assertEquals(RuleDecision.ROUTES, rules.decide(get("/a/x")));
        assertEquals(new RuleDecision.Refuse(418), rules.decide(get("/b/x")));
        RuleRequest page = get("/a/x").forError("/b/x", 404, Map.of());
        assertEquals(new RuleDecision.Refuse(418), rules.decide(page));
        assertEquals(new RuleDecision.Refuse(418), rules.decide(get("/c").again("/b/x", Map.of())));
    }

    @Test
    void text_thatARuleSays_hasStatusTypeAndVariables() {
        RuleSet rules =
                rules(
                        GatewayRule.of(
                                PathMatch.ANY,
                                new RuleAction.Say(
                                        203,
                                        "text/x",
                                        "%{REQUEST_TARGET} %{PARAMETER:b} %{SERVER_NAME}\n")));
        RuleDecision.Answer said =
                assertInstanceOf(RuleDecision.Answer.class, rules.decide(get("/a%20b?a=1&b=2")));
        assertEquals(203, said.answer().status());
        assertEquals("text/x", said.answer().fields().get("Content-Type"));
        assertEquals(
                "/a%20b?a=1&b=2 2 shop.example\n",
                new String(said.answer().content(), java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void rule_thatIsGuarded_isSaidToBe() {
        GatewayRule rule = GatewayRule.of(PathMatch.ANY, new RuleAction.Refuse(404));
        assertFalse(rules(rule).outcome(get("/")).isGuarded());
        assertTrue(rules(rule.withGuarded(true)).outcome(get("/")).isGuarded());
    }

    /// A captured part of a decoded path, put into a target, must not end the request line, begin a
    /// query or a fragment.
    @ParameterizedTest
    @CsvSource({
        "/here/a%20HTTP%2F, a%20HTTP%2F",
        "'/here/x%20HTTP/1.1', 'x%20HTTP/1.1'",
        "/here/a%3Fb=c, a%3Fb=c",
        "/here/a%23b, a%23b",
        "/here/a%25%30%61b, a%250ab",
        "/here/%3Bx, %3Bx",
        "/here/%C3%BC, %C3%BC",
    })
    void cve202325690_backReferenceWithEncodedDelimiters_isEncodedAgain(
            String request, String expected) {
        RuleSet rules =
                rules(
                        GatewayRule.of(
                                new PathMatch.Regex("^/here/(.*)$", false, false),
                                to("a", "/there/$1")));
        if (request.contains("%2F")) {
            assertTrue(CanonicalPath.of(request).error() != null, "refused before");
            return;
        }
        assertEquals("/there/" + expected, target(rules, request));
    }

    @Test
    void cve202325690_backReferenceIntoTheQuery_cannotSplitTheRequest() {
        RuleSet rules =
                rules(
                        GatewayRule.of(
                                new PathMatch.Regex("^/here/(.*)$", false, false),
                                to("a", "/page?name=$1")));
        assertEquals(
                "/page?name=x%20HTTP/1.1%23%25&y", target(rules, "/here/x%20HTTP/1.1%23%25&y"));
        assertTrue(CanonicalPath.of("/here/x%0d%0aGET%20/").error() != null, "refused before");
    }

    @Test
    void cve202325690_backReferenceOfACondition_cannotSplitTheRequest() {
        RuleSet rules =
                rules(
                        new GatewayRule(
                                PathMatch.ANY,
                                List.of(),
                                List.of(Condition.of("%{REQUEST_URI}", "^/u/(.*)$")),
                                to("a", "/v/%1")));
        assertEquals("/v/a%20b%3Fc", target(rules, "/u/a%20b%3Fc"));
    }

    /// Else a client could say itself what TLS knows of it: such fields are dropped by their rule.
    @Test
    void attributesOfTheRequest_inARuleThatTellsOfTls_leaveItsFields() {
        ProxyRules telling =
                ProxyRules.defaults()
                        .withAttributes(Map.of("asked", "%{REQUEST_URI}"))
                        .withTlsFields(Map.of("X-Client-Cert", TlsAttribute.PEM));
        RuleSet rules =
                rules(
                        GatewayRule.of(
                                PathMatch.ANY,
                                new RuleAction.Forward(
                                        "a", "/there", false, RuleAction.Query.KEEP, telling)));
        RuleDecision.Forward decided =
                assertInstanceOf(RuleDecision.Forward.class, rules.decide(get("/here")));
        assertEquals(Map.of("asked", "/here"), decided.rule().rules().attributes());
        assertEquals(telling.tlsFields(), decided.rule().rules().tlsFields());
    }

    /// mod_jk matched `/jkstatus;x` otherwise than the container behind it read it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/private/x",
                "/private;/x",
                "/private;a=b/x",
                "/./private/x",
                "//private/x",
                "/open/../private/x",
                "/%70rivate/x",
                "/private/x;y",
                "/private/./x",
            })
    void cve201811759_everySpellingOfAnExcludedPath_isExcluded(String request) {
        RuleSet rules =
                rules(
                        new GatewayRule(
                                new PathMatch.Glob("/*"),
                                List.of("/private/*"),
                                List.of(),
                                to("a", null)));
        assertEquals(RuleDecision.ROUTES, rules.decide(get(request)));
    }

    @Test
    void cve201811759_pathSentOn_isTheOneThatWasMatched() {
        RuleSet rules = rules(GatewayRule.of(new PathMatch.Prefix("/app"), to("a", "/app")));
        assertEquals("/app/x", target(rules, "/app/./y/../x"));
        assertEquals("/app;a=b/x;c", target(rules, "/app;a=b/x;c"));
        assertEquals("/app/y;k=v", target(rules, "/app/x;gone/../y;k=v"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"^/(a+)+$", "^(/|/a|a|aa)*b$", "(x+x+)+y"})
    void regex_thatBacktracksWithoutEnd_isStopped(String regex) {
        RuleSet rules =
                rules(GatewayRule.of(new PathMatch.Regex(regex, false, false), to("a", "/")));
        String path = "/" + "a".repeat(3000) + "x".repeat(3000) + "!";
        long begin = System.nanoTime();
        assertEquals(new RuleDecision.Refuse(500), rules.decide(get(path)));
        assertTrue(System.nanoTime() - begin < Duration.ofSeconds(30).toNanos());
    }

    @Test
    void regex_overALongPath_staysWithinItsBound() {
        RuleSet rules =
                rules(
                        GatewayRule.of(
                                new PathMatch.Regex("^/(.*)/(.*)\\.(jsp|do)$", false, false),
                                to("a", "/$2.$3")));
        String long8k = "/" + "abc/".repeat(2000) + "page.jsp";
        assertEquals("/page.jsp", target(rules, long8k));
    }

    @ParameterizedTest
    @CsvSource({
        "[[:alpha:]]+, abc, true",
        "^[^[:space:]/]+$, abc, true",
        "^[a[]+$, a[, true",
        "^[a&&b]+$, a&b, true",
        "^[]x]+$, ]x, true",
        "^[\\w.-]+$, a-b.c, true",
        "^[^]]$, ], false",
    })
    void perlClass_translated_findsWhatPerlFinds(String regex, String text, boolean found) {
        assertEquals(
                found, BoundedRegex.of(regex, false, RuleLimits.defaults()).find(text) != null);
    }

    @Test
    void regex_malformed_isRefused() {
        GatewayRule rule = GatewayRule.of(new PathMatch.Regex("(", false, false), to("a", "/"));
        assertThrows(IllegalArgumentException.class, () -> rules(rule));
    }

    @ParameterizedTest
    @CsvSource({
        "/a/*, /a/b/c, true",
        "/a/*, /a/, true",
        "/a/*, /a, false",
        "/a/?, /a/b, true",
        "/a/?, /a/bc, false",
        "/*.jsp, /x/y.jsp, true",
        "/*.jsp, /x.jspx, false",
        "*, /, true",
        "/a*b*c, /aXbYbZc, true",
        "/a*b*c, /aXbYbZ, false",
    })
    void glob_matchesAsModJk(String pattern, String path, boolean matches) {
        assertEquals(matches, Glob.matches(pattern, path));
    }

    @Test
    void glob_withManyStars_isQuick() {
        assertFalse(Glob.matches("/" + "a*".repeat(50) + "b", "/" + "a".repeat(5000)));
    }

    @Test
    void rewrites_thatRunRound_areStopped() {
        GatewayRule[] many = new GatewayRule[40];
        java.util.Arrays.fill(
                many,
                GatewayRule.of(
                        PathMatch.ANY,
                        new RuleAction.Rewrite("/x%{REQUEST_URI}", RuleAction.Query.KEEP, 0)));
        assertEquals(new RuleDecision.Refuse(500), rules(many).decide(get("/")));
    }

    @Test
    void conditions_joinedByOr_holdWhenOneDoes() {
        GatewayRule rule =
                new GatewayRule(
                        PathMatch.ANY,
                        List.of(),
                        List.of(
                                new Condition("%{HTTP_HOST}", "^a", false, false, true),
                                new Condition("%{HTTP_HOST}", "^SHOP", true, false, false),
                                new Condition("%{REQUEST_METHOD}", "^POST$", false, true, false)),
                        to("a", null));
        assertEquals("/x?y", target(rules(rule), "/x?y"));
        GatewayRule never =
                new GatewayRule(
                        PathMatch.ANY,
                        List.of(),
                        List.of(
                                new Condition("%{HTTP_HOST}", "^shop", false, false, false),
                                new Condition("%{HTTPS}", "on", false, false, false)),
                        to("a", null));
        assertEquals(RuleDecision.ROUTES, rules(never).decide(get("/x")));
    }

    @Test
    void target_raw_keepsTheClientsSpelling() {
        RuleSet rules =
                rules(
                        GatewayRule.of(
                                new PathMatch.Prefix("/app/"),
                                new RuleAction.Forward(
                                        "a",
                                        "/other/",
                                        true,
                                        RuleAction.Query.KEEP,
                                        ProxyRules.defaults())));
        assertEquals("/other/a%2Db", target(rules, "/app/a%2Db"));
        assertEquals("/other/a-b", target(rules, "/%61pp/a%2Db"));
    }

    @Test
    void target_raw_doesNotLeaveItsPrefixAtThePeer() {
        RuleSet rules =
                rules(
                        GatewayRule.of(
                                new PathMatch.Prefix("/app/"),
                                new RuleAction.Forward(
                                        "a",
                                        "/other/",
                                        true,
                                        RuleAction.Query.KEEP,
                                        ProxyRules.defaults())));
        for (String path :
                List.of(
                        "/app/y/../../app/z",
                        "/app/y/..;a=b/../app/z",
                        "/app/y/.%2E/%2e%2e/app/z")) {
            CanonicalPath canonical = CanonicalPath.of(path);
            if (canonical.error() == null) {
                String target = target(rules, path);
                assertTrue(target.startsWith("/other/z"), path + " -> " + target);
            }
        }
        assertEquals("/other/z", target(rules, "/app/y/../../app/z"));
        assertEquals("/other/./z", target(rules, "/app/./z"));
        assertEquals("/other/..a/z..", target(rules, "/app/..a/z.."));
    }
}
