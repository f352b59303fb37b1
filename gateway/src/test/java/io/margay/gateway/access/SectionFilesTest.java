package io.margay.gateway.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.login.AuthServices;
import io.margay.gateway.login.LoginLimits;
import io.margay.gateway.login.Logins;
import io.margay.gateway.login.OpenIdProvider;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RequestConditions;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.Fields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Conditions of sections that ask which file a request is for.
final class SectionFilesTest {
    private static final RuleDecision CLOSED = new RuleDecision.Refuse(403);

    @TempDir Path folder;

    @BeforeEach
    void files() throws IOException {
        Path inner = Files.createDirectories(folder.resolve("www/inner"));
        Files.writeString(inner.resolve("a.txt"), "a");
    }

    private static AccessSection closed(SectionMatch match) {
        Requirement nobody =
                new Requirement.Test(new AccessTerm.Everybody(false), false, Methods.ALL);
        return new AccessSection(match, required(nobody), List.of(), List.of());
    }

    private static AccessRules required(Requirement requirement) {
        AccessRules none = AccessRules.NONE;
        return new AccessRules(
                requirement,
                none.always(),
                none.merging(),
                none.ordered(),
                none.methods(),
                none.tls(),
                none.redirects(),
                none.rewriting(),
                none.contentBytesMax(),
                none.handlers(),
                none.overrides(),
                none.links(),
                none.pages(),
                none.login());
    }

    private RuleDecision ask(AccessSection always, String path) {
        HostAccess access = HostAccess.NONE;
        AccessGate gate =
                new AccessGate(
                        RuleSet.of(List.of(), RuleLimits.defaults()),
                        new HostAccess(
                                always,
                                access.folders(),
                                access.paths(),
                                access.peers(),
                                access.urls(),
                                access.scripts(),
                                access.folderFiles()),
                        ServedFolders.of(
                                List.of(
                                        new ServedFolders.Mount("", null),
                                        new ServedFolders.Mount("/f", folder.resolve("www")))),
                        FolderRules.NONE,
                        new Logins(
                                LoginLimits.defaults(),
                                null,
                                AuthServices.NONE,
                                OpenIdProvider.first(),
                                () -> 0));
        return gate.decide(
                new RuleRequest(
                        "GET", path, path, null, "http", "h", "127.0.0.1", 80, Fields.EMPTY));
    }

    private RequestConditions ofFile(String path) {
        return RequestConditions.of(
                List.of(Condition.of("%{FILE}", "^" + folder + "/www" + path + "$")));
    }

    @Test
    void condition_ofASectionAboutAFile_seesItsWholePath() {
        AccessSection inner = closed(new SectionMatch.When(ofFile("/inner/a.txt")));
        AccessSection always =
                new AccessSection(
                        new SectionMatch.Everything(), AccessRules.NONE, List.of(), List.of(inner));
        assertEquals(CLOSED, ask(always, "/f/inner/a.txt"));
        assertEquals(RuleDecision.ROUTES, ask(always, "/f/inner/b.txt"));
        assertEquals(RuleDecision.ROUTES, ask(always, "/inner/a.txt"));
    }

    @Test
    void requirement_aboutAFile_seesItsWholePath() {
        AccessTerm term = new AccessTerm.Holds(ofFile("/inner/a.txt"));
        AccessSection always =
                new AccessSection(
                        new SectionMatch.Everything(),
                        required(new Requirement.Test(term, false, Methods.ALL)),
                        List.of(),
                        List.of());
        assertEquals(RuleDecision.ROUTES, ask(always, "/f/inner/a.txt"));
        assertEquals(CLOSED, ask(always, "/f/inner/b.txt"));
    }
}
