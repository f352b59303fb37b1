package io.margay.app.config.members;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Forms;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.YamlText;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.gateway.config.AdaptiveConfig;
import io.margay.gateway.config.HashKey;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.HealthConfig.ExpectedResponse;
import io.margay.gateway.config.HealthConfig.Kind;
import io.margay.gateway.config.OutlierConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.config.UpstreamConfig.Retries;
import io.margay.gateway.config.UpstreamConfig.Spread;
import io.margay.gateway.config.UpstreamConfig.Sticky;
import io.margay.gateway.config.UpstreamConfig.Watching;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The keys below `upstreams`.
public final class UpstreamKeys {
    private static final String NONE = "none";
    private static final String CPING = "cping";

    /// The name of an upstream.
    public static final Shape.Scalar NAME =
            Shape.matching(
                    "a name of letters, digits, \"-\", \"_\" and \".\"",
                    name -> name.matches("[A-Za-z0-9_.-]+"),
                    "");

    public static final Form<String> NAMED = Forms.scalar(NAME, YamlText::quote);

    /// The name of an upstream, or the URL of its only member.
    public static final Shape.Scalar NAME_OR_URL =
            Shape.text(
                    "the name of an upstream, or the URL of its only member",
                    text -> isUrl(text) ? text : NAME.parse().apply(text));

    private static final Binding<Sticky> STICKY =
            Binding.of("how sessions stay with a member", Sticky.defaults())
                    .form(
                            "sticky",
                            text("the name of a cookie, or none"),
                            one -> one.enabled() ? one.cookie() : NONE,
                            (to, name) ->
                                    to.set("enabled", !name.equals(NONE))
                                            .set("cookie", name)
                                            .set("parameter", name.toLowerCase(Locale.ROOT)))
                    .form(
                            "sticky-parameter",
                            textOrNone("a name, or nothing"),
                            one ->
                                    one.parameter().equals(one.cookie().toLowerCase(Locale.ROOT))
                                            ? null
                                            : one.parameter())
                    .keys(
                            """
                            sticky: Session cookie (and path parameter, in lower case) whose suffix
                              after the last "." is the member's route.
                            sticky-parameter (parameter) [the cookie's, in lower case]: Name of the
                              path parameter, where it is another.
                            sticky-separator (separator) <a character, or several>: Separator
                              between a session's id and its route.
                            sticky-in-query (queryParameter): Also reads the parameter from the
                              query.
                            sticky-set-cookie (setCookie) <a name>: A cookie that the gateway sets
                              to keep a client with its member; not with `sticky: none`.
                            sticky-set-cookie-path (setCookiePath) <a path> [/]: Its path.
                            sticky-force (force): Requests of a session fail rather than go to
                              another member.
                            """);

    private static final Keys<Retries> RETRIES =
            Binding.of("how often requests are tried once more", Retries.defaults())
                    .form("sent-attempts", whole(0, MemberKeys.COUNT_MAX))
                    .form("retry-floor", whole(0, MemberKeys.COUNT_MAX))
                    .keys(
                            """
                            sent-attempts (sentMax): Maximum attempts once a request was sent and a
                              member may have processed it; 0 = as `attempts`.
                            retry-percent (percent) <0 to 100>: Retry budget: retries per hundred
                              requests of the last ten seconds; 100 = unlimited.
                            retry-floor (floor): Retries always allowed in ten seconds.
                            rounds <1 to 1000>: Rounds over all members when none accepts,
                              `retry-interval` apart.
                            patience: How long a request waits while no member is available.
                            """);

    /// A range of statuses. Immutable.
    private record Statuses(int from, int to) {
        @Override
        public String toString() {
            return from == to ? String.valueOf(from) : from + "-" + to;
        }
    }

    private static final Form<Statuses> STATUSES =
            Forms.parsed("a status or a range, as in 200 or 200-399", UpstreamKeys::statuses);

    private static final Binding<ExpectedResponse> ANSWER =
            Binding.of("an answer", HealthConfig.of(Kind.TCP, "/").answer())
                    .form(
                            "status",
                            STATUSES,
                            one -> new Statuses(one.statusFrom(), one.statusTo()),
                            (to, range) ->
                                    to.set("statusFrom", range.from).set("statusTo", range.to))
                    .keys(
                            """
                            status: Statuses that are good.
                            body <a text> [any]: Text that a good body contains.
                            """);

    public static final Binding<HealthConfig> HEALTH =
            Binding.of("the health checks", HealthConfig.of(Kind.TCP, "/"), UpstreamKeys::health)
                    .form(
                            "ping",
                            word(List.of("tcp", CPING), word -> word),
                            one -> one.kind() == Kind.CPING || one.pingFirst() ? CPING : "tcp",
                            (to, word) -> to.set("pingFirst", word.equals(CPING)))
                    .then(to -> asking(to, Kind.GET))
                    .then(to -> asking(to, Kind.HEAD))
                    .then(to -> asking(to, Kind.OPTIONS))
                    .form("answers", named("other good answers", section(ANSWER)))
                    .keys(
                            """
                            ping: A connection, or AJP13's CPING; part of any other check.
                            get: Path requested with GET.
                            head: Path requested with HEAD.
                            options: Path requested with OPTIONS.
                            host <a host name> [the member's]: `Host` to send.
                            port <1 to 65535> [=the member's]: Checks by HTTP at this port of the
                              member's host, such as `admin` of a Margay.
                            every: How often.
                            passes <1 to 1000>: Successful checks in a row after which a member is
                              used again.
                            fails <1 to 1000>: Failed checks in a row after which a member is no
                              longer used.
                            timeout: Timeout of the whole check.
                            answers: Alternatives that `balancer-manager` can select.
                            """)
                    .part("answer", ANSWER);

    private static final Keys<OutlierConfig> OUTLIERS =
            Binding.of("outliers", OutlierConfig.defaults())
                    .form("errors", Forms.percent())
                    .form("slower", Forms.factor())
                    .form("answers", whole(2, MemberKeys.COUNT_MAX))
                    .form("out-share", Forms.percent())
                    .keys(
                            """
                            errors: How much its failure rate (5xx or no response) exceeds that of
                              the others; 0% = failures do not count.
                            slower: How many times slower than the others it is; 0x = times do not
                              count.
                            answers: Minimum number of responses before a member is judged.
                            every: How often members are judged.
                            out: Length of the first ejection; it doubles each time.
                            out-max: Maximum length.
                            out-share: Share of members ejected at one time; at least one may be,
                              never the last.
                            """);

    private static final Keys<AdaptiveConfig> ADAPTIVE =
            Binding.of("an adaptive limit", AdaptiveConfig.defaults())
                    .form("min", whole(1, MemberKeys.COUNT_MAX))
                    .form("max", whole(1, MemberKeys.COUNT_MAX))
                    .form("slower", Forms.factor())
                    .keys(
                            """
                            min: Requests in flight that a member may always have.
                            max: Maximum number of requests in flight of a member.
                            slower (tolerance): How many times longer than with few requests a
                              response may take.
                            told: Members are trusted to say in `Server-Timing` how long requests
                              waited for a thread (`server-timing` of a Margay); clients do not get
                              the field.
                            """);

    private static final Keys<Watching> WATCHING =
            Binding.of("how members are watched", Watching.NONE)
                    .form("outliers", () -> section(OUTLIERS))
                    .form("adaptive-limit", () -> section(ADAPTIVE))
                    .keys(
                            """
                            outliers [never]: Ejects members that perform worse than the others;
                              `{}` = with the defaults.
                            adaptive-limit (adaptive) [none]: Limits the requests in flight of each
                              member by its response times; `{}` = with the defaults.
                            """);

    private static final Form<HashKey> HASH_BY =
            Forms.parsed("client, path, or a header or cookie, as in cookie SID", HashKey::of);

    private static final Keys<Spread> SPREAD =
            Binding.of("which members are used", Spread.defaults())
                    .form("hash-by", HASH_BY)
                    .form("subset", whole(0, MemberKeys.COUNT_MAX))
                    .keys(
                            """
                            hash-by: With `balance: hash`: requests with an equal value go to the
                              same member.
                            own-zone <a name> [none]: Where this gateway is: members with this
                              `zone` are used first, others when too few of them are usable.
                            subset: Number of members that this gateway uses of many, chosen at
                              random; 0 = all, with `least-time` at least 20.
                            """);

    public static final Keys<UpstreamConfig> UPSTREAM =
            Binding.of("an upstream", UpstreamConfig.of("-", List.of(MemberKeys.NOBODY)))
                    .shape("members", new Items("members", MemberKeys.MEMBER.shape(), 1, true))
                    .keys(
                            """
                            members [required]: Its members, or the source that lists them.
                            dialect: Whose behaviour applies where balancing, recovery and failure
                              statuses differ.
                            balance (method): The balancing method.
                            """)
                    .part("spread", SPREAD)
                    .part(
                            STICKY,
                            UpstreamConfig::sticky,
                            (to, one) -> to.set("sticky", one.enabled() ? one : Sticky.none()))
                    .form("attempts", whole(0, MemberKeys.COUNT_MAX))
                    .keys(
                            """
                            attempts: Maximum number of members tried per request; 0 = each once.
                            """)
                    .part("retries", RETRIES)
                    .form("late-replies-max", whole(-1, MemberKeys.COUNT_MAX))
                    .form("health", section(HEALTH))
                    .keys(
                            """
                            error-escalation (escalation): How long a failing member with requests
                              in flight is not yet in error.
                            late-replies-max (replyTimeoutsMax): Timed-out responses tolerated
                              before a member is in error; -1 = any number.
                            force-recovery: Tries members in error when no other is left.
                            maintain: Pause between rounds of maintenance, in which counters age.
                            health: Active health checks.
                            """)
                    .part("watching", WATCHING)
                    .elsewhere(
                            MemberKeys.COMMON.shapes().stream().map(UpstreamKeys::ofAll).toList());

    private UpstreamKeys() {}

    /// What an upstream says of its members.
    private static Shape.Key ofAll(Shape.Key key) {
        return new Shape.Key(
                key.name(),
                key.form(),
                false,
                key.absent(),
                "Default of its members: " + key.meaning(),
                List.of());
    }

    private static Binding<HealthConfig> asking(Binding<HealthConfig> keys, Kind kind) {
        return keys.form(
                kind.name().toLowerCase(Locale.ROOT),
                path(),
                one -> one.kind() == kind ? one.uri() : null,
                (to, uri) -> to.set("kind", kind).set("uri", uri));
    }

    private static HealthConfig health(Draft<HealthConfig> of) {
        HealthConfig made = of.build();
        return made.pingFirst() && (made.kind() == Kind.TCP || made.kind() == Kind.CPING)
                ? of.set("kind", Kind.CPING).set("pingFirst", false).build()
                : made;
    }

    private static Form<String> path() {
        return text(
                "a path, as in /healthz",
                text -> {
                    if (!text.startsWith("/")) {
                        throw new IllegalArgumentException("it must begin with \"/\"");
                    }
                    return text;
                });
    }

    /// Whether what a route calls its gateway is where it is.
    public static boolean isUrl(String text) {
        return text.matches("(https?|h2c?|ajp)://[^\\s\"\\\\]+");
    }

    private static Statuses statuses(String text) {
        if (!text.matches("[1-5][0-9][0-9](-[1-5][0-9][0-9])?")) {
            throw new IllegalArgumentException("");
        }
        int from = Integer.parseInt(text.substring(0, 3));
        return new Statuses(from, text.length() == 3 ? from : Integer.parseInt(text.substring(4)));
    }

    /// An upstream as it stands in the file.
    public static Map<String, Object> write(UpstreamConfig upstream) {
        UpstreamConfig otherwise = UpstreamConfig.of(upstream.name(), List.of(MemberKeys.NOBODY));
        Map<String, Object> written = UPSTREAM.write(upstream, otherwise);
        List<PeerConfig> peers = upstream.peers();
        written.put("members", peers.stream().map(MemberKeys::write).toList());
        return written;
    }
}
