package io.margay.gateway.rules.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.FieldRule.Change;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.VariableRule;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldRulesTest {
    private static final RuleScope SCOPE = new RuleScope(RuleLimits.defaults(), Map.of());

    private static FieldRule rule(Change change, String name, String value, String regex) {
        return new FieldRule(PathMatch.ANY, List.of(), change, name, value, regex, false);
    }

    private static RuleRequest get(String target) {
        return new RuleRequest(
                "GET",
                CanonicalPath.of(target).path(),
                target,
                null,
                "http",
                "shop.example",
                "127.0.0.1",
                80,
                new Fields.Builder().add("X-Name", "value").build());
    }

    private static String applied(FieldRule rule, FieldList fields, String target) {
        FieldRules.of(List.of(rule), SCOPE)
                .apply(fields, get(target), false, FieldRules.Origin.HERE);
        return fields.toString();
    }

    @Test
    void change_ofEachKind_isWhatHttpdDoes() {
        FieldList two = new FieldList().add("X", "a").add("x", "b");
        assertEquals("X: v\n", applied(rule(Change.SET, "X", "v", ""), two, "/"));
        two = new FieldList().add("X", "a").add("x", "b");
        assertEquals("X: a, v\nX: b\n", applied(rule(Change.APPEND, "X", "v", ""), two, "/"));
        FieldList list = new FieldList().add("X", "a, b");
        assertEquals("X: a, b\n", applied(rule(Change.MERGE, "X", "b", ""), list, "/"));
        assertEquals("X: a, b, c\n", applied(rule(Change.MERGE, "X", "c", ""), list, "/"));
        assertEquals("X: a, b, c\n", applied(rule(Change.SET_IF_EMPTY, "X", "d", ""), list, "/"));
        assertEquals("X: a, b, c\nX: d\n", applied(rule(Change.ADD, "X", "d", ""), list, "/"));
        assertEquals("", applied(rule(Change.UNSET, "x", "", ""), list, "/"));
        assertEquals("", applied(rule(Change.EDIT, "X", "v", "."), list, "/"));
        list.add("X", "aa");
        assertEquals("X: <a>a\n", applied(rule(Change.EDIT, "X", "<$0>", "a"), list, "/"));
        assertEquals("X: <<a>><a>\n", applied(rule(Change.EDIT_ALL, "X", "<$0>", "a"), list, "/"));
    }

    /// A map may decode line ends: none of them must come into a field.
    @Test
    void value_withALineEndOfTheRequest_staysOneLine() {
        RuleScope scope =
                new RuleScope(
                        RuleLimits.defaults(),
                        Map.of(
                                "decoded",
                                RuleMap.of(
                                        new MapSource.Made(MapSource.Function.UNESCAPE),
                                        RuleLimits.defaults())));
        FieldRule rule = rule(Change.SET, "X", "${decoded:%{HTTP:X-Name}}", "");
        FieldList fields = new FieldList();
        RuleRequest request =
                new RuleRequest(
                        "GET",
                        "/",
                        "/",
                        null,
                        "http",
                        null,
                        "127.0.0.1",
                        80,
                        new Fields.Builder().add("X-Name", "a%0D%0ASet-Cookie:%20b").build());
        FieldRules.of(List.of(rule), scope).apply(fields, request, false, FieldRules.Origin.HERE);
        assertEquals("X: aSet-Cookie: b\n", fields.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length", "transfer-encoding", "Connection", "Upgrade", "TE"})
    void field_thatFrames_isNotChanged(String name) {
        assertThrows(IllegalArgumentException.class, () -> rule(Change.SET, name, "1", ""));
    }

    @Test
    void rule_thatIsNotAlways_leavesOwnAnswersAlone() {
        FieldList fields = new FieldList();
        FieldRules rules = FieldRules.of(List.of(rule(Change.SET, "X", "v", "")), SCOPE);
        rules.apply(fields, get("/"), true, FieldRules.Origin.HERE);
        assertEquals(0, fields.size());
        rules.apply(fields, get("/"), false, FieldRules.Origin.HERE);
        assertEquals(1, fields.size());
    }

    /// The two tables of httpd: what is sent with every status, and the rest.
    @Test
    void ruleApart_seesOnlyItsPartOfTheFields() {
        FieldRule later = rule(Change.SET, "X", "later", "").withApart(true);
        FieldRule always =
                new FieldRule(PathMatch.ANY, List.of(), Change.SET, "X", "always", "", true)
                        .withApart(true);
        FieldRules rules = FieldRules.of(List.of(later, always), SCOPE);
        FieldList ofMember = new FieldList().add("X", "a").add("ETag", "e");
        rules.apply(ofMember, get("/"), false, FieldRules.Origin.MEMBER);
        assertEquals("X: always\nX: later\nETag: e\n", ofMember.toString());
        FieldList ofProgram = new FieldList().add("X", "a").add("ETag", "e");
        rules.apply(ofProgram, get("/"), false, FieldRules.Origin.PROGRAM);
        assertEquals("X: always\nETag: e\nX: later\n", ofProgram.toString());
        FieldRules none =
                FieldRules.of(List.of(rule(Change.UNSET, "X", "", "").withApart(true)), SCOPE);
        FieldList kept = new FieldList().add("X", "a");
        none.apply(kept, get("/"), false, FieldRules.Origin.PROGRAM);
        assertEquals("X: a\n", kept.toString());
        none.apply(kept, get("/"), false, FieldRules.Origin.MEMBER);
        assertEquals("", kept.toString());
        FieldRule untyped =
                new FieldRule(PathMatch.ANY, List.of(), Change.UNSET, "Content-Type", "", "", true);
        FieldRules types = FieldRules.of(List.of(untyped.withApart(true)), SCOPE);
        FieldList typed = new FieldList().add("Content-Type", "a/b");
        types.apply(typed, get("/"), false, FieldRules.Origin.MEMBER);
        assertEquals("Content-Type: a/b\n", typed.toString());
        types.apply(typed, get("/"), false, FieldRules.Origin.HERE);
        assertEquals("", typed.toString());
    }

    @Test
    void path_inAValue_hasItsParameters() {
        assertEquals(
                "X: /a;v=1/b\n",
                applied(rule(Change.SET, "X", "%{REQUEST_URI}", ""), new FieldList(), "/a;v=1/b"));
    }

    @Test
    void variable_withoutAValue_isItsDefault() {
        assertEquals(
                "X: (null) value\n",
                applied(
                        rule(Change.SET, "X", "%{ENV:NONE|(null)} %{HTTP:X-Name|none}", ""),
                        new FieldList(),
                        "/"));
    }

    @Test
    void variables_areSetInOrder_andTakenAway() {
        VariableRules rules =
                VariableRules.of(
                        List.of(
                                new VariableRule(
                                        new PathMatch.Regex("^/(.)", false, false),
                                        List.of(Condition.of("%{HTTP:X-Name}", "^(val)")),
                                        "ONE",
                                        "$1-%1"),
                                new VariableRule(
                                        PathMatch.ANY,
                                        List.of(Condition.of("%{ENV:ONE}", "-val$")),
                                        "TWO",
                                        "%{ENV:ONE}!"),
                                new VariableRule(PathMatch.ANY, List.of(), "ONE", null)),
                        SCOPE);
        assertEquals(Map.of("TWO", "p-val!"), rules.of(get("/path")).variables());
        assertFalse(rules.of(get("/")).variables().containsKey("TWO"));
    }
}
