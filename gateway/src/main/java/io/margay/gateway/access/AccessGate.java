package io.margay.gateway.access;

import io.margay.gateway.access.SectionPages.Missing;
import io.margay.gateway.login.LoginUser;
import io.margay.gateway.login.Logins;
import io.margay.gateway.rules.FileTypes;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.PercentEncoding;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.UndecidedException;
import io.margay.server.files.FileRules.FileRule;
import io.margay.server.files.FolderPage;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

    private static final RuleDecision NOT_FOUND = new RuleDecision.Refuse(404);

    private final RuleSet rules;
    private final HostAccess access;
    private final ServedFolders folders;
    private final Sections sections;
    private final Logins logins;
    private final LoginPaths loginPaths;
    private final Scripts scripts;
    private final boolean judges;
    private final ExchangeNotes.Key<Judged> judged = new ExchangeNotes.Key<>(Judged.class);
    private final boolean mapsFiles;

    /// Where the same is said of every path, so that it does not matter which file it stands for:
    /// who is let in. Else null.
    private final @Nullable AccessRules uniform;

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
        scripts = new Scripts(folders, access.rewrites());
        judges = access.judgesFiles();
        uniform =
                rules.isEmpty() && access.isUniform() && !folders.hasFallback() && !mapsFiles
                        ? AccessRules.NONE.then(access.always().rules())
                        : null;
    }

    /// Whether every request goes to the routes.
    public boolean isEmpty() {
        return rules.isEmpty() && access.isEmpty() && !mapsFiles;
    }

    /// Whether sections, or files in folders, may make programs of files.
    public boolean judgesFiles() {
        return judges;
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
        Judged before = exchange.notes().get(judged);
        if (before != null && before.file.equals(file.toString())) {
            return before.rule;
        }
        ServedFolders.Found found = ServedFolders.find(folder, "/" + file.getFileName());
        try {
            RuleRequest asked = rules.outcome(RuleRequest.of(exchange)).request();
            Caller caller = Caller.again(logins, exchange);
            SectionWalk walk =
                    sections.walked(AccessRequest.of(exchange, asked, caller), found, null);
            return rule(walk, found.name());
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

    /// What was found of a file while access was decided on.
    private record Judged(String file, FileRule rule) {}

    private FileRule rule(SectionWalk walk, String name) {
        if (!(access.handler(walk, name) instanceof FileHandler.Sent)) {
            return FileRule.HIDDEN;
        }
        FileTypes types = walk.rules().types();
        boolean usual = types.equals(FileTypes.NONE);
        return usual ? FileRule.SENT : new FileRule(true, true, types.of(name));
    }

    /// What becomes of an exchange. One whose path is malformed is left to the routes, which refuse
    /// it. Where a user is let in, the exchange is this user's from then on, and what folders
    /// change is noted in it.
    public RuleDecision decide(Exchange exchange) {
        if (access.isEmpty() && !folders.hasFallback() && !mapsFiles) {
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
            RuleRequest spelt = rules.asReceived(asked, outcome.request());
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
                    return sent(request, file, walk, path, true) == null;
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
            return NOT_FOUND;
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
                                null;
                        case RuleDecision.Forward forward ->
                                forwarded(outcome, forward, request, asked.path());
                        case RuleDecision.Page page ->
                                page.page().kind() == RuleAction.Page.Kind.JK_STATUS
                                        ? walk(request, null, null)
                                        : files(request);
                        case RuleDecision.Routes _ -> routed(asked, outcome, request);
                    };
            return scripts.passed(instead == null ? decision : instead, request, early);
        } catch (UndecidedException e) {
            return new RuleDecision.Refuse(500);
        }
    }

    /// Files are those of the path that rules have made; all sections about them hold for both, as
    /// to httpd the request has the one that was asked for, or after `PT` the other. Other routes
    /// serve what the client asked for.
    ///
    /// @param outcome what rules have made of it
    private @Nullable RuleDecision routed(
            RuleRequest asked, RuleSet.Outcome outcome, AccessRequest request) {
        String made = outcome.request().path();
        RuleDecision instead = served(request, outcome.isEarly() ? asked.path() : made);
        if (asked.path().equals(request.path()) || RuleDecision.isClosed(instead)) {
            return instead;
        }
        boolean page =
                instead instanceof RuleDecision.Other || instead instanceof RuleDecision.Forward;
        boolean same = asked.path().equals(made) || !folders.isFiles(request.path());
        RuleDecision before =
                same
                        ? served(request.at(asked.path()), asked.path())
                        : unmoved(request, folders.find(request.path()), asked.path());
        if (instead != null && !page) {
            return RuleDecision.isClosed(before) ? before : instead;
        }
        return same || before != null
                ? before
                : instead != null ? instead : RuleDecision.other(request.path());
    }

    /// What sections about a file say of a request that has come with another path; null where they
    /// let it in.
    ///
    /// @param request with the path that rules have made
    /// @param came the path that it has come with
    private @Nullable RuleDecision unmoved(
            AccessRequest request, ServedFolders.Found file, String came) {
        return came.equals(request.path())
                ? null
                : sections.walked(
                                request.at(came), file, sections.targets(request, file, null), null)
                        .decide(false);
    }

    /// @param uri the path of the request to httpd
    private @Nullable RuleDecision served(AccessRequest request, String uri) {
        if (uniform != null) {
            return SectionWalk.refused(uniform, request);
        }
        if (!folders.isFiles(request.path())) {
            return walk(request, null, null);
        }
        ServedFolders.Found found = folders.find(request.path());
        SectionWalk walk = sections.walked(request, found, null);
        RuleDecision instead = sent(request, found, walk, uri, false);
        return instead != null || found.isFile() ? instead : page(request, found, walk.rules());
    }

    /// What is sent for a folder, or for what is not there; null where the routes know it
    /// themselves.
    ///
    /// @param found by sections
    private @Nullable RuleDecision page(
            AccessRequest request, ServedFolders.Found found, AccessRules rules) {
        if (found.isFolder() && !request.path().endsWith("/")) {
            return null;
        }
        RuleDecision sent = index(request, found, rules.pages());
        if (NOT_FOUND.equals(sent) && found.isFolder() && rules.listing().isOn()) {
            return null;
        }
        boolean asked = request.method().equals("GET") || request.method().equals("POST");
        boolean run =
                sent instanceof RuleDecision.Forward(var _, var _, var script) && script != null;
        return asked
                        || run
                        || !found.isFolder()
                        || (RuleDecision.isClosed(sent) && !NOT_FOUND.equals(sent))
                ? sent
                : null;
    }

    private @Nullable RuleDecision index(
            AccessRequest request, ServedFolders.Found found, SectionPages said) {
        SectionPages pages = folders.pages(request.path()).then(said);
        List<String> index = pages.index() == null ? List.of() : pages.index();
        RuleDecision refusal = found.isFolder() && said.index() != null ? NOT_FOUND : null;
        for (String name : found.isFolder() ? index : List.<String>of()) {
            boolean ofRoute = said.index() == null && !name.startsWith("/");
            RuleDecision made =
                    instead(request, found, name, ofRoute ? Missing.BY_SECTIONS : Missing.BY_ALL);
            if (made instanceof RuleDecision.Refuse
                    || made instanceof RuleDecision.Challenge
                    || made instanceof RuleDecision.Answer) {
                refusal = made;
            } else if (made != null) {
                boolean routed =
                        said.index() == null
                                && refusal == null
                                && made instanceof RuleDecision.Other(CanonicalPath page)
                                && page.path().equals(request.path() + name);
                return routed ? null : made;
            }
        }
        String fallback = pages.fallback();
        Optional<String> missing =
                found.isFolder()
                        ? index.stream().filter(name -> !name.startsWith("/")).findFirst()
                        : Optional.empty();
        boolean takes = found.isFolder() ? missing.isPresent() : found.isNothing();
        if (refusal == null && said.fallback() != null) {
            refusal = NOT_FOUND;
        }
        if (fallback == null || fallback.isEmpty()) {
            return refusal;
        }
        if (!takes) {
            return refusal == null && found.isFolder() && !index.isEmpty() ? NOT_FOUND : refusal;
        }
        if (refusal != null && !refusal.equals(NOT_FOUND)) {
            return refusal;
        }
        // That of a folder is what sections say for the path of its page.
        if (missing.isEmpty()) {
            RuleDecision made = instead(request, found, fallback, Missing.NOTHING);
            return made == null ? refusal : made;
        }
        RuleDecision made = instead(request, found, missing.get(), Missing.BY_ALL);
        return made == null ? NOT_FOUND : made;
    }

    /// What another path would get that takes the place of a request's, as a request of its own;
    /// null where it stands for no file and nobody takes it.
    ///
    /// @param found what the request's own path stands for
    private @Nullable RuleDecision instead(
            AccessRequest request, ServedFolders.Found found, String link, Missing missing) {
        String folder = request.path().substring(0, request.path().lastIndexOf('/') + 1);
        CanonicalPath canonical =
                CanonicalPath.of(PercentEncoding.path(link.startsWith("/") ? link : folder + link));
        if (canonical.error() != null) {
            return null;
        }
        RuleSet.Outcome outcome = rules.outcome(request.request().at(canonical.path()));
        AccessRequest other = request.at(outcome.request().path());
        return switch (outcome.decision()) {
            case RuleDecision.Routes _ -> file(other, found, canonical.path(), missing);
            case RuleDecision.Forward forward -> {
                if (access.scripts().contains(forward.upstream())
                        && folders.isFiles(other.path())
                        && !folders.find(other.path()).isFile()) {
                    yield null;
                }
                RuleDecision refused = forwarded(outcome, forward, other, canonical.path());
                yield scripts.passed(refused != null ? refused : forward, other, canonical.path());
            }
            case RuleDecision.Redirect _,
                    RuleDecision.Refuse _,
                    RuleDecision.NotAllowed _,
                    RuleDecision.Challenge _,
                    RuleDecision.Answer _,
                    RuleDecision.Verify _,
                    RuleDecision.Page _,
                    RuleDecision.Again _,
                    RuleDecision.Other _ ->
                    outcome.decision();
        };
    }

    /// What is a program to httpd is not sent. A page in the folder of what was asked for is not
    /// walked as a folder, as httpd has walked there before.
    ///
    /// @param beside what was asked for
    /// @param came the path of the page, before rules made another of it
    private @Nullable RuleDecision file(
            AccessRequest request, ServedFolders.Found beside, String came, Missing missing) {
        ServedFolders.Found page = folders.find(request.path());
        if (!folders.isFiles(request.path())) {
            return null;
        }
        if (!page.isFile()) {
            return missing != Missing.NOTHING && page.isNothing()
                    ? fallback(request, page, missing)
                    : null;
        }
        ServedFolders.Found file = beside.isIn(page) ? page.withoutFile() : page;
        SectionWalk walk = sections.walked(request, file, null);
        RuleDecision made = sent(request, file, walk, came, false);
        if (made == null || made instanceof RuleDecision.Forward) {
            RuleDecision refused = unmoved(request, file, came);
            made = refused != null ? refused : made;
        }
        return made != null ? made : RuleDecision.other(request.path());
    }

    /// What takes the place of what is not there; null where nothing does.
    private @Nullable RuleDecision fallback(
            AccessRequest request, ServedFolders.Found found, Missing missing) {
        SectionWalk walk = sections.walked(request, found, null);
        SectionPages said = walk.rules().pages();
        SectionPages pages =
                missing == Missing.BY_ALL ? folders.pages(request.path()).then(said) : said;
        String link = pages.fallback();
        RuleDecision refused = sent(request, found, walk, request.path(), false);
        if (link == null || link.isEmpty()) {
            return RuleDecision.isClosed(refused) ? refused : null;
        }
        return refused != null ? refused : instead(request, found, link, Missing.NOTHING);
    }

    /// @param uri the path of the request to httpd
    /// @param admitted whether it is known who the client is
    private @Nullable RuleDecision sent(
            AccessRequest request,
            ServedFolders.Found file,
            SectionWalk walk,
            String uri,
            boolean admitted) {
        request.caller().mapped(file, uri);
        RuleDecision instead = walk.decide(admitted);
        if (instead == null
                && Boolean.FALSE.equals(walk.rules().links())
                && folders.hasLink(request.path())) {
            return new RuleDecision.Refuse(403);
        }
        if (instead != null || file.isFolder()) {
            return instead;
        }
        return switch (access.handler(walk, file.name())) {
            case FileHandler.Sent _, FileHandler.ByName _ -> {
                if (judges) {
                    FileRule rule = rule(walk, file.name());
                    request.caller().note(judged, new Judged(file.whole(), rule));
                }
                yield null;
            }
            case FileHandler.Program _ -> NOT_FOUND;
            case FileHandler.Run(RuleAction.Forward by) -> scripts.run(by, request, file, uri);
        };
    }

    /// @param came the path before rules made another of it
    private @Nullable RuleDecision forwarded(
            RuleSet.Outcome outcome,
            RuleDecision.Forward forward,
            AccessRequest request,
            String came) {
        String url = access.urls().get(forward.upstream());
        String target = forward.target();
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String whole = url == null ? null : url + path;
        request.caller().mapped(null, outcome.isEarly() ? came : request.path());
        RuleDecision instead = walk(request, null, whole);
        if (instead == null && outcome.isEarly() && !came.equals(request.path())) {
            instead = walk(request.at(came), null, whole);
        }
        if (instead != null || !access.scripts().contains(forward.upstream())) {
            return instead;
        }
        instead = files(request);
        boolean index = request.path().endsWith("/") && !path.endsWith("/");
        return index && instead == null
                ? files(request.at(request.path() + path.substring(path.lastIndexOf('/') + 1)))
                : instead;
    }

    private @Nullable RuleDecision files(AccessRequest request) {
        ServedFolders.Found found = folders.find(request.path());
        request.caller().mapped(found, request.path());
        return walk(request, found, null);
    }

    /// Merges what sections say, and asks it.
    private @Nullable RuleDecision walk(
            AccessRequest request, ServedFolders.@Nullable Found file, @Nullable String url) {
        return sections.walked(request, file, url).decide(false);
    }
}
