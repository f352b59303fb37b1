package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Choice;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.listener.AddressKeys;
import io.margay.gateway.rules.ClientAddress;
import io.margay.gateway.rules.ErrorPage;
import io.margay.gateway.rules.ErrorPage.Content;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.FieldRule.Change;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.VariableRule;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The keys of a host that say what is changed in requests and responses.
public final class ChangeKeys {
    private static final Form<List<String>> NETWORKS = AddressKeys.networks(0);

    private static final Keys<VariableRule> VARIABLE =
            Binding.of("a variable", new VariableRule(PathMatch.ANY, List.of(), "", ""))
                    .form("set", text("a name"), rule -> rule.value() == null ? null : rule.name())
                    .form(
                            "unset",
                            text("a name"),
                            rule -> rule.value() == null ? rule.name() : null,
                            (to, name) -> to.set("name", name).set("value", null))
                    .keys(
                            """
                            set (name): The variable that is set.
                            value <a text?> [nothing]: Its value, in which $1 is what `regex` found
                              first, %1 what the last condition did, and %{VARIABLE} one of those of
                              conditions.
                            late: Does not override a variable set elsewhere, as httpd's SetEnv;
                              programs get this value anyway.
                            unset: The variable that is removed.
                            """)
                    .then(MatchKeys::ordered)
                    .exactlyOne("set", "unset");

    private static final Keys<MapSource> MAP =
            Choice.<MapSource>of("a map")
                    .or(
                            "function",
                            new MapSource.Made(MapSource.Function.LOWER),
                            "function [required]: Makes the value of the key.")
                    .or(
                            "file",
                            new MapSource.Lines(Path.of("/"), false),
                            """
                            file [required]: File with a key and a value in each line, read again
                              when it changes.
                            random: With `file`: a key has several values, separated by |, of which
                              one is picked at random.
                            """);

    private static final Choice<Content> CONTENT =
            Choice.<Content>of("what an error page shows")
                    .or("text", new Content.Text(""), "text <a text?> [required]: Shown as HTML.")
                    .or(
                            "file",
                            new Content.Page(Path.of("/"), ""),
                            """
                            file [required]: A file, read again when it changes.
                            asked-as (path) <a path>: With `file`: shown only to clients that may
                              request this path; others get the server's own page.
                            """)
                    .or(
                            "page",
                            new Content.Asked("/"),
                            """
                            page (target) <a path?> [required]: A path of the host, fetched with
                              GET, whose content becomes the page. The error's status is kept,
                              unless a member answers, or a program sets one other than 200.
                            """)
                    .or(
                            "url",
                            new Content.Elsewhere("/"),
                            """
                            url <a URL or a path?> [required]: Another place, to which the client is
                              redirected.
                            """)
                    .or("own", new Content.Own(), "The server's own page.");

    public static final Keys<ErrorPage> PAGE =
            Binding.of("an error page", new ErrorPage(PathMatch.ANY, 500, new Content.Own()))
                    .keys("status <400 to 599> [required]: The status it is for.")
                    .part("content", CONTENT)
                    .then(MatchKeys::ordered)
                    .exactlyOne(CONTENT.names());

    private static final Keys<ClientAddress> CLIENT =
            Binding.of(
                            "the client's address",
                            new ClientAddress("X-Forwarded-For", List.of(), List.of()))
                    .form("trusted", NETWORKS)
                    .form("internal", NETWORKS)
                    .keys(
                            """
                            field <a field>: The field to which proxies append it, as the last of a
                              list.
                            trusted: Proxies that are trusted when they name a public address;
                              everybody, if neither list is given.
                            internal: Proxies that are trusted whatever address they name.
                            proxies-field (proxies) <a field>: The field of the request that lists
                              the trusted proxies it came by.
                            hops <0 to 1000>: Maximum number of addresses taken from the list; 0 =
                              as many as trusted proxies added.
                            keeps-field: Leaves the field unchanged, as nginx does.
                            """);

    /// What a host says, but for what is said of its routes.
    public static final Keys<HostChanges> CHANGES =
            Binding.of("what a host changes", HostChanges.NONE)
                    .form("variables", list("variables", section(VARIABLE), 0))
                    .form("maps", named("maps by name", section(MAP)))
                    .form("request-headers", list("changes", section(field(false)), 0))
                    .form("response-headers", list("changes", section(field(true)), 0))
                    .form("error-pages", list("pages", section(PAGE), 0))
                    .form("client-address", section(CLIENT))
                    .keys(
                            """
                            variables: Set before rules apply, in order; read as `%{ENV:NAME}`.
                            maps: For `${map:key}` in rules.
                            request-headers (request): Changes to request headers sent to members,
                              in order.
                            response-headers (response): Changes to response headers, in order.
                            error-pages (errors): Custom error pages; of several that match the last
                              one is used.
                            client-address (client): Takes the client's address from a field of
                              trusted proxies, for everything on the host including access logs.
                            """)
                    .form("compression", () -> ResponseKeys.COMPRESSIONS)
                    .form("expires", () -> ResponseKeys.EXPIRIES)
                    .form("request-sizes", () -> TrafficKeys.SIZES_OF_HOST)
                    .form(CacheKeys.CACHE, () -> CacheKeys.OF_HOST)
                    .form("bandwidth", () -> TrafficKeys.BANDWIDTHS_OF_HOST)
                    .form("substitute", () -> SubstitutionKeys.OF_HOST)
                    .keys(
                            """
                            compression [nothing is compressed]: Compresses responses for clients
                              that accept it; `{}` uses the defaults. The first entry that
                              matches path and media type, and has a coding the client accepts,
                              applies.
                            expires (expiry): `Expires` and `Cache-Control: max-age` for successful
                              responses without `Expires`.
                            request-sizes (sizes) [those of the listener]: Limits on the size of
                              requests, beside `limits`; all that match apply.
                            cache [nothing is kept]: Caches responses of applications and members;
                              `{}` uses the defaults. The first entry that matches applies.
                            bandwidth [as fast as clients take it]: Limits the rate of each
                              response. The first entry that matches applies, those of routes first.
                            substitute (substitutions) [nothing]: Replaces text in responses, line
                              by line. Some entries say in which responses, others what; all that
                              match apply.
                            """);

    private ChangeKeys() {}

    private static Keys<FieldRule> field(boolean response) {
        Binding<FieldRule> changes =
                Binding.of(
                        "a change",
                        new FieldRule(PathMatch.ANY, List.of(), Change.SET, "", "", "", false));
        for (Change change : Change.values()) {
            changes =
                    changes.form(
                            key(change),
                            matching(
                                    "the name of a field",
                                    name ->
                                            name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
                                                    && !FieldRule.isProtected(name)),
                            rule -> rule.change() == change ? rule.name() : null,
                            (to, name) -> to.set("change", change).set("name", name));
        }
        changes =
                changes.keys(
                        """
                        set: Sets the field, in place of all of this name.
                        set-if-empty: Sets the field if the message has none of this name.
                        add: Adds a field beside those of this name.
                        append: Appends to the field, after a comma.
                        merge: Appends to the field unless the list has it already.
                        unset: Removes all fields of this name.
                        edit: In its value, what `find` finds first is replaced by `value`.
                        edit-all: The same with everything that `find` finds.
                        value <a text?> [nothing]: The value; %{VARIABLE} is a variable of
                          conditions, %{VARIABLE|text} has a text for an empty one, $1 is the first
                          group of `find` or `regex`.
                        find (regex) <a regular expression?>: With `edit`: the expression to look
                          for.
                        """);
        if (response) {
            changes =
                    changes.keys(
                            """
                            always: Also applies to the server's own errors and redirects.
                            apart: Keeps httpd's two header tables apart: with `always` it changes
                              those set with `always` or by a FastCGI program, else the others.
                            """);
        }
        return changes.then(MatchKeys::ordered)
                .exactlyOne(Stream.of(Change.values()).map(ChangeKeys::key).toList());
    }

    private static String key(Change change) {
        return change.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
