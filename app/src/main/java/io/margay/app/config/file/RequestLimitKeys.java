package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.file.hosts.HostKeys;
import io.margay.app.config.listener.AddressKeys;
import io.margay.app.config.rules.MatchKeys;
import io.margay.app.yaml.Settings;
import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.limit.LimitZones;
import io.margay.gateway.limit.LimiterLimits;
import io.margay.gateway.limit.RequestLimit;
import io.margay.gateway.limit.RequestLimit.Rate;
import io.margay.gateway.limit.RequestLimitBuilder;
import io.margay.gateway.limit.RequestLimiters;
import io.margay.gateway.limit.TrafficRules;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The keys by which hosts and routes say how many requests they take.
final class RequestLimitKeys {
    static final String KEY = "rate-limits";
    private static final int COUNT_MAX = 1_000_000_000;
    private static final Pattern RATE = Pattern.compile("([1-9][0-9]{0,8}) */ *(s|m|min|h|d)");

    /// Any number at once, while nothing is said.
    private static final int UNSAID = Integer.MAX_VALUE;

    /// A rate that nobody can write.
    private static final Rate NO_RATE = new Rate(1, Duration.ofDays(1000), 1, false);

    /// Of what requests are counted together.
    static final Form<LimitKey> LIMIT_KEY =
            parsed(
                    "address, network, user, path, session, header:NAME, cookie:NAME or all",
                    LimitKey::parse,
                    RequestLimitKeys::written);

    private static final Keys<Rate> RATES =
            Binding.of("a rate", NO_RATE)
                    .form(
                            "rate",
                            parsed(
                                    "a number of requests in a time, as in 10/s, 100/m, 5000/h,"
                                            + " 9/d",
                                    RequestLimitKeys::rate,
                                    RequestLimitKeys::written),
                            one -> one.period().equals(NO_RATE.period()) ? null : one,
                            Draft::become)
                    .form(
                            "burst",
                            whole(1, COUNT_MAX),
                            one -> one.burst() == one.count() ? null : one.burst())
                    .form(
                            "algorithm",
                            word(
                                    List.of(false, true),
                                    slides -> slides ? "sliding-window" : "token-bucket"))
                    .keys(
                            """
                            rate [any]: Rate of requests; those above get 429 with `Retry-After`,
                              `RateLimit` and `RateLimit-Policy`.
                            burst [the number of `rate`]: With `rate`: the burst allowed after a
                              pause.
                            algorithm (slides): With `rate`: `token-bucket` allows `burst` at once,
                              then an even rate; `sliding-window` the number in any such period.
                            """)
                    .wrong(
                            "name",
                            section -> !section.has("rate"),
                            "\"burst\" and \"algorithm\" belong to a \"rate\"")
                    .wrong(
                            "rate",
                            section ->
                                    section.has("rate")
                                            && section.has("burst")
                                            && section.text("algorithm")
                                                    .orElse("")
                                                    .startsWith("sliding"),
                            "\"burst\" belongs to the token bucket");

    static final Keys<RequestLimit> LIMIT = limit(true);

    static final Keys<RequestLimit> OF_ROUTE = limit(false);

    private RequestLimitKeys() {}

    /// @param ofHost whether it says which paths it is about
    private static Keys<RequestLimit> limit(boolean ofHost) {
        return Binding.of(
                        "an entry of " + KEY,
                        RequestLimitBuilder.builder()
                                .name("limit")
                                .match(PathMatch.ANY)
                                .when(List.of())
                                .except(List.of())
                                .key(new LimitKey.Address())
                                .concurrent(UNSAID)
                                .queue(Duration.ZERO)
                                .build(),
                        RequestLimitKeys::made)
                .partIfGiven("rate", RATES)
                .form("concurrent", whole(1, COUNT_MAX))
                .form("by", LIMIT_KEY)
                .form("except", AddressKeys.networks(0))
                .keys(
                        """
                        concurrent [=any]: Maximum number of requests in flight; others get 503 with
                          `Retry-After`.
                        by (key): What is counted: the client's address (IPv6: its /64), its network
                          (/24 or /48), the user, the session (`JSESSIONID`), a header or cookie.
                          Requests without it are counted by address.
                        queue: How long a request above the limit may wait before it is refused.
                        except [nobody]: Addresses and networks of clients that are not limited.
                        announce (announces): Adds `RateLimit` to accepted responses, too.
                        log-only: Refuses and delays nothing; counts and logs what would be.
                        name <letters, digits, `.`, `_`, `-`> [=limit-1, limit-2 and so on]: Its
                          name in responses, metrics and the log.
                        """)
                .then(ofHost ? MatchKeys::match : MatchKeys::when)
                .refusal("rate", "");
    }

    private static RequestLimit made(Draft<RequestLimit> of) {
        return of.build().concurrent() == UNSAID ? of.set("concurrent", 0).build() : of.build();
    }

    private static Rate rate(String text) {
        Matcher parts = RATE.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("");
        }
        Duration period =
                switch (parts.group(2)) {
                    case "s" -> Duration.ofSeconds(1);
                    case "m", "min" -> Duration.ofMinutes(1);
                    case "h" -> Duration.ofHours(1);
                    default -> Duration.ofDays(1);
                };
        int count = Integer.parseInt(parts.group(1));
        return new Rate(count, period, count, false);
    }

    private static String written(Rate rate) {
        String unit =
                switch ((int) rate.period().toSeconds()) {
                    case 1 -> "s";
                    case 60 -> "m";
                    case 3600 -> "h";
                    default -> "d";
                };
        return rate.count() + "/" + unit;
    }

    static String written(LimitKey key) {
        return switch (key) {
            case LimitKey.Everybody _ -> "all";
            case LimitKey.Address _ -> "address";
            case LimitKey.Network _ -> "network";
            case LimitKey.User _ -> "user";
            case LimitKey.Path _ -> "path";
            case LimitKey.Header(String name) -> "header:" + name;
            case LimitKey.Cookie(String name) -> "cookie:" + name;
            case LimitKey.Zone _ -> throw new IllegalArgumentException("zones are nginx's");
        };
    }

    /// Reads the limits of a host, those of its routes after them.
    static List<RequestLimit> read(Settings host, HostChanges changes, Reading reading) {
        if (!HostKeys.areIn(host, Set.of(KEY))) {
            return List.of();
        }
        int before = reading.problems().size();
        List<RequestLimit> limits = new ArrayList<>();
        Set<String> names = new HashSet<>(Set.of(TrafficRules.SIZES, TrafficRules.BANDWIDTH));
        add(host, LIMIT, PathMatch.ANY, limits, names, reading);
        HostKeys.routes(
                host,
                (path, route) ->
                        add(route, OF_ROUTE, MatchKeys.under(path), limits, names, reading));
        if (reading.problems().size() > before) {
            return List.of();
        }
        Optional<RequestLimiters> _ =
                reading.made(
                        host,
                        KEY,
                        () ->
                                RequestLimiters.of(
                                        limits,
                                        "",
                                        changes,
                                        LimiterLimits.defaults(),
                                        System::nanoTime,
                                        new SplittableRandom(),
                                        new LimitZones(
                                                SplittableRandom::new, LimiterLimits.defaults()),
                                        null));
        return limits;
    }

    private static void add(
            Settings in,
            Keys<RequestLimit> keys,
            PathMatch match,
            List<RequestLimit> limits,
            Set<String> names,
            Reading reading) {
        for (Settings section : in.list(KEY, Settings.class)) {
            Draft<RequestLimit> otherwise = new Draft<>(keys.defaults());
            otherwise.set("name", "limit-" + (limits.size() + 1));
            otherwise.set("match", match);
            RequestLimit limit = keys.read(section, otherwise.build(), reading);
            if (names.add(limit.name())) {
                limits.add(limit);
            } else {
                reading.problem(section, "name", "a limit \"" + limit.name() + "\" is there");
            }
        }
    }
}
