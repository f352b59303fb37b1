package io.margay.compat.httpd.access;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.RequestVariables;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.access.AccessRules.Merging;
import io.margay.gateway.access.AccessRulesBuilder;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.FolderOverrides;
import io.margay.gateway.access.OrderedAccess;
import io.margay.gateway.access.Requirement;
import io.margay.gateway.access.SectionPages;
import io.margay.gateway.access.SectionRedirects;
import io.margay.gateway.access.SectionRewriting;
import io.margay.gateway.access.TlsAccess;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.access.handler.FileHandlers;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.listing.FolderListing;
import io.margay.gateway.listing.FolderVariants;
import io.margay.gateway.listing.ListingPage;
import io.margay.gateway.listing.VariantSettings;
import io.margay.gateway.rules.FileTypes;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.TypesFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A section of httpd's files with what it says of who may ask: `Require`, and `Order`, `Allow`,
/// `Deny` of httpd 2.2. Confined to one reading.
public final class HttpdAccess {
    private static final String NOBODY =
            "nobody can log in here without AuthUserFile: who would be let in by this alone gets"
                    + " 500, as from httpd; a margay.yaml made of this may not start before it has"
                    + " login: {users: FILE}";

    private final SectionMatch match;
    private final ReadingContext context;
    private final AccessTerms terms;
    private final HttpdLogin login;
    private final List<HttpdAccess> files = new ArrayList<>();
    private final List<HttpdAccess> conditional = new ArrayList<>();
    private final List<Requirement> required = new ArrayList<>();
    private final List<Requirement> always = new ArrayList<>();
    private final List<OrderedAccess.Ordering> orders = new ArrayList<>();
    private final List<OrderedAccess.Entry> allowed = new ArrayList<>();
    private final List<OrderedAccess.Entry> denied = new ArrayList<>();
    private final List<OrderedAccess.Satisfied> satisfied = new ArrayList<>();
    private final List<GatewayRule> redirects = new ArrayList<>();
    private final List<SectionRule> rewrites = new ArrayList<>();
    private @Nullable Boolean engine;
    private @Nullable String below;
    private @Nullable String base;

    private boolean unfollowed;

    /// An expression of the names of files that it is about; null where it is about all.
    private @Nullable String names;

    private Merging merging = Merging.UNSET;
    private @Nullable Set<String> methods;
    private TlsAccess tls = TlsAccess.ANY;
    private long contentBytesMax = -1;
    private final Map<String, Supplier<FileHandler>> programs = new LinkedHashMap<>();
    private @Nullable Supplier<FileHandler> whole;
    private @Nullable Boolean pathInfo;
    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, String> charsets = new LinkedHashMap<>();
    private @Nullable String type;
    private @Nullable String charset;
    private @Nullable TypesFile typesFile;
    private FolderOverrides overrides = FolderOverrides.UNSAID;
    private @Nullable Boolean links;
    private SectionPages pages = SectionPages.NONE;
    private @Nullable Boolean lists;
    private final List<FolderListing.Part> listed = new ArrayList<>();
    private @Nullable Boolean views;
    private final List<List<String>> variants = new ArrayList<>();

    public HttpdAccess(SectionMatch match, ReadingContext context) {
        this.match = match;
        this.context = context;
        terms = new AccessTerms(context);
        login = new HttpdLogin(context);
    }

    /// A section about names of files in this one.
    public HttpdAccess files(SectionMatch names) {
        HttpdAccess made = new HttpdAccess(names, context);
        made.names = ProgramFiles.regex(names);
        files.add(made);
        return made;
    }

    /// A section in this one about requests of which something holds.
    public HttpdAccess conditional(SectionMatch when) {
        HttpdAccess made = new HttpdAccess(when, context);
        made.names = names;
        conditional.add(made);
        return made;
    }

    /// The methods that `Limit` or `LimitExcept` is about.
    public static Methods methods(HttpdNode limit) {
        return new Methods(Set.copyOf(limit.arguments()), limit.key().equals("limitexcept"));
    }

    /// What is said so far of pages.
    public SectionPages pages() {
        return pages;
    }

    /// Takes the names that are tried for a folder.
    public void index(List<String> names) {
        pages = new SectionPages(names, pages.fallback());
    }

    /// Takes what is sent for what is not there; empty for nothing.
    public void fallback(String path) {
        pages = new SectionPages(pages.index(), path);
    }

    /// Takes a redirection or refusal of the section, which comes after all that is said of access.
    public void redirect(GatewayRule rule) {
        redirects.add(rule);
    }

    /// Takes note that the section has directives of mod_rewrite, so that those around it do not
    /// count.
    public void rewrites(HttpdSection section) {
        String text = match instanceof SectionMatch.Literal(String own) ? own : section.argument();
        String start = section.isConditional() ? "*If" : text;
        below = start.endsWith("/") ? start : start + "/";
    }

    /// Takes the path by which clients know the folder.
    public void base(String path) {
        base = path.endsWith("/") ? path : path + "/";
    }

    public void engine(boolean on) {
        engine = on;
    }

    /// Takes a rule of mod_rewrite, which is asked before [#redirect].
    public void rewrite(SectionRule rule) {
        rewrites.add(rule);
    }

    /// Takes note of a rule that is not followed, on which those after it may depend.
    public void unfollowed() {
        unfollowed = true;
    }

    /// Whether it says who the users are.
    public boolean asksUser() {
        return login.build().knowsUsers();
    }

    /// Whether a rule is not followed.
    public boolean hasUnfollowed() {
        return unfollowed;
    }

    /// Reads one directive, or one of the sections `RequireAll`, `RequireAny`, `RequireNone`.
    ///
    /// @param of the methods that it is for
    public void read(HttpdNode node, Methods of) {
        switch (node.key()) {
            case "require", "requireall", "requireany", "requirenone" ->
                    required.addAll(terms.parts(List.of(node), false, of));
            case "order" -> order(node, of);
            case "allow" -> terms.from(node, of, allowed);
            case "deny" -> terms.from(node, of, denied);
            case "satisfy" -> {
                if (oneOf(node, "all", "any")) {
                    satisfied.add(
                            new OrderedAccess.Satisfied(
                                    node.argument(0).equalsIgnoreCase("any"), of));
                }
            }
            case "authmerging" -> {
                if (oneOf(node, "off", "and", "or")) {
                    merging = Merging.valueOf(node.argument(0).toUpperCase(Locale.ROOT));
                }
            }
            case "sslrequiressl" -> {
                tls = TlsAccess.TLS;
                context.honoured(node);
            }
            case "sslrequire" -> terms.sslRequire(node).ifPresent(always::add);
            case "allowmethods" -> allowMethods(node);
            case "limitrequestbody" -> {
                if (node.text().matches("[0-9]{1,18}")) {
                    contentBytesMax = Long.parseLong(node.text());
                    context.honoured(node);
                } else {
                    context.wrong(node, "\"" + node.text() + "\" is not a number of bytes");
                }
            }
            case "allowoverride" -> allowOverride(node);
            case "allowoverridelist" -> allowOverrideList(node);
            case "options" -> options(node);
            case "addhandler" ->
                    endings(
                            node,
                            1,
                            ProgramFiles.isHandler(node.argument(0))
                                    ? FileHandler.PROGRAM
                                    : FileHandler.FILE);
            case "removehandler" -> endings(node, 0, FileHandler.FILE);
            case "acceptpathinfo" -> {
                if (oneOf(node, "on", "off", "default")) {
                    pathInfo = node.isOn();
                }
            }
            case "addtype",
                    "removetype",
                    "forcetype",
                    "addcharset",
                    "removecharset",
                    "adddefaultcharset" ->
                    types(node);
            default -> {
                if (HttpdLogin.knows(node.key())) {
                    login.read(node);
                } else {
                    context.account()
                            .wrong(node.place(), node.title(), "is not allowed here, as in httpd");
                }
            }
        }
    }

    /// Takes a line about which of several files is sent, and of which language and coding files
    /// are.
    public void variants(HttpdNode node) {
        List<String> line = new ArrayList<>(List.of(node.name()));
        line.addAll(node.arguments());
        String problem = VariantSettings.problem(line);
        if (problem != null) {
            context.wrong(node, problem);
            return;
        }
        variants.add(line);
        context.honoured(node);
    }

    /// Takes a line about the pages that list folders.
    ///
    /// @param path with which the files begin that it may be about
    public void listed(HttpdNode node, String path) {
        List<String> line = new ArrayList<>(List.of(node.name()));
        line.addAll(node.arguments());
        String problem = ListingPage.problem(line);
        if (problem != null) {
            context.wrong(node, problem);
            return;
        }
        List<List<String>> lines = new ArrayList<>();
        if (!listed.isEmpty()) {
            lines.addAll(listed.removeLast().lines());
        }
        lines.add(line);
        listed.add(new FolderListing.Part(path, lines));
        String text = node.text().toLowerCase(Locale.ROOT);
        if (text.contains("scanhtmltitles") || text.contains("trackmodified")) {
            context.changed(node, "titles are not read, and pages have no Last-Modified and ETag");
        } else {
            context.honoured(node);
        }
    }

    /// Of the options, whether links are followed and folders listed is all that counts: programs
    /// are not run. Links of the same owner alone are not followed.
    private void options(HttpdNode node) {
        List<String> words =
                node.arguments().stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
        boolean whole = words.stream().anyMatch(word -> !word.matches("[+-].*"));
        if (whole) {
            links = words.contains("followsymlinks") || words.contains("all");
            lists = words.contains("indexes") || words.contains("all");
            views = words.contains("multiviews");
        }
        for (String word : words) {
            if (word.matches("[+-](followsymlinks|all)")) {
                links = word.startsWith("+");
            }
            if (word.matches("[+-](indexes|all)")) {
                lists = word.startsWith("+");
            }
            if (word.matches("[+-]multiviews")) {
                views = word.startsWith("+");
            }
        }
        context.honoured(node, "as far as links, listings and views go; programs are not run");
    }

    /// Takes whether folders are listed, in a section that is not about folders: links have been
    /// followed then, in httpd, or not.
    public void listsHere(HttpdNode node) {
        Boolean followed = links;
        options(node);
        links = followed;
    }

    private void allowOverride(HttpdNode node) {
        OverrideClasses.parse(node.arguments())
                .ifPresentOrElse(
                        classes -> {
                            overrides = new FolderOverrides(classes, overrides.directives());
                            if (classes.contains("fileinfo")) {
                                Object _ =
                                        context.variables()
                                                .reference(RequestVariables.DOCUMENT_ROOT);
                            }
                            context.honoured(node);
                        },
                        () -> context.wrong(node, "\"" + node.text() + "\" is not known here"));
    }

    private void allowOverrideList(HttpdNode node) {
        boolean none = node.arguments().stream().anyMatch("none"::equalsIgnoreCase);
        if (node.size() == 0 || (none && node.size() > 1)) {
            context.wrong(node, "write AllowOverrideList None, or names of directives");
            return;
        }
        Set<String> directives = none ? Set.of() : Set.copyOf(node.arguments());
        overrides = new FolderOverrides(overrides.classes(), directives);
        context.honoured(node);
    }

    /// `TypesConfig FILE`, which takes the place of the list that the server has itself.
    public void typesConfig(HttpdNode node) {
        Path file = context.path(node.text());
        try {
            typesFile = file == null ? null : TypesFile.read(file);
            context.honoured(node);
        } catch (IOException e) {
            context.wrong(node, file + " cannot be read: without it httpd does not start");
        }
    }

    /// What says which types and charsets files have.
    private void types(HttpdNode node) {
        switch (node.key()) {
            case "addtype" -> addType(node);
            case "removetype" -> {
                endings(node, 0, FileHandler.FILE);
                node.arguments().forEach(ending -> types.put(ProgramFiles.plain(ending), ""));
            }
            case "addcharset", "removecharset" -> {
                boolean adds = node.key().equals("addcharset");
                node.arguments().stream()
                        .skip(adds ? 1 : 0)
                        .forEach(ending ->
                                charsets.put(
                                        ProgramFiles.plain(ending), adds ? node.argument(0) : ""));
                context.honoured(node);
            }
            case "adddefaultcharset" -> {
                String word = node.argument(0);
                charset =
                        word.equalsIgnoreCase("off")
                                ? ""
                                : word.equalsIgnoreCase("on") ? "iso-8859-1" : word;
                context.honoured(node);
            }
            case "forcetype" -> {
                if (ProgramFiles.isType(node.argument(0))) {
                    programs(node);
                } else {
                    type = node.text().equalsIgnoreCase("none") ? "" : node.text();
                    context.honoured(node);
                }
            }
            default -> throw new IllegalStateException(node.key());
        }
    }

    /// `AddType TYPE ENDING…`.
    private void addType(HttpdNode node) {
        if (ProgramFiles.isType(node.argument(0))) {
            endings(node, 1, FileHandler.PROGRAM);
            return;
        }
        node.arguments().stream()
                .skip(1)
                .forEach(ending -> types.put(ProgramFiles.plain(ending), node.argument(0)));
        context.honoured(node);
    }

    /// Takes what the names of files make them.
    ///
    /// @param handler null = nothing
    private void endings(HttpdNode node, int from, @Nullable FileHandler handler) {
        if (handler != null) {
            endings(node.arguments().stream().skip(from).toList(), () -> handler);
        }
        if (handler instanceof FileHandler.Program) {
            context.changed(node, ProgramFiles.TEXT);
        } else {
            context.honoured(node);
        }
    }

    /// All files here are programs.
    public void programs(HttpdNode node) {
        whole = () -> FileHandler.PROGRAM;
        context.changed(node, ProgramFiles.TEXT);
    }

    /// Says what all files here are, which is asked for each host.
    public void whole(Supplier<FileHandler> handler) {
        whole = handler;
    }

    /// Says what files with some endings are.
    public void endings(List<String> words, Supplier<FileHandler> handler) {
        for (String word : words) {
            programs.put(ProgramFiles.plain(word), handler);
        }
    }

    /// Adds expressions of the names of files that are programs by this section.
    public void programNames(Set<String> to) {
        String own = names;
        if (own != null && whole != null && ProgramFiles.isProgram(whole.get())) {
            to.add(own);
        }
        programs.forEach((ending, handler) -> {
            if (ProgramFiles.isProgram(handler.get())) {
                to.add(ProgramFiles.regex(ending));
            }
        });
        files.forEach(inner -> inner.programNames(to));
        conditional.forEach(inner -> inner.programNames(to));
    }

    /// No file here is what an earlier section has made of all.
    ///
    /// @param sent whether they are sent even if their names make them programs
    public void noPrograms(HttpdNode node, boolean sent) {
        whole = () -> sent ? FileHandler.FILE : FileHandler.BY_NAME;
        context.noted(node, "files are sent unchanged");
    }

    private boolean oneOf(HttpdNode node, String... words) {
        boolean known =
                node.size() == 1 && List.of(words).contains(node.text().toLowerCase(Locale.ROOT));
        if (known) {
            context.honoured(node);
        } else {
            context.wrong(
                    node, "\"" + node.text() + "\" is not one of " + String.join(", ", words));
        }
        return known;
    }

    private void order(HttpdNode node, Methods of) {
        if (oneOf(node, "deny,allow", "allow,deny", "mutual-failure")) {
            OrderedAccess.Order order =
                    OrderedAccess.Order.valueOf(
                            node.text()
                                    .toUpperCase(Locale.ROOT)
                                    .replace(',', '_')
                                    .replace('-', '_'));
            orders.add(new OrderedAccess.Ordering(order, of));
        }
    }

    private void allowMethods(HttpdNode node) {
        if (node.text().equalsIgnoreCase("reset")) {
            methods = Set.of();
        } else if (node.size() == 0 || !KnownMethods.hasAll(node.arguments())) {
            context.wrong(node, "write AllowMethods reset, or the names of methods");
            return;
        } else {
            Set<String> all = new HashSet<>(methods == null ? Set.of() : methods);
            all.addAll(Methods.of(node.arguments()).names());
            methods = all;
        }
        context.honoured(node);
    }

    private @Nullable OrderedAccess ordered() {
        boolean none =
                orders.isEmpty() && allowed.isEmpty() && denied.isEmpty() && satisfied.isEmpty();
        return none ? null : new OrderedAccess(orders, allowed, denied, satisfied);
    }

    /// Names in the account what wants to know the user, where no section says who the users are.
    ///
    /// @param sections all that may be about the same request
    public static void nobody(List<HttpdAccess> sections, ReadingContext context) {
        List<HttpdAccess> all = new ArrayList<>();
        sections.forEach(section -> section.collect(all));
        if (all.stream().noneMatch(one -> one.login.build().knowsUsers())) {
            all.forEach(one -> one.terms.ofUsers().forEach(node -> context.noted(node, NOBODY)));
        }
    }

    private void collect(List<HttpdAccess> to) {
        to.add(this);
        files.forEach(inner -> inner.collect(to));
        conditional.forEach(inner -> inner.collect(to));
    }

    /// The section; those in it that say nothing are left out.
    public AccessSection build() {
        return new AccessSection(
                match,
                AccessRulesBuilder.builder()
                        .required(required.isEmpty() ? null : Requirement.any(required))
                        .always(always)
                        .merging(merging)
                        .ordered(ordered())
                        .methods(methods)
                        .tls(tls)
                        .redirects(SectionRedirects.of(redirects))
                        .rewriting(
                                new SectionRewriting(
                                        engine,
                                        below,
                                        base,
                                        SectionRedirects.of(SectionRule.unchained(rewrites))))
                        .contentBytesMax(contentBytesMax)
                        .handlers(handlers())
                        .types(new FileTypes(types, charsets, type, charset, typesFile, false))
                        .overrides(overrides)
                        .links(links)
                        .pages(pages)
                        .listing(new FolderListing(lists, listed))
                        .variants(
                                views == null && variants.isEmpty()
                                        ? FolderVariants.NONE
                                        : new FolderVariants(views, variants))
                        .login(login.build())
                        .build(),
                build(files),
                build(conditional));
    }

    private FileHandlers handlers() {
        Map<String, FileHandler> endings = new LinkedHashMap<>();
        programs.forEach((ending, handler) -> endings.put(ending, handler.get()));
        return new FileHandlers(endings, whole == null ? null : whole.get(), pathInfo);
    }

    /// What holds before any `AllowOverride`, and before anything is said of charsets.
    public static AccessSection unsaid(ReadingContext context) {
        HttpdAccess made = new HttpdAccess(new SectionMatch.Everything(), context);
        made.overrides = new FolderOverrides(Set.of(OverrideClasses.NOTHING), null);
        made.charset = "";
        return made.build();
    }

    /// What holds in all sections where rules count outside of them.
    public static AccessSection rewriting(ReadingContext context) {
        HttpdAccess made = new HttpdAccess(new SectionMatch.Everything(), context);
        made.engine = true;
        return made.build();
    }

    /// The sections that say something.
    public static List<AccessSection> build(List<HttpdAccess> sections) {
        return sections.stream()
                .map(HttpdAccess::build)
                .filter(section -> !section.isEmpty())
                .toList();
    }
}
