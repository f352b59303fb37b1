package io.margay.gateway.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.Network;
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
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
        return rules(requirement, List.of(), null);
    }

    private static AccessRules rules(
            @Nullable Requirement requirement,
            List<Requirement> always,
            @Nullable OrderedAccess ordered) {
        AccessRules none = AccessRules.NONE;
        return new AccessRules(
                requirement,
                always,
                none.merging(),
                ordered,
                none.methods(),
                none.tls(),
                none.redirects(),
                none.rewriting(),
                none.contentBytesMax(),
                none.handlers(),
                none.types(),
                none.overrides(),
                none.links(),
                none.pages(),
                none.listing(),
                none.variants(),
                none.login());
    }

    private static AccessSection everywhere(AccessRules rules) {
        return new AccessSection(new SectionMatch.Everything(), rules, List.of(), List.of());
    }

    private RuleDecision ask(AccessSection always, String path) {
        return ask(always, folder.resolve("www"), path, "127.0.0.1");
    }

    private static RuleDecision ask(AccessSection always, Path files, String path, String client) {
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
                                access.folderFiles(),
                                access.programs(),
                                access.passing()),
                        ServedFolders.of(
                                List.of(
                                        new ServedFolders.Mount("", null),
                                        new ServedFolders.Mount("/f", files))),
                        FolderRules.NONE,
                        new Logins(
                                LoginLimits.defaults(),
                                Logins.Sources.NONE,
                                AuthServices.NONE,
                                OpenIdProvider.first(),
                                () -> 0,
                                null));
        return gate.decide(
                new RuleRequest("GET", path, path, null, "http", "h", client, 80, Fields.EMPTY));
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

    private static Requirement test(AccessTerm term) {
        return new Requirement.Test(term, false, Methods.ALL);
    }

    private static OrderedAccess denied(AccessTerm term) {
        return new OrderedAccess(
                List.of(),
                List.of(),
                List.of(new OrderedAccess.Entry(term, false, Methods.ALL)),
                List.of());
    }

    /// A file system that is closed fails whenever it is asked.
    private Path unasked() throws IOException {
        Path zip = folder.resolve("closed.zip");
        try (FileSystem closed = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
            return closed.getPath("/www");
        }
    }

    @Test
    void requirement_ofAWholeHost_isAskedWithoutTheDisk() throws IOException {
        Path unasked = unasked();
        Requirement local = test(new AccessTerm.From(List.of(network("127.0.0.0/8"))));
        AccessSection always =
                everywhere(
                        rules(
                                Requirement.any(List.of(local)),
                                List.of(test(new AccessTerm.Everybody(true))),
                                null));
        for (String path : List.of("/", "/f", "/f/", "/f/inner/", "/f/inner/a.txt", "/f/none")) {
            assertEquals(RuleDecision.ROUTES, ask(always, unasked, path, "127.0.0.1"), path);
            assertEquals(CLOSED, ask(always, unasked, path, "10.0.0.1"), path);
        }
    }

    @Test
    void rules_thatMayDependOnThePath_areAskedOfTheFile() throws IOException {
        Files.writeString(folder.resolve("www/inner/index.html"), "i");
        Path unasked = unasked();
        Requirement all = test(new AccessTerm.Everybody(true));
        Requirement isNoPage =
                new Requirement.Test(
                        new AccessTerm.Holds(
                                RequestConditions.of(
                                        List.of(Condition.of("%{REQUEST_URI}", "index\\.html$")))),
                        true,
                        Methods.ALL);
        Requirement named = Requirement.any(List.of(all, test(new AccessTerm.Variable("any"))));
        for (AccessRules rules :
                List.of(
                        required(Requirement.both(true, all, isNoPage)),
                        rules(all, List.of(Requirement.both(true, all, isNoPage)), null))) {
            assertEquals(CLOSED, ask(everywhere(rules), "/f/inner/"), "its page is closed");
            assertEquals(RuleDecision.ROUTES, ask(everywhere(rules), "/f/inner/a.txt"));
        }
        for (AccessRules rules :
                List.of(
                        required(Requirement.both(true, all, isNoPage)),
                        rules(all, List.of(isNoPage), null),
                        required(named),
                        rules(null, List.of(), denied(new AccessTerm.Variable("any"))))) {
            assertThrows(
                    ClosedFileSystemException.class,
                    () -> ask(everywhere(rules), unasked, "/f/inner/", "127.0.0.1"),
                    rules.toString());
        }
    }

    private static Network network(String text) {
        return Network.parse(text).orElseThrow();
    }
}
