package io.margay.app.config.access;

import static io.margay.app.config.binding.Forms.bytes;
import static io.margay.app.config.binding.Forms.flag;
import static io.margay.app.config.binding.Forms.list;
import static io.margay.app.config.binding.Forms.named;
import static io.margay.app.config.binding.Forms.section;
import static io.margay.app.config.binding.Forms.text;
import static io.margay.app.config.binding.Forms.textOrNone;
import static io.margay.app.config.binding.Forms.whole;
import static io.margay.app.config.binding.Forms.word;
import static io.margay.app.yaml.Shape.optional;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.file.login.LoginKeys;
import io.margay.app.config.members.MemberKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.config.rules.MatchKeys;
import io.margay.app.config.rules.ProxyKeys;
import io.margay.app.config.rules.RuleKeys;
import io.margay.app.yaml.Shape;
import io.margay.gateway.access.AccessRules;
import io.margay.gateway.access.AccessRules.Merging;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.access.Requirement;
import io.margay.gateway.access.SectionRedirects;
import io.margay.gateway.access.SectionRewriting;
import io.margay.gateway.access.TlsAccess;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.access.match.SectionMatch.Kind;
import io.margay.gateway.login.Login;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.compiled.RequestConditions;
import io.margay.gateway.rules.regex.BoundedRegex;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// The keys of a section of `access`, and those that stand beside the sections. Stateless.
public final class AccessKeys {
    private static final int DEPTH_MAX = 50;

    private static final Form<SectionRedirects> REDIRECTS =
            rules(RuleKeys.redirect()).as(SectionRedirects::of, SectionRedirects::rules);

    private static final Form<SectionRedirects> REWRITES =
            rules(RuleKeys.rewrite()).as(SectionRedirects::of, SectionRedirects::rules);

    private static final Keys<SectionRewriting> REWRITING =
            Binding.of("how paths are rewritten", SectionRewriting.NONE)
                    .keys(
                            """
                            rewriting (engine) [false]: Whether `rewrites` count, here and in later
                              sections.
                            rewrites-below (below) <the beginning of a path, with a slash at the
                              end> [as before]: The `rewrites` of this section count alone; for them
                              this is taken away from the paths of files that begin so.
                            rewrites-base (base) <a path, with a slash at the end> [that by which
                              the folder is served]: The path by which clients know the folder,
                              before what `rewrites` make of a file in it (RewriteBase).
                            """)
                    .key(
                            "rewrites",
                            REWRITES,
                            one -> one.rules().equals(SectionRedirects.NONE) ? null : one.rules(),
                            (to, rules) -> to.set("rules", rules),
                            "Rules by `regex` of the whole path of a file: refusals, redirections,"
                                    + " what leads past others, and other paths, for which the"
                                    + " request is begun anew; of a folder's without a slash at"
                                    + " the beginning these are in it. Of a peer's it is the URL"
                                    + " after `proxy:`, or the path. With `links: false` all is"
                                    + " refused. In conditions %{FILE} is the file's path.")
                    .rule((section, reading) -> {
                        for (String key : List.of("rewrites", "rewrites-base")) {
                            if (section.has(key) && !section.has("rewrites-below")) {
                                reading.problem(
                                        section, key, "has no effect without \"rewrites-below\"");
                            }
                        }
                    });

    private static final Form<TlsAccess> CERTIFICATE =
            word(List.of(TlsAccess.CERTIFICATE), _ -> "require");

    /// What a route says, and a host beside its sections.
    public static final Keys<AccessRules> ALONE =
            require(certificate(login("who may ask for it", LoginKeys.ALONE)));

    /// What a section says.
    public static final Keys<AccessRules> RULES =
            certificate(
                            require(login("a section", ""))
                                    .form(
                                            "merging",
                                            word(
                                                    List.of(Merging.OFF, Merging.AND, Merging.OR),
                                                    one -> one.name().toLowerCase(Locale.ROOT)))
                                    .form("always", TermKeys.ALWAYS)
                                    .keys(
                                            """
                                            merging [=only where the section has `require`]: What
                                              becomes of the `require` of earlier sections: it is
                                              replaced, both must let a request in, or one of them
                                              must.
                                            always: Terms that must all hold, or it is 403, whatever
                                              `require` and `satisfy` say; those of all sections
                                              count. They do not ask for users.
                                            """)
                                    .partIfGiven("ordered", TermKeys.ORDERED)
                                    .form(
                                            "methods",
                                            TermKeys.METHOD_NAMES.as(
                                                    names -> Methods.of(names).names(),
                                                    List::copyOf))
                                    .keys(
                                            """
                                            methods [all]: Methods that are served; others get 405.
                                              An empty list is all.
                                            """))
                    .key(
                            "tls-only",
                            flag(),
                            one -> one.tls() == TlsAccess.TLS,
                            AccessKeys::setTls,
                            "Refuses what does not come by TLS.")
                    .key(
                            "redirects",
                            REDIRECTS,
                            one ->
                                    one.redirects().equals(SectionRedirects.NONE)
                                            ? null
                                            : one.redirects(),
                            (to, rules) -> to.set("redirects", rules),
                            "Rules that redirect or refuse who is let in.")
                    .part("listing", FileKeys.LISTING)
                    .part("variants", FileKeys.VARIANTS)
                    .part("rewriting", REWRITING)
                    .form("content-max", bytes(0, Long.MAX_VALUE))
                    .keys(
                            """
                            content-max (contentBytesMax) [=any]: Content of requests at most, 0 =
                              any; more gets 413, and what does not tell its length 411 where it is
                              for a file.
                            """)
                    .part("handlers", FileKeys.HANDLERS)
                    .part("types", FileKeys.TYPES)
                    .keys(
                            """
                            links [true]: Whether links on the way to a file are followed, inside
                              the folder that is served.
                            """)
                    .part("pages", FileKeys.PAGES)
                    .part("overrides", FileKeys.OVERRIDES);

    /// Which requests a section is about.
    ///
    /// @param kind the key that says it; empty = none
    /// @param regex whether the text is a regular expression
    /// @param inside how many sections it is in
    public record Place(String kind, String text, List<Condition> when, boolean regex, int inside) {
        static Place of(String kind, SectionMatch match, int inside) {
            return switch (match) {
                case SectionMatch.Everything _ ->
                        new Place("everything", "", List.of(), false, inside);
                case SectionMatch.Literal(String text) ->
                        new Place(kind, text, List.of(), false, inside);
                case SectionMatch.Pattern one ->
                        new Place(kind, one.pattern(), List.of(), false, inside);
                case SectionMatch.Found(var regex) ->
                        new Place(kind, regex.toString(), List.of(), true, inside);
                case SectionMatch.When(RequestConditions all) ->
                        new Place("when", "", all.conditions(), false, inside);
            };
        }

        /// @throws IllegalArgumentException when it is malformed
        SectionMatch match() {
            if (regex) {
                return SectionMatch.regex(text);
            }
            boolean rooted = kind.equals("path") || kind.equals("folder");
            if (rooted && !text.startsWith("/")) {
                throw new IllegalArgumentException("a " + kind + " begins with /");
            }
            return switch (kind) {
                case "path" -> SectionMatch.of(text, Kind.PATH);
                case "folder" -> SectionMatch.of(text.replaceFirst("(?<=.)/+$", ""), Kind.FOLDER);
                case "file" -> SectionMatch.of(text, Kind.FILE);
                case "peer" -> SectionMatch.of(text, Kind.PEER);
                case "when" -> new SectionMatch.When(RequestConditions.of(when));
                default -> new SectionMatch.Everything();
            };
        }
    }

    /// Where a section is about.
    public static final Keys<Place> PLACE =
            where(
                            where(
                                    where(
                                            where(
                                                    Binding.of(
                                                            "a section",
                                                            new Place("", "", List.of(), false, 0)),
                                                    "path",
                                                    "a path",
                                                    "Requests for this path and what is below it;"
                                                            + " with `*`, `?`, `[a-z]`, for which"
                                                            + " no slash stands, those for the"
                                                            + " path alone."),
                                            "folder",
                                            "a folder",
                                            "Files in this folder, the same."),
                                    "file",
                                    "a name",
                                    "Files of this name, the same."),
                            "peer",
                            "a URL",
                            "What goes to a URL that begins so; `*` and `?` stand for slashes,"
                                    + " too.")
                    .key(
                            "when",
                            MatchKeys.CONDITIONS,
                            one -> one.kind().equals("when") ? one.when() : null,
                            (to, all) -> {
                                to.set("kind", "when");
                                to.set("when", all);
                            },
                            "always",
                            "What must hold, too.")
                    .key(
                            "everything",
                            flag(),
                            one -> one.kind().equals("everything") ? true : null,
                            (to, _) -> to.set("kind", "everything"),
                            "All requests.")
                    .exactlyOne("path", "folder", "file", "peer", "when", "everything")
                    .form("inside", whole(0, DEPTH_MAX))
                    .keys(
                            """
                            regex: Whether that is a regular expression, which is searched for.
                            inside: Depth of nesting: the section holds only where the last section
                              before it with a smaller depth holds. For `file` and `when`.
                            """);

    private static final Shape.Section SECTION =
            new Shape.Section(
                    "a section",
                    Stream.of(PLACE, RULES).flatMap(keys -> keys.shapes().stream()).toList(),
                    PLACE.shape().exactlyOne());

    private static final Keys<HostAccess.Passing> PASSING =
            Binding.of("how requests are passed on", HostAccess.NONE.passing())
                    .part("rules", ProxyKeys.OF_RULE)
                    .part("tls", MemberKeys.TLS);

    /// What stands beside the sections of a host.
    public static final Keys<HostAccess> HOST =
            Binding.of("who may ask for what", HostAccess.NONE)
                    .elsewhere(ALONE.shapes())
                    .elsewhere(
                            optional(
                                    "sections",
                                    new Shape.Items("sections", SECTION, 0),
                                    "none",
                                    "Access rules, asked after the routing rules unless those"
                                            + " redirect or refuse the request: `everything`; for"
                                            + " files `folder`, from the root down, expressions"
                                            + " last, by their slashes, then `file`; for peers"
                                            + " `peer`; then `path`; then `when`. A later section"
                                            + " overrides an earlier one in what it says."))
                    .form(
                            "urls",
                            named(
                                    "URLs by upstream",
                                    "UPSTREAM",
                                    UpstreamKeys.NAME,
                                    text("a URL without a path")))
                    .form(
                            "scripts",
                            list("upstreams", UpstreamKeys.NAMED, 0).as(Set::copyOf, List::copyOf))
                    .form("folder-files", list("names", text("a name"), 0))
                    .form("folder-forward", section(PASSING))
                    .form(
                            "program-names",
                            list(
                                    "expressions",
                                    text("an expression")
                                            .as(AccessKeys::expression, BoundedRegex::toString),
                                    0))
                    .keys(
                            """
                            urls: By which `peer` knows an upstream.
                            scripts: Upstreams that run files of the host: `folder` and `file` are
                              about what goes to them.
                            folder-files: Files in folders that say more about them, where a section
                              has `overrides`; the first that is there.
                            folder-forward (passing): How requests are passed on by what such files
                              say; `reply-timeout` is that of their peers, and so is how these
                              speak TLS.
                            program-names (programs): Files with such names are programs: they are
                              sent only where a section about them says so.
                            """);

    private AccessKeys() {}

    /// As it stands in the file.
    public static Map<String, Object> write(HostAccess access) {
        Map<String, Object> written = HOST.write(access, HostAccess.NONE);
        List<Object> sections = new ArrayList<>();
        AccessSection always = access.always();
        if (!always.rules().equals(AccessRules.NONE)) {
            sections.add(
                    write(
                            "everything",
                            new AccessSection(always.match(), always.rules(), List.of(), List.of()),
                            0));
        }
        write("file", always.files(), 0, sections);
        write("when", always.conditional(), 0, sections);
        write("folder", access.folders(), 0, sections);
        write("peer", access.peers(), 0, sections);
        write("path", access.paths(), 0, sections);
        written.put("sections", sections);
        return written;
    }

    private static void write(String kind, List<AccessSection> all, int depth, List<Object> to) {
        for (AccessSection section : all) {
            to.add(write(kind, section, depth));
            write("file", section.files(), depth + 1, to);
            write("when", section.conditional(), depth + 1, to);
        }
    }

    private static Map<String, Object> write(String kind, AccessSection section, int depth) {
        Map<String, Object> written =
                PLACE.write(Place.of(kind, section.match(), depth), PLACE.defaults());
        written.putAll(RULES.write(section.rules(), AccessRules.NONE));
        return written;
    }

    private static Binding<AccessRules, Draft<AccessRules>> login(String says, String further) {
        return Binding.of(says, AccessRules.NONE)
                .key(
                        "login",
                        section(LoginKeys.LOGIN),
                        one -> one.login().equals(Login.NONE) ? null : one.login(),
                        (to, login) -> to.set("login", login),
                        "nobody is asked",
                        "How users log in where `require` wants to know them." + further);
    }

    private static Binding<AccessRules, Draft<AccessRules>> require(
            Binding<AccessRules, Draft<AccessRules>> keys) {
        return keys.key(
                "require",
                TermKeys.REQUIRE,
                one -> one.required() instanceof Requirement.Group group ? group : null,
                (to, group) -> to.set("required", group),
                "everybody is let in",
                "Any of these lets a request in.");
    }

    private static Binding<AccessRules, Draft<AccessRules>> certificate(
            Binding<AccessRules, Draft<AccessRules>> keys) {
        return keys.key(
                "client-certificate",
                CERTIFICATE,
                one -> one.tls() == TlsAccess.CERTIFICATE ? one.tls() : null,
                (to, tls) -> to.set("tls", tls),
                "not asked for",
                "Refuses who has not shown a certificate with 403, whatever `require` says; a"
                        + " listener asks for it.");
    }

    private static Binding<Place, Draft<Place>> where(
            Binding<Place, Draft<Place>> keys, String kind, String says, String meaning) {
        return keys.key(
                kind,
                textOrNone(says),
                one -> one.kind().equals(kind) ? one.text() : null,
                (to, text) -> {
                    to.set("kind", kind);
                    to.set("text", text);
                },
                "",
                meaning);
    }

    private static void setTls(Draft<AccessRules> to, boolean only) {
        if (only && to.build().tls() == TlsAccess.ANY) {
            to.set("tls", TlsAccess.TLS);
        }
    }

    static Form<List<GatewayRule>> rules(Shape.Section shape) {
        return list("rules", RuleKeys.form(shape), 0);
    }

    private static BoundedRegex expression(String text) {
        try {
            return BoundedRegex.of(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not a regular expression", e);
        }
    }
}
