package io.margay.gateway.rules.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleLimits;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RuleTreeTest {
    private static final long SEED = 43;
    private static final int LISTS = 150;
    private static final int PATHS = 20;
    private static final List<String> SEGMENTS = List.of("a", "ab", "abc", "b", "ba", "-", "a.b");

    private static RuleRequest get(String path) {
        return new RuleRequest(
                "GET",
                CanonicalPath.of(path).path(),
                path,
                null,
                "http",
                "shop.example",
                "127.0.0.1",
                80,
                Fields.EMPTY);
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            path.append('/').append(SEGMENTS.get(random.nextInt(SEGMENTS.size())));
        }
        return random.nextInt(4) == 0 ? path.append('/').toString() : path.toString();
    }

    private static PathMatch match(Random random) {
        String path = path(random);
        String plain = path.replace(".", "");
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> new PathMatch.Prefix(path);
            case 3 -> new PathMatch.Glob(path);
            case 4 -> new PathMatch.Glob(path + (random.nextBoolean() ? "*" : "?*"));
            case 5 -> {
                List<String> ends = List.of("", "*", "+", "?", "{2}", "$", "(/.*)?$", "|b");
                String end = ends.get(random.nextInt(ends.size()));
                yield new PathMatch.Regex("^" + plain + end, random.nextInt(4) == 0, false);
            }
            case 6 -> new PathMatch.Regex("^" + plain, false, random.nextInt(3) == 0);
            default -> new PathMatch.Regex("^(?:" + plain + "|/b)", false, false);
        };
    }

    private static RuleAction action(Random random, int number) {
        String target = path(random);
        return switch (random.nextInt(8)) {
            case 0 ->
                    new RuleAction.Rewrite(target, RuleAction.Query.KEEP, random.nextInt(3), false);
            case 1 -> new RuleAction.Skip(random.nextInt(5));
            case 2 -> new RuleAction.Leave();
            case 3 -> new RuleAction.Settle();
            case 4 -> new RuleAction.Refuse(400 + number);
            default ->
                    new RuleAction.Forward(
                            "u" + number,
                            target,
                            false,
                            RuleAction.Query.KEEP,
                            ProxyRules.defaults());
        };
    }

    @Test
    void outcome_anyRules_isThatOfAskingEach() {
        Random random = new Random(SEED);
        int decided = 0;
        for (int list = 0; list < LISTS; list++) {
            List<GatewayRule> rules = new ArrayList<>();
            for (int i = 16 + random.nextInt(24); i > 0; i--) {
                List<String> except =
                        random.nextInt(6) == 0 ? List.of(path(random) + "*") : List.of();
                List<Condition> when =
                        random.nextInt(2) == 0
                                ? List.of(Condition.of("%{REQUEST_URI}", "b"))
                                : List.of();
                rules.add(new GatewayRule(match(random), except, when, action(random, i)));
            }
            RuleLimits limits = RuleLimits.defaults();
            RuleSet byTree = RuleSet.of(rules, HostChanges.NONE, limits, false);
            RuleSet each = RuleSet.of(rules, HostChanges.NONE, limits, true);
            for (int i = 0; i < PATHS; i++) {
                String path = path(random);
                RuleSet.Outcome wanted = each.outcome(get(path));
                RuleSet.Outcome found = byTree.outcome(get(path));
                String which = "seed " + SEED + ", list " + list + ", " + path + ", " + rules;
                assertEquals(wanted.decision(), found.decision(), which);
                assertEquals(wanted.isEarly(), found.isEarly(), which);
                assertEquals(wanted.request().path(), found.request().path(), which);
                decided += wanted.decision().equals(RuleDecision.ROUTES) ? 0 : 1;
            }
        }
        assertTrue(decided > LISTS * PATHS / 4, "most are left to the routes: " + decided);
    }

    /// Each asked rule is one that may take the path: of thousands, those that the path begins
    /// with.
    @Test
    void next_ofManyPrefixes_isTheFewThatThePathBeginsWith() {
        List<PathMatch> matches = new ArrayList<>();
        IntStream.range(0, 5_000).forEach(i -> matches.add(new PathMatch.Prefix("/app" + i)));
        matches.add(new PathMatch.Prefix("/"));
        RuleTree tree = Objects.requireNonNull(RuleTree.of(matches));
        assertEquals(List.of(4, 49, 499, 4999, 5000), candidates(tree, "/app4999/x"));
        assertEquals(List.of(5000), candidates(tree, "/other"));
        assertEquals(List.of(), candidates(tree, "*"));
    }

    private static List<Integer> candidates(RuleTree tree, String path) {
        List<Integer> found = new ArrayList<>();
        int longest = tree.find(path);
        for (int at = tree.next(0, longest);
                at != Integer.MAX_VALUE;
                at = tree.next(at + 1, longest)) {
            found.add(at);
        }
        return found;
    }
}
