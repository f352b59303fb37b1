package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.RestrictingDirectives;
import io.margay.gateway.rules.RuleAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever restricts access and is not supported keeps the whole configuration from being served.
final class RestrictingDirectivesTest {
    private static final Path DOCUMENT =
            Path.of(System.getProperty("margay.root", ".."), "docs/reference/gateway-compat.md");

    @TempDir Path folder;

    static List<String> notFollowed() {
        return RestrictingDirectives.load().words().stream()
                .filter(word -> HttpdDirective.of(word) == null)
                .map(word -> word.replace("*", "Something"))
                .toList();
    }

    private GatewayPlan plan(String text) throws IOException {
        return GatewayFiles.read(
                List.of(Files.writeString(folder.resolve("httpd.conf"), text)), Map.of());
    }

    @ParameterizedTest
    @MethodSource("notFollowed")
    void directive_thatClosesAndIsNotFollowed_isWrong(String name) throws IOException {
        GatewayPlan plan = plan(name + " header=5 RegisteredMethods\n");
        assertEquals(1, plan.failures().size(), () -> plan.failures().toString());
        assertEquals(Verdict.WRONG, plan.failures().getFirst().verdict());
    }

    @Test
    void words_areAllDocumented() throws IOException {
        String document = Files.readString(DOCUMENT);
        List<String> missing =
                RestrictingDirectives.load().words().stream()
                        .filter(word -> !document.contains("`" + word))
                        .toList();
        assertEquals(List.of(), missing);
    }

    @Test
    void traceEnable_off_refusesTraceBeforeAllElse() throws IOException {
        GatewayPlan plan =
                plan(
                        "TraceEnable off\nProxyPass / http://127.0.0.1:9/\n<VirtualHost *>\n"
                                + "</VirtualHost>\n<VirtualHost *>\nServerName x\nTraceEnable on\n"
                                + "</VirtualHost>\n");
        assertEquals(List.of(), plan.failures());
        assertEquals(new RuleAction.Refuse(405), plan.hosts().get(0).rules().getFirst().action());
        assertTrue(
                plan.hosts().get(1).rules().getFirst().action() instanceof RuleAction.Forward,
                () -> plan.hosts().toString());
    }

    /// Without the line, requests would go where nobody meant them to, as in httpd they could not.
    @Test
    void directive_thatIsMisspelt_isWrong_andOneOfAnotherModuleIsNot() throws IOException {
        GatewayPlan misspelt = plan("ProxyPas / http://127.0.0.1:1/\n");
        assertEquals(Verdict.WRONG, misspelt.failures().getFirst().verdict());
        String text = misspelt.failures().getFirst().toString();
        assertTrue(text.contains("did you mean ProxyPass?"), text);
        GatewayPlan other = plan("WSGIProcessGroup shop\n");
        assertEquals(Verdict.CHANGED, other.failures().getFirst().verdict());
    }
}
