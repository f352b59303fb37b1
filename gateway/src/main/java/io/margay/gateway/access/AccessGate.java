package io.margay.gateway.access;

import io.margay.gateway.login.LoginUser;
import io.margay.gateway.login.Logins;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.CanonicalPath;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.UndecidedException;
import io.margay.server.files.FileRules.FileRule;
import io.margay.server.files.FolderPage;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What becomes of the requests of a host: its rules say where they go, and sections whether they
/// may. Immutable; asked on loop threads.
///
/// The order is httpd's: rules see a request first. For files come the sections about folders, from
/// the root down, then those about names of files; for peers those about their URLs. Then those
/// about the path, as rules have left it, and those about requests of which something holds.
public final class AccessGate {
    /// How often a request may be begun anew, as in httpd (LimitInternalRecursion).
    private static final int AGAIN_MAX = 10;

    private final RuleSet rules;
    private final HostAccess access;
    private final ServedFolders folders;
    private final Sections sections;
    private final Logins logins;
    private final LoginPaths loginPaths;
    private final Scripts scripts;
    private final PathAnswers answers;
    private final boolean mapsFiles;

    /// @param folders what the host's routes serve
    /// @param folderRules asked where sections let files in folders say more
    /// @param logins who knows the users
    public AccessGate(
            RuleSet rules,
            HostAccess access,
            ServedFolders folders,
            FolderRules folderRules,
            Logins logins) {
        mapsFiles = rules.asksFile();
        this.logins = logins;
        loginPaths = new LoginPaths(access, logins);
        this.rules = rules;
        this.access = access;
        this.folders = folders;
        sections = new Sections(access, rules, folders, folderRules);
        scripts = new Scripts(rules, folders, access.rewrites());
        answers = new PathAnswers(rules, access, folders, sections, scripts);
    }

    /// Whether every request goes to the routes.
    public boolean isEmpty() {
        return rules.isEmpty() && access.isEmpty() && !mapsFiles;
    }

    /// Whether sections, or files in folders, may make programs of files.
    public boolean judgesFiles() {
        return answers.judgesFiles();
    }

    /// What becomes of a file: it is sent where it is a program neither by the sections about it,
    /// nor by its name alone. Asked of the file itself, whatever led to it.
    ///
    /// @param file the whole path by which it was found
    public FileRule of(Exchange exchange, Path file) {
        Path folder = file.getParent();
        if (folder == null || !RuleRequest.isPossible(exchange)) {
            return FileRule.HIDDEN;
        }
        FileRule before = answers.judged(exchange, file);
        if (before != null) {
            return before;
        }
        ServedFolders.Found found = ServedFolders.find(folder, "/" + file.getFileName());
        try {
            RuleRequest asked = rules.outcome(RuleRequest.of(exchange)).request();
            Caller caller = Caller.again(logins, exchange);
            SectionWalk walk =
                    sections.walked(AccessRequest.of(exchange, asked, caller), found, null);
            return answers.rule(walk, found.name());
        } catch (UndecidedException e) {
            return FileRule.HIDDEN;
        }
    }

    /// How a folder is listed that has no page; null = it is not.
    ///
    /// @param path by which it was found, with a slash at the end
    public @Nullable FolderPage listing(Exchange exchange, CanonicalPath path) {
        return ListedFolder.of(
                exchange,
                path.path(),
                new ListedFolder.Said(rules, sections, folders, access, logins));
    }

    /// Has the rules asked before anything else is, and what they set noted in the exchange: for
    /// what limits it by that. They are not asked again for what becomes of it.
    public void askRules(Exchange exchange) {
        if (RuleRequest.isPossible(exchange)) {
            Caller caller = new Caller(logins, exchange);
            RuleSet.Outcome outcome = caller.outcome(rules, RuleRequest.of(exchange));
            caller.keepOutcome();
            if (rules.setsVariables()) {
                RuleRequest.set(exchange, outcome.set());
            }
        }
    }

    /// What becomes of an exchange. One whose path is malformed is left to the routes, which refuse
    /// it. Where a user is let in, the exchange is this user's from then on, and what folders
    /// change is noted in it.
    public RuleDecision decide(Exchange exchange) {
        if (access.isEmpty() && !folders.hasFallback() && !mapsFiles && !rules.setsVariables()) {
            return rules.decide(exchange);
        }
        if (!RuleRequest.isPossible(exchange)) {
            return RuleDecision.ROUTES;
        }
        RuleDecision own = loginPaths.decide(exchange);
        if (own != null) {
            return own;
        }
        Caller caller = new Caller(logins, exchange);
        RuleDecision decision = follow(exchange, RuleRequest.of(exchange), caller);
        caller.decided(decision);
        caller.tell(exchange);
        caller.describe(exchange, decision);
        LoginUser user = caller.admitted();
        if (user != null) {
            exchange.remoteUser(user.name().isEmpty() ? null : user.name());
            exchange.notes().user(user.method(), user.roles());
            if (exchange.request().field("Authorization") == null) {
                exchange.notes().ofOneUser(); // which a cache cannot tell (RFC 9111 §3.5)
            }
        }
        if (exchange.notes().rules() instanceof HostExchangeRules ofHost) {
            exchange.notes().rules(ofHost.within(caller.changes()));
        }
        return caller.contentBytesMax() < 0 ? decision : bounded(exchange, caller, decision);
    }

    /// Content whose length is not told is counted where peers and applications read it. Nobody
    /// reads what comes with a request for a file.
    private RuleDecision bounded(Exchange exchange, Caller caller, RuleDecision decision) {
        boolean unread =
                decision instanceof RuleDecision.Other
                        || decision instanceof RuleDecision.Page
                        || (decision instanceof RuleDecision.Routes
                                && folders.isFiles(exchange.path().path()));
        exchange.notes().contentBytesMax(caller.contentBytesMax());
        return unread ? new RuleDecision.Refuse(411) : decision;
    }

    /// @param first what is begun anew where rules of folders lead elsewhere
    private RuleDecision follow(Exchange exchange, RuleRequest first, Caller caller) {
        RuleRequest asked = first;
        RuleDecision decision = decide(exchange, asked, caller);
        for (int i = 0; decision instanceof RuleDecision.Again(String target, boolean end); i++) {
            RuleRequest next = asked.again(target, scripts.environment(caller, asked));
            if (next == null || i == AGAIN_MAX) {
                return new RuleDecision.Refuse(next == null ? 400 : 500);
            }
            if (end) {
                caller.endRewriting();
            }
            asked = next;
            caller.beginsAnew();
            decision = decide(exchange, next, caller);
            if (decision.equals(RuleDecision.ROUTES)) {
                return new RuleDecision.Other(CanonicalPath.of(next.rawPath()));
            }
        }
        return decision;
    }

    private RuleDecision decide(Exchange exchange, RuleRequest asked, Caller caller) {
        RuleSet.Outcome outcome = caller.outcome(rules, asked);
        if (rules.setsVariables()) {
            RuleRequest.set(exchange, outcome.set());
        }
        RuleDecision decision =
                decide(outcome, asked, AccessRequest.of(exchange, outcome.request(), caller));
        RuleRequest decoded = outcome.request().withSlashes();
        if (decoded != null && RuleDecision.letsIn(decision, outcome)) {
            // Who gets the path may decode its slashes: both must let it in.
            RuleDecision also = decide(outcome, asked, AccessRequest.of(exchange, decoded, caller));
            decision = RuleDecision.letsIn(also, outcome) ? decision : also;
        }
        if (asked.rawPath().equals(asked.path()) || !RuleDecision.letsIn(decision, outcome)) {
            return decision;
        }
        // To httpd, variables are what the path as received makes them: both must let it in.
        try {
            RuleRequest spelt = rules.asReceived(asked, outcome);
            return spelt.variables().equals(outcome.request().variables())
                    ? decision
                    : decide(outcome, asked, AccessRequest.of(exchange, spelt, caller));
        } catch (UndecidedException e) {
            return new RuleDecision.Refuse(500);
        }
    }

    /// Whether a client is let in for a page that takes the place of an answer, as if it had asked
    /// for that. Where the page lies in the folder of what it has asked for, and only sections
    /// about folders are about both, it does not matter again who the client is, as in httpd: a
    /// folder that is closed shows its page for 403.
    ///
    /// @param path of the page, which is canonical
    public boolean opens(Exchange exchange, String path) {
        RuleRequest first = RuleRequest.of(exchange);
        RuleRequest asked = first.forPage(path);
        RuleSet.Outcome outcome = rules.outcome(asked);
        boolean routed = outcome.decision().equals(RuleDecision.ROUTES);
        if (access.isEmpty() || !routed) {
            return routed;
        }
        Caller caller = Caller.again(logins, exchange);
        AccessRequest request =
                AccessRequest.of(exchange, outcome.request(), caller).withoutContent();
        RuleSet.Outcome before = rules.outcome(first);
        try {
            if (before.decision().equals(RuleDecision.ROUTES)
                    && outcome.request().path().equals(path)
                    && folders.isFiles(path)
                    && folders.isFiles(first.path())
                    && before.request().path().equals(first.path())) {
                AccessRequest other = AccessRequest.of(exchange, before.request(), caller);
                ServedFolders.Found file = folders.find(path);
                SectionWalk walk = sections.walked(request, file, null);
                ServedFolders.Found found = folders.find(first.path());
                if (found.isIn(file)
                        && walk.isOfFolders()
                        && sections.walked(other, found, null).isOfFolders()) {
                    return answers.sent(request, file, walk, path, true) == null;
                }
            }
        } catch (UndecidedException e) {
            return false;
        }
        return decide(outcome, asked, request).equals(RuleDecision.ROUTES);
    }

    /// What answers another path in the place of an error, as if the client had asked for it by
    /// GET; it is told what was asked for, and of the error.
    ///
    /// @param target path and query, encoded
    public RuleDecision instead(Exchange exchange, int status, String target) {
        RuleRequest first = RuleRequest.of(exchange);
        RuleSet.Outcome outcome = rules.outcome(first);
        Caller caller = Caller.again(logins, exchange);
        RuleDecision _ =
                decide(outcome, first, AccessRequest.of(exchange, outcome.request(), caller));
        RuleRequest made = outcome.request();
        RuleRequest named = outcome.isEarly() ? first.asking(made.query()) : made;
        RuleRequest asked = named.forError(target, status, scripts.environment(caller, first));
        if (asked == null) {
            return PathAnswers.NOT_FOUND;
        }
        Caller again = Caller.again(logins, exchange);
        RuleDecision decision = follow(exchange, asked, again);
        again.tellOfPage(exchange);
        return decision.equals(RuleDecision.ROUTES)
                ? new RuleDecision.Other(CanonicalPath.of(asked.rawPath()))
                : decision;
    }

    /// What becomes of a request.
    public RuleDecision decide(RuleRequest asked) {
        RuleSet.Outcome outcome = rules.outcome(asked);
        return access.isEmpty()
                ? outcome.decision()
                : decide(
                        outcome,
                        asked,
                        AccessRequest.of(outcome.request(), new Caller(logins, null)));
    }

    private RuleDecision decide(RuleSet.Outcome outcome, RuleRequest asked, AccessRequest request) {
        RuleDecision decision = outcome.decision();
        String early = outcome.isEarly() ? asked.path() : outcome.request().path();
        request.caller().mapped(null, early);
        try {
            RuleDecision instead =
                    switch (decision) {
                        case RuleDecision.Redirect _,
                                RuleDecision.Refuse _,
                                RuleDecision.NotAllowed _,
                                RuleDecision.Again _,
                                RuleDecision.Challenge _,
                                RuleDecision.Answer _,
                                RuleDecision.Verify _,
                                RuleDecision.Other _ ->
                                outcome.isGuarded() ? answers.walk(request, null, null) : null;
                        case RuleDecision.Forward forward ->
                                answers.forwarded(outcome, forward, request, asked.path());
                        case RuleDecision.Page page ->
                                page.page().kind() == RuleAction.Page.Kind.JK_STATUS
                                        ? answers.walk(request, null, null)
                                        : answers.files(request);
                        case RuleDecision.Routes _ -> answers.routed(asked, outcome, request);
                    };
            return scripts.passed(instead == null ? decision : instead, request, early);
        } catch (UndecidedException e) {
            return new RuleDecision.Refuse(500);
        }
    }
}
