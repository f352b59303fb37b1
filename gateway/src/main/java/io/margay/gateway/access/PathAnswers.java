package io.margay.gateway.access;

import io.margay.gateway.access.SectionPages.Missing;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.listing.VariantChoice;
import io.margay.gateway.listing.VariantChoice.Variant;
import io.margay.gateway.listing.VariantSettings;
import io.margay.gateway.rules.FileTypes;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.PercentEncoding;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.files.FileRules.FileRule;
import io.margay.server.files.FolderNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the path of a request gets once the rules of a host have made it: a file, a page of a
/// folder, what an upstream answers, or a refusal by sections. Immutable; asked on loop threads.
final class PathAnswers {
    static final RuleDecision NOT_FOUND = new RuleDecision.Refuse(404);

    /// Names that are looked at in a folder for variants of one, and variants: where there are
    /// more, there is none.
    private static final int NAMES_MAX = 10_000;

    private static final int VARIANTS_MAX = 200;

    private final RuleSet rules;
    private final HostAccess access;
    private final ServedFolders folders;
    private final Sections sections;
    private final Scripts scripts;
    private final boolean judges;
    private final ExchangeNotes.Key<Judged> judged = new ExchangeNotes.Key<>(Judged.class);

    /// Where the same is said of every path, so that it does not matter which file it stands for:
    /// who is let in. Else null.
    private final @Nullable AccessRules uniform;

    /// @param folders what the host's routes serve
    PathAnswers(
            RuleSet rules,
            HostAccess access,
            ServedFolders folders,
            Sections sections,
            Scripts scripts) {
        this.rules = rules;
        this.access = access;
        this.folders = folders;
        this.sections = sections;
        this.scripts = scripts;
        judges = access.judgesFiles();
        uniform =
                rules.isEmpty() && access.isUniform() && !folders.hasFallback() && !rules.asksFile()
                        ? AccessRules.NONE.then(access.always().rules())
                        : null;
    }

    /// Whether sections, or files in folders, may make programs of files.
    boolean judgesFiles() {
        return judges;
    }

    /// What was found of a file while access was decided on.
    private record Judged(String file, FileRule rule) {}

    /// How a file is sent, if that was found while access to it was decided on; else null.
    ///
    /// @param file the whole path by which it was found
    @Nullable FileRule judged(Exchange exchange, Path file) {
        Judged before = exchange.notes().get(judged);
        return before != null && before.file.equals(file.toString()) ? before.rule : null;
    }

    /// How a file is sent by what sections say of it.
    ///
    /// @param name of the file
    FileRule rule(SectionWalk walk, String name) {
        if (!(access.handler(walk, name) instanceof FileHandler.Sent)) {
            return FileRule.HIDDEN;
        }
        FileTypes types = walk.rules().types();
        boolean usual = types.equals(FileTypes.NONE);
        return usual ? FileRule.SENT : new FileRule(true, true, types.of(name));
    }

    /// Files are those of the path that rules have made; all sections about them hold for both, as
    /// to httpd the request has the one that was asked for, or after `PT` the other. Other routes
    /// serve what the client asked for.
    ///
    /// @param outcome what rules have made of it
    @Nullable RuleDecision routed(
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
        if (walk.rules().variants().isOn() && found.isNothing()) {
            RuleDecision refused = walk.refused(false);
            RuleDecision chosen =
                    refused != null ? refused : negotiated(request, found, walk.rules());
            if (chosen != null) {
                return chosen;
            }
        }
        RuleDecision instead = sent(request, found, walk, uri, false);
        if (instead instanceof RuleDecision.Again
                && found.isFolder()
                && !request.path().endsWith("/")) {
            return null; // it gets its slash, whatever rules of folders make of it, as in httpd
        }
        if (instead instanceof RuleDecision.Forward && found.isFolder()) {
            return ofFolder(request, found, walk.rules(), instead);
        }
        return instead != null || found.isFile() ? instead : page(request, found, walk.rules());
    }

    /// The file that stands for a name without its endings, before rules of folders are asked; null
    /// where none does.
    private @Nullable RuleDecision negotiated(
            AccessRequest request, ServedFolders.Found found, AccessRules rules) {
        Path folder = Path.of(found.whole()).getParent();
        Path root = folders.root(request.path());
        String path = request.path();
        int more = found.info().length() + found.name().length();
        if (folder == null
                || root == null
                || found.name().isEmpty()
                || found.name().startsWith(".")
                || !path.endsWith(found.name() + found.info())) {
            return null;
        }
        String before = path.substring(0, path.length() - more);
        List<Variant> variants = new ArrayList<>();
        Variant last = null;
        RuleDecision lastMade = null;
        for (String name : FolderNames.beginning(root, folder, found.name() + ".", NAMES_MAX)) {
            Variant one =
                    rules.variants()
                            .settings()
                            .variant(
                                    folder.resolve(name),
                                    found.name(),
                                    rules.types(),
                                    rules.handlers().endings().keySet());
            RuleDecision made =
                    one == null ? null : variant(request, found, before + name + found.info());
            last = one == null ? last : one;
            lastMade = one == null ? lastMade : made;
            if (one != null
                    && (made instanceof RuleDecision.Other
                            || made instanceof RuleDecision.Forward
                            || made instanceof RuleDecision.Again
                            || NOT_FOUND.equals(made))) {
                variants.add(one);
            }
        }
        if (variants.isEmpty() || variants.size() > VARIANTS_MAX) {
            return null;
        }
        String method = request.method();
        VariantChoice choice =
                VariantChoice.of(
                        variants,
                        request.fields(),
                        method.equals("GET"),
                        rules.variants().settings());
        Variant best = choice.best();
        String chosen = best == null ? "" : before + best.name() + found.info();
        // What was found of the one that was asked about last holds still.
        RuleDecision ofBest =
                best == null
                        ? RuleDecision.NOT_ACCEPTABLE
                        : best.equals(last) ? lastMade : variant(request, found, chosen);
        request.caller().described(choice.fields());
        return ofBest;
    }

    /// What a file answers that stands for a name; where more stands behind that, a program gets
    /// it, and what is sent is not found.
    private @Nullable RuleDecision variant(
            AccessRequest request, ServedFolders.Found asked, String path) {
        RuleDecision made = file(request.at(path), asked, path, Missing.NOTHING);
        if (made != null || asked.info().isEmpty()) {
            return NOT_FOUND.equals(made) ? null : made;
        }
        ServedFolders.Found page = folders.find(path);
        AccessRequest other = request.at(path);
        RuleDecision sent = sent(other, page, sections.walked(other, page, null), path, false);
        return sent == null ? NOT_FOUND : sent;
    }

    /// A rule that passes a folder on does so where its path has a slash at the end, and none of
    /// its pages is there or passed on itself, as without DirectoryCheckHandler in httpd.
    private @Nullable RuleDecision ofFolder(
            AccessRequest request,
            ServedFolders.Found found,
            AccessRules rules,
            RuleDecision forward) {
        if (!request.path().endsWith("/")) {
            return null;
        }
        boolean asked = request.method().equals("GET") || request.method().equals("POST");
        List<String> index = folders.pages(request.path()).then(rules.pages()).index();
        for (String name : asked && index != null ? index : List.<String>of()) {
            RuleDecision made = instead(request, found, name, Missing.BY_ALL);
            if (made != null && !made.equals(NOT_FOUND)) {
                return made;
            }
        }
        return forward;
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
            boolean passed = refused instanceof RuleDecision.Forward;
            return passed || RuleDecision.isClosed(refused) ? refused : null;
        }
        return refused != null ? refused : instead(request, found, link, Missing.NOTHING);
    }

    /// What sections answer in place of a file; null where it is sent.
    ///
    /// @param uri the path of the request to httpd
    /// @param admitted whether it is known who the client is
    @Nullable RuleDecision sent(
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
                VariantSettings said = walk.rules().variants().settings();
                if (!said.isPlain() && !file.isNothing()) {
                    request.caller().described(said.fields(file.name()));
                }
                if (judges) {
                    FileRule rule = rule(walk, file.name());
                    request.caller().note(judged, new Judged(file.whole(), rule));
                }
                boolean more = Boolean.TRUE.equals(walk.rules().handlers().pathInfo());
                yield more ? withoutInfo(request.path(), file.info()) : null;
            }
            case FileHandler.Program _ -> NOT_FOUND;
            case FileHandler.Run(RuleAction.Forward by) -> scripts.run(by, request, file, uri);
        };
    }

    /// The file itself, where more stands behind its path; null where nothing does.
    private @Nullable RuleDecision withoutInfo(String path, String info) {
        if (info.isEmpty() || !path.endsWith(info)) {
            return null;
        }
        String file = path.substring(0, path.length() - info.length());
        return folders.find(file).isFile() ? RuleDecision.other(file) : null;
    }

    /// What sections answer in place of a peer; null where they let the request go there.
    ///
    /// @param came the path before rules made another of it
    @Nullable RuleDecision forwarded(
            RuleSet.Outcome outcome,
            RuleDecision.Forward forward,
            AccessRequest request,
            String came) {
        String url = access.urls().get(forward.upstream());
        String target = forward.target();
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String whole = url == null ? null : url + path;
        String rule = forward.rule().target();
        boolean asks = mark >= 0 && rule != null && rule.indexOf('?') >= 0;
        request.caller().forwarded(asks ? target.substring(mark + 1) : null);
        request.caller().mapped(null, outcome.isEarly() ? came : request.path());
        SectionWalk walked = sections.walked(request, null, whole);
        if (forward.rule().rules().passForwarded()) {
            String name = path.substring(path.lastIndexOf('/') + 1);
            request.caller().usual(walked.rules().types().of(name));
        }
        RuleDecision instead = walked.decide(false);
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

    /// What sections say of the file that a request's path stands for.
    @Nullable RuleDecision files(AccessRequest request) {
        ServedFolders.Found found = folders.find(request.path());
        request.caller().mapped(found, request.path());
        return walk(request, found, null);
    }

    /// Merges what sections say, and asks it.
    @Nullable RuleDecision walk(
            AccessRequest request, ServedFolders.@Nullable Found file, @Nullable String url) {
        return sections.walked(request, file, url).decide(false);
    }
}
