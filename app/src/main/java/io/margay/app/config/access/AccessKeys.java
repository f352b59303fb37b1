package io.margay.app.config.access;

import static io.margay.app.config.binding.Forms.*;

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
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.compiled.RequestConditions;
import io.margay.gateway.rules.regex.BoundedRegex;
import java.util.ArrayList;
import java.util.List;
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
                    .form("rewrites", REWRITES)
                    .keys(
                            """
                            rewriting (engine) [false]: Enables `rewrites`, here and in later
                              sections.
                            rewrites-below (below) <the beginning of a path, with a slash at the
                              end> [as before]: Only the `rewrites` of this section apply, with this
                              prefix removed from file paths.
                            rewrites-base (base) <a path, with a slash at the end> [the folder's
                              own]: URL path of the folder (RewriteBase).
                            rewrites (rules) [=none]: Rules by `regex` over the whole path of a
                              file, as mod_rewrite has them in folders; `%{FILE}` is that path. With
                              `links: false` everything is refused.
                            """)
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
            login("access rules of a path", LoginKeys.ALONE)
                    .then(AccessKeys::certificate)
                    .then(AccessKeys::require);

    /// What a section says.
    public static final Keys<AccessRules> RULES =
            login("a section", "")
                    .then(AccessKeys::require)
                    .form("merging", word(Merging.OFF, Merging.AND, Merging.OR))
                    .form("always", TermKeys.ALWAYS)
                    .keys(
                            """
                            merging [=only where the section has `require`]: How `require` combines
                              with earlier sections: replaces them (off), both must hold (and), or
                              one (or).
                            always: Terms that must all hold, in every section, else 403, whatever
                              `require` and `satisfy` say. They never ask for a login.
                            """)
                    .partIfGiven("ordered", TermKeys.ORDERED)
                    .form(
                            "methods",
                            TermKeys.METHOD_NAMES.as(
                                    names -> Methods.of(names).names(), List::copyOf))
                    .keys(
                            """
                            methods [all]: Allowed methods; others get 405. An empty list allows
                              all.
                            """)
                    .then(AccessKeys::certificate)
                    .form("tls-only", flag(), one -> one.tls() == TlsAccess.TLS, AccessKeys::setTls)
                    .form("redirects", REDIRECTS)
                    .keys(
                            """
                            tls-only: Refuses requests without TLS.
                            redirects [=none]: Rules that redirect or refuse allowed requests.
                            """)
                    .part("listing", FileKeys.LISTING)
                    .part("variants", FileKeys.VARIANTS)
                    .part("rewriting", REWRITING)
                    .form("content-max", bytes(0, Long.MAX_VALUE))
                    .keys(
                            """
                            content-max (contentBytesMax) [=any]: Maximum content of requests, else
                              413; 0 = any. Requests for files without a length get 411.
                            """)
                    .part("handlers", FileKeys.HANDLERS)
                    .part("types", FileKeys.TYPES)
                    .keys(
                            """
                            links [true]: Follows symbolic links inside the served folder.
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
            Binding.of("a section", new Place("", "", List.of(), false, 0))
                    .then(to -> where(to, "path", "a path"))
                    .then(to -> where(to, "folder", "a folder"))
                    .then(to -> where(to, "file", "a name"))
                    .then(to -> where(to, "peer", "a URL"))
                    .form("inside", whole(0, DEPTH_MAX))
                    .form(
                            "when",
                            MatchKeys.CONDITIONS,
                            one -> one.kind().equals("when") ? one.when() : null,
                            (to, all) -> to.set("kind", "when").set("when", all))
                    .form(
                            "everything",
                            flag(),
                            one -> one.kind().equals("everything") ? true : null,
                            (to, _) -> to.set("kind", "everything"))
                    .keys(
                            """
                            path: Requests for this path and below; with `*`, `?`, `[a-z]` (which
                              match no slash) only for the path itself.
                            folder: Files in this folder, the same.
                            file: Files of this name, the same.
                            peer: Requests passed to a URL that begins so; `*` and `?` match
                              slashes, too.
                            when [always]: Further conditions.
                            everything: All requests.
                            regex: The pattern is a regular expression.
                            inside: Nesting depth: applies only where the last section before it
                              with a smaller depth applies. For `file` and `when`.
                            """)
                    .exactlyOne("path", "folder", "file", "peer", "when", "everything");

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
            Binding.of("access rules", HostAccess.NONE)
                    .elsewhere(ALONE.shapes())
                    .shape("sections", new Shape.Items("sections", SECTION, 0))
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
                            sections [none]: Access rules, applied after `rules`: `everything`; for
                              files `folder` from the root down, then `file`; for members `peer`;
                              then `path`; then `when`. Later sections override earlier ones.
                            urls: URLs that `peer` matches, by upstream.
                            scripts: Upstreams that run files of the host, to which `folder` and
                              `file` apply.
                            folder-files <names, each a name>: Names of per-folder files, where a
                              section has `overrides`; the first that exists is read.
                            folder-forward (passing): Defaults for requests that such files pass on.
                            program-names (programs): Files with such names are programs, sent as
                              files only if a section says so.
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

    private static Binding<AccessRules> login(String says, String further) {
        return Binding.of(says, AccessRules.NONE)
                .form("login", section(LoginKeys.LOGIN))
                .keys("login [=no login]: How users log in, if `require` needs a user." + further);
    }

    private static Binding<AccessRules> require(Binding<AccessRules> keys) {
        return keys.form(
                        "require",
                        TermKeys.REQUIRE,
                        one -> one.required() instanceof Requirement.Group group ? group : null)
                .keys("require (required) [everybody is allowed]: A request needs one of these.");
    }

    private static Binding<AccessRules> certificate(Binding<AccessRules> keys) {
        return keys.form(
                        "client-certificate",
                        CERTIFICATE,
                        one -> one.tls() == TlsAccess.CERTIFICATE ? one.tls() : null)
                .keys(
                        """
                        client-certificate (tls) [not asked for]: Answers clients without a
                          certificate with 403; the listener must request one.
                        """);
    }

    private static Binding<Place> where(Binding<Place> keys, String kind, String says) {
        return keys.form(
                kind,
                textOrNone(says),
                one -> one.kind().equals(kind) ? one.text() : null,
                (to, text) -> to.set("kind", kind).set("text", text));
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
