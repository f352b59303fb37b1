package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.flag;
import static io.margay.app.config.binding.Forms.list;
import static io.margay.app.config.binding.Forms.named;
import static io.margay.app.config.binding.Forms.path;
import static io.margay.app.config.binding.Forms.section;
import static io.margay.app.config.binding.Forms.text;
import static io.margay.app.config.binding.Forms.textOrNone;
import static io.margay.app.config.binding.Forms.textsOf;
import static io.margay.app.config.binding.Forms.whole;
import static io.margay.app.config.binding.Forms.word;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Held;
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
import io.margay.gateway.rules.VariableRuleBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// The keys of a host that say what is changed in requests and responses.
public final class ChangeKeys {
    private static final Form<List<String>> NETWORKS =
            textsOf(AddressKeys.networks(0), "10.0.0.0/8");

    private static final Binding<VariableRule, VariableRuleBuilder> VARIABLE =
            Binding.of(
                            "a variable",
                            new VariableRule(PathMatch.ANY, List.of(), "", ""),
                            VariableRuleBuilder::builder,
                            VariableRuleBuilder::build)
                    .key(
                            "set",
                            text("a name"),
                            rule -> rule.value() == null ? null : rule.name(),
                            VariableRuleBuilder::name,
                            "The variable that is set.")
                    .key(
                            "value",
                            textOrNone("a text"),
                            "nothing",
                            "Its value, in which $1 is what `regex` found first, %1 what the last"
                                    + " condition did, and %{VARIABLE} one of those of conditions.")
                    .key(
                            "unset",
                            text("a name"),
                            rule -> rule.value() == null ? rule.name() : null,
                            (to, name) -> to.name(name).value(null),
                            "The variable that is removed.")
                    .part("match", MatchKeys.MATCH)
                    .key(
                            MatchKeys.WHEN,
                            MatchKeys.CONDITIONS,
                            MatchKeys.ALWAYS,
                            MatchKeys.WHEN_MEANS)
                    .key(MatchKeys.ORDER, whole(0, Integer.MAX_VALUE), MatchKeys.ORDER_MEANS)
                    .exactlyOne("set", "unset");

    private static final Binding<MapSource, Held<MapSource>> MAP =
            Binding.<MapSource>ofOne("a map", new MapSource.Lines(Path.of(""), false))
                    .key(
                            "function",
                            word(MapSource.Function.values()),
                            map -> map instanceof MapSource.Made made ? made.function() : null,
                            (to, function) -> to.set(new MapSource.Made(function)),
                            "",
                            "Makes the value of the key.")
                    .key(
                            "file",
                            path(),
                            map ->
                                    map instanceof MapSource.Lines lines
                                                    && !lines.file().toString().isEmpty()
                                            ? lines.file()
                                            : null,
                            (to, file) -> to.set(new MapSource.Lines(file, false)),
                            "",
                            "File with a key and a value in each line, read again when it changes.")
                    .key(
                            "random",
                            flag(),
                            map -> map instanceof MapSource.Lines lines && lines.random(),
                            (to, random) -> {
                                if (to.get() instanceof MapSource.Lines lines) {
                                    to.set(new MapSource.Lines(lines.file(), random));
                                }
                            },
                            "With `file`: a key has several values, separated by |, of which one is"
                                    + " picked at random.")
                    .exactlyOne("function", "file");

    /// A page that shows nothing yet.
    private static final Content NOTHING = new Content.Page(Path.of(""), "");

    public static final Keys<ErrorPage> PAGE = page();

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
                    .key(
                            ResponseKeys.COMPRESSION,
                            ResponseKeys.COMPRESSIONS,
                            "nothing is compressed",
                            "Which responses are compressed for clients that accept it, whoever"
                                    + " answers; `{}` with the values listed. Of several, the first"
                                    + " that takes path and media type decides, unless the client"
                                    + " accepts none of its codings.")
                    .keyAs(
                            "expiry",
                            ResponseKeys.EXPIRES,
                            ResponseKeys.EXPIRIES,
                            "How long clients may keep responses that are no errors and say no"
                                    + " `Expires`.")
                    .keyAs(
                            "sizes",
                            TrafficKeys.SIZES,
                            TrafficKeys.SIZES_OF_HOST,
                            "those of the listener",
                            "How large requests may be, beside what `limits` of the server says;"
                                    + " all that are about a request hold.")
                    .key(
                            CacheKeys.CACHE,
                            CacheKeys.ofHost(),
                            "nothing is kept",
                            "Which responses of applications and gateways are kept for other"
                                    + " clients; `{}` with the values listed. Of several, the first"
                                    + " that takes a request decides.")
                    .key(
                            TrafficKeys.BANDWIDTH,
                            TrafficKeys.BANDWIDTHS_OF_HOST,
                            "as fast as clients take it",
                            "How fast the content of each response is sent. The first that is about"
                                    + " a request decides; those of routes come before those of the"
                                    + " host.");

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
                            text("the name of a field", ChangeKeys::fieldName, "X-Some"),
                            rule -> rule.change() == change ? rule.name() : null,
                            (to, name) -> {
                                to.set("change", change);
                                to.set("name", name);
                            },
                            "",
                            meaning(change));
        }
        changes =
                changes.form("value", textOrNone("a text"))
                        .form("find", textOrNone("a regular expression"))
                        .keys(
                                """
                                value [nothing]: The value, in which %{VARIABLE} stands for one of
                                  those of conditions, and %{VARIABLE|text} for text where it is
                                  empty; $1 is what `find` or `regex` found first.
                                find (regex): With `edit`: the expression to look for.
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
        return changes.part("match", MatchKeys.MATCH)
                .key(MatchKeys.WHEN, MatchKeys.CONDITIONS, MatchKeys.ALWAYS, MatchKeys.WHEN_MEANS)
                .key(MatchKeys.ORDER, whole(0, Integer.MAX_VALUE), MatchKeys.ORDER_MEANS)
                .exactlyOne(List.of(Change.values()).stream().map(ChangeKeys::key).toList());
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

    private static String fieldName(String name) {
        if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+") || FieldRule.isProtected(name)) {
            throw new IllegalArgumentException("");
        }
        return name;
    }

    private static Binding<Content, Held<Content>> content() {
        return Binding.<Content>ofOne("what an error page shows", NOTHING)
                .key(
                        "text",
                        textOrNone("a text"),
                        shown -> shown instanceof Content.Text(String text) ? text : null,
                        (to, text) -> to.set(new Content.Text(text)),
                        "",
                        "Shown as HTML.")
                .key(
                        "file",
                        path(),
                        shown ->
                                shown instanceof Content.Page page && !page.equals(NOTHING)
                                        ? page.file()
                                        : null,
                        (to, file) -> to.set(new Content.Page(file, "")),
                        "",
                        "A file, read again when it changes.")
                .key(
                        "asked-as",
                        text("a path"),
                        shown ->
                                shown instanceof Content.Page page && !page.path().isEmpty()
                                        ? page.path()
                                        : null,
                        (to, path) -> {
                            if (to.get() instanceof Content.Page page && !page.equals(NOTHING)) {
                                to.set(new Content.Page(page.file(), path));
                            }
                        },
                        "With `file`: only who may ask for this path of the host sees it;"
                                + " others get the server's own page.")
                .key(
                        "page",
                        textOrNone("a path"),
                        shown -> shown instanceof Content.Asked(String target) ? target : null,
                        (to, target) -> to.set(new Content.Asked(target)),
                        "",
                        "A path of the host, with its query: what answers it by GET, a file"
                                + " or what rules have for it, takes the place of the page;"
                                + " the status is the error's unless a program says another"
                                + " than 200, or a member says any.")
                .key(
                        "url",
                        textOrNone("a URL or a path"),
                        shown -> shown instanceof Content.Elsewhere(String url) ? url : null,
                        (to, url) -> to.set(new Content.Elsewhere(url)),
                        "",
                        "Another place, to which the client is redirected.")
                .key(
                        "own",
                        flag(),
                        shown -> shown instanceof Content.Own ? Boolean.TRUE : null,
                        (to, _) -> to.set(new Content.Own()),
                        "",
                        "The server's own page.");
    }

    private static Keys<ErrorPage> page() {
        return Binding.of("an error page", new ErrorPage(PathMatch.ANY, 500, NOTHING))
                .required("status", whole(400, 599), "The status it is for.")
                .part("content", content())
                .part("match", MatchKeys.MATCH)
                .key(MatchKeys.WHEN, MatchKeys.CONDITIONS, MatchKeys.ALWAYS, MatchKeys.WHEN_MEANS)
                .key(MatchKeys.ORDER, whole(0, Integer.MAX_VALUE), MatchKeys.ORDER_MEANS)
                .exactlyOne("text", "file", "page", "url", "own");
    }
}
