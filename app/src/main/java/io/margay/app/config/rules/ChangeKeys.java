package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.list;
import static io.margay.app.config.binding.Forms.matching;
import static io.margay.app.config.binding.Forms.named;
import static io.margay.app.config.binding.Forms.section;
import static io.margay.app.config.binding.Forms.text;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Choice;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.listener.AddressKeys;
import io.margay.app.yaml.Shape;
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
                    .key(
                            "set",
                            text("a name"),
                            rule -> rule.value() == null ? null : rule.name(),
                            (to, name) -> to.set("name", name),
                            "The variable that is set.")
                    .keys(
                            """
                            value <a text?> [nothing]: Its value, in which $1 is what `regex` found
                              first, %1 what the last condition did, and %{VARIABLE} one of those of
                              conditions.
                            late: Whether the variable keeps what was set otherwise, as with httpd's
                              SetEnv; programs are told this value all the same.
                            """)
                    .key(
                            "unset",
                            text("a name"),
                            rule -> rule.value() == null ? rule.name() : null,
                            (to, name) -> {
                                to.set("name", name);
                                to.set("value", null);
                            },
                            "The variable that is removed.")
                    .then(MatchKeys::ordered)
                    .exactlyOne("set", "unset");

    private static final Keys<MapSource> MAP =
            Choice.<MapSource>of("a map")
                    .or(
                            "function",
                            "\"function\"",
                            new MapSource.Made(MapSource.Function.LOWER),
                            "function [required]: Makes the value of the key.")
                    .or(
                            "file",
                            "\"file\"",
                            new MapSource.Lines(Path.of("/"), false),
                            """
                            file [required]: File with a key and a value in each line, read again
                              when it changes.
                            random: With `file`: a key has several values, separated by |, of which
                              one is picked at random.
                            """);

    /// What an error page shows.
    private static final Choice<Content> CONTENT =
            Choice.<Content>of("what an error page shows")
                    .or(
                            "text",
                            "\"text\"",
                            new Content.Text(""),
                            "text <a text?> [required]: Shown as HTML.")
                    .or(
                            "file",
                            "\"file\"",
                            new Content.Page(Path.of("/"), ""),
                            """
                            file [required]: A file, read again when it changes.
                            asked-as (path) <a path>: With `file`: only who may ask for this path of
                              the host sees it; others get the server's own page.
                            """)
                    .or(
                            "page",
                            "\"page\"",
                            new Content.Asked("/"),
                            """
                            page (target) <a path?> [required]: A path of the host, with its query:
                              what answers it by GET, a file or what rules have for it, takes the
                              place of the page; the status is the error's unless a program says
                              another than 200, or a member says any.
                            """)
                    .or(
                            "url",
                            "\"url\"",
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
                            hops <0 to 1000>: How many addresses of the list are believed at most; 0
                              = as many as are of trusted proxies.
                            keeps-field: Whether the field stays as it came, as with nginx.
                            """);

    /// What a host says, but for what is said of its routes.
    public static final Keys<HostChanges> CHANGES =
            Binding.of("what a host changes", HostChanges.NONE)
                    .form("variables", list("variables", section(VARIABLE), 0))
                    .form("maps", named("maps by name", "NAME", Shape.text("a name"), section(MAP)))
                    .form("request-headers", list("changes", section(field(false)), 0))
                    .form("response-headers", list("changes", section(field(true)), 0))
                    .form("error-pages", list("pages", section(PAGE), 0))
                    .form("client-address", section(CLIENT))
                    .keys(
                            """
                            variables: Set before rules are asked, in order; `%{ENV:NAME}` from then
                              on.
                            maps: For `${map:key}` in rules.
                            request-headers (request): Fields of requests that are changed on their
                              way to peers, in order.
                            response-headers (response): Fields of responses that are changed,
                              whoever answers, in order.
                            error-pages (errors): Pages in place of the server's own error pages; of
                              several for a request the last one is used.
                            client-address (client): Where a client's address is taken from when
                              trusted proxies stand in front. Everything on the host, access logs
                              too, then shows that address.
                            """)
                    .form("compression", () -> ResponseKeys.COMPRESSIONS)
                    .form("expires", () -> ResponseKeys.EXPIRIES)
                    .form("request-sizes", () -> TrafficKeys.SIZES_OF_HOST)
                    .form(CacheKeys.CACHE, () -> CacheKeys.OF_HOST)
                    .form("bandwidth", () -> TrafficKeys.BANDWIDTHS_OF_HOST)
                    .keys(
                            """
                            compression [nothing is compressed]: Which responses are compressed for
                              clients that accept it, whoever answers; `{}` with the values listed.
                              Of several, the first that takes path and media type decides, unless
                              the client accepts none of its codings.
                            expires (expiry): How long clients may keep responses that are no errors
                              and say no `Expires`.
                            request-sizes (sizes) [those of the listener]: How large requests may
                              be, beside what `limits` of the server says; all that are about a
                              request hold.
                            cache [nothing is kept]: Which responses of applications and gateways
                              are kept for other clients; `{}` with the values listed. Of several,
                              the first that takes a request decides.
                            bandwidth [as fast as clients take it]: How fast the content of each
                              response is sent. The first that is about a request decides; those of
                              routes come before those of the host.
                            """);

    private ChangeKeys() {}

    private static Keys<FieldRule> field(boolean response) {
        Binding<FieldRule, Draft<FieldRule>> changes =
                Binding.of(
                        "a change",
                        new FieldRule(PathMatch.ANY, List.of(), Change.SET, "", "", "", false));
        for (Change change : Change.values()) {
            changes =
                    changes.key(
                            key(change),
                            matching(
                                    "the name of a field",
                                    name ->
                                            name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
                                                    && !FieldRule.isProtected(name),
                                    "X-Some"),
                            rule -> rule.change() == change ? rule.name() : null,
                            (to, name) -> {
                                to.set("change", change);
                                to.set("name", name);
                            },
                            "",
                            meaning(change));
        }
        changes =
                changes.keys(
                        """
                        value <a text?> [nothing]: The value, in which %{VARIABLE} stands for one of
                          those of conditions, and %{VARIABLE|text} for text where it is empty; $1
                          is what `find` or `regex` found first.
                        find (regex) <a regular expression?>: With `edit`: the expression to look
                          for.
                        """);
        if (response) {
            changes =
                    changes.keys(
                            """
                            always: Whether it holds for the server's own errors and redirections,
                              too.
                            apart: Whether it sees but a part of the fields of what another has
                              answered, as in httpd: with `always` those that changes with `always`,
                              or a program of FastCGI, have said; else the rest.
                            """);
        }
        return changes.then(MatchKeys::ordered)
                .exactlyOne(Stream.of(Change.values()).map(ChangeKeys::key).toList());
    }

    private static String key(Change change) {
        return change.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String meaning(Change change) {
        return switch (change) {
            case SET -> "Sets the field, in place of all of this name.";
            case SET_IF_EMPTY -> "Sets the field if the message has none of this name.";
            case ADD -> "Adds a field beside those of this name.";
            case APPEND -> "Appends to the field, after a comma.";
            case MERGE -> "Appends to the field unless the list has it already.";
            case UNSET -> "Removes all fields of this name.";
            case EDIT -> "In its value, what `find` finds first is replaced by `value`.";
            case EDIT_ALL -> "The same with everything that `find` finds.";
        };
    }
}
