package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.access.AccessGate;
import io.margay.gateway.access.FolderRules;
import io.margay.gateway.access.ServedFolders;
import io.margay.gateway.login.AuthServices;
import io.margay.gateway.login.LoginLimits;
import io.margay.gateway.login.Logins;
import io.margay.gateway.login.OpenIdProvider;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.Fields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What lies behind a link is served where `Options` says so.
final class FolderLinksTest {
    private static final RuleDecision CLOSED = new RuleDecision.Refuse(403);

    @TempDir Path folder;

    @BeforeEach
    void links() throws IOException {
        Path inner = Files.createDirectories(folder.resolve("www/inner"));
        Files.writeString(inner.resolve("a.txt"), "a");
        Files.createSymbolicLink(folder.resolve("www/linked"), Path.of("inner"));
        Files.createSymbolicLink(folder.resolve("www/b.txt"), Path.of("inner/a.txt"));
    }

    private RuleDecision ask(String options, String path) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        "DocumentRoot \"%1$s/www\"\n<Directory \"%1$s/www\">\n%2$s\n</Directory>\n"
                                .formatted(folder, options));
        GatewayPlan plan = GatewayFiles.read(List.of(file), Map.of());
        assertFalse(plan.isWrong(), () -> plan.failures().toString());
        AccessGate gate =
                new AccessGate(
                        RuleSet.of(List.of(), RuleLimits.defaults()),
                        plan.hosts().getFirst().access(),
                        ServedFolders.of(
                                List.of(new ServedFolders.Mount("", folder.resolve("www")))),
                        FolderRules.NONE,
                        new Logins(
                                LoginLimits.defaults(),
                                Logins.Sources.NONE,
                                AuthServices.NONE,
                                OpenIdProvider.first(),
                                System::nanoTime,
                                null));
        return gate.decide(
                new RuleRequest(
                        "GET",
                        path,
                        path,
                        null,
                        "http",
                        "localhost",
                        "127.0.0.1",
                        80,
                        Fields.EMPTY));
    }

    @Test
    void link_withoutFollowSymLinks_isRefused() throws IOException {
        for (String options : List.of("Options -FollowSymLinks", "Options Indexes")) {
            assertEquals(CLOSED, ask(options, "/linked/a.txt"), options);
            assertEquals(CLOSED, ask(options, "/b.txt"), options);
            assertEquals(RuleDecision.ROUTES, ask(options, "/inner/a.txt"), options);
        }
    }

    @Test
    void link_withFollowSymLinks_isServed() throws IOException {
        for (String options :
                List.of("Options +FollowSymLinks", "Options All", "Options -Indexes")) {
            assertEquals(RuleDecision.ROUTES, ask(options, "/linked/a.txt"), options);
            assertEquals(RuleDecision.ROUTES, ask(options, "/b.txt"), options);
        }
    }
}
