package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.config.file.hosts.HostKeys;
import io.margay.app.config.listener.AddressKeys;
import io.margay.app.config.rules.MatchKeys;
import io.margay.app.config.rules.RuleReader;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.limit.LimiterLimits;
import io.margay.gateway.limit.RequestLimit;
import io.margay.gateway.limit.RequestLimiters;
import io.margay.gateway.limit.TrafficRules;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The keys by which hosts and routes say how many requests they take, how large these may be, and
/// how fast responses are sent.
final class RequestLimitKeys {
    private static final String KEY = "rate-limits";
    private static final int COUNT_MAX = 1_000_000_000;
    private static final Pattern RATE = Pattern.compile("([1-9][0-9]{0,8}) */ *(s|m|min|h|d)");

    private RequestLimitKeys() {}

    static List<Shape.Key> ofHost() {
        return List.of(
                key(
                        KEY,
                        "limits",
                        limitKeys(),
                        true,
                        "no limits",
                        "How many requests it takes, asked before anything else."));
    }

    static List<Shape.Key> ofRoute() {
        return List.of(
                key(
                        KEY,
                        "limits",
                        limitKeys(),
                        false,
                        "no further limits",
                        "How many requests it takes, beside what the host says."));
    }

    /// @param ofHost whether it says which paths it is about
    private static Shape.Key key(
            String name,
            String what,
            List<Shape.Key> own,
            boolean ofHost,
            String byDefault,
            String meaning) {
        List<Shape.Key> keys = new ArrayList<>(own);
        if (ofHost) {
            keys.addAll(MatchKeys.MATCH.shapes());
        }
        keys.add(MatchKeys.when());
        Section one = new Section("an entry of " + name, keys, List.of());
        return optional(name, new Items(what, one, 0, true), byDefault, meaning);
    }

    private static List<Shape.Key> limitKeys() {
        return List.of(
                optional(
                        "rate",
                        text(
                                "a number of requests in a time, as in 10/s, 100/m, 5000/h, 9/d",
                                RequestLimitKeys::rate),
                        "any",
                        "How many requests come in which time; more get 429 with `Retry-After`,"
                                + " `RateLimit` and `RateLimit-Policy`."),
                optional(
                        "burst",
                        whole(1, COUNT_MAX),
                        "the number of `rate`",
                        "With `rate`: how many may come at once when none have come for long."),
                optional(
                        "algorithm",
                        choice(List.of("token-bucket", "sliding-window")),
                        "token-bucket",
                        "With `rate`: token-bucket = `burst` at once, then evenly; sliding-window ="
                                + " the number in any time so long, whenever they come."),
                optional(
                        "concurrent",
                        whole(1, COUNT_MAX),
                        "any",
                        "How many requests are in flight at the same time; more get 503 with"
                                + " `Retry-After`."),
                optional(
                        "by",
                        text(
                                "address, network, user, path, session, header:NAME, cookie:NAME"
                                        + " or all",
                                LimitKey::parse),
                        "address",
                        "Of what requests are counted together: address = of the client, with IPv6"
                                + " its /64; network = its /24, or /48; user = who has logged in;"
                                + " session = the cookie `JSESSIONID`. Requests that have not got"
                                + " it are counted by address."),
                optional(
                        "queue",
                        duration(),
                        "0s",
                        "How long a request that is too much may wait before it is refused."),
                optional(
                        "except",
                        AddressKeys.networks(0),
                        "nobody",
                        "Addresses and networks of clients that are not limited."),
                optional(
                        "announce",
                        flag(),
                        "false",
                        "Whether responses that are not refused say by `RateLimit` what is left,"
                                + " too."),
                optional(
                        "log-only",
                        flag(),
                        "false",
                        "Whether nobody is refused and nobody waits: what would be is counted and"
                                + " logged."),
                optional(
                        "name",
                        text("letters, digits, `.`, `_`, `-`"),
                        "limit-1, limit-2 and so on",
                        "What responses, metrics and the log call it."));
    }

    private record Parsed(int count, Duration period) {}

    private static Object rate(String text) {
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
        return new Parsed(Integer.parseInt(parts.group(1)), period);
    }

    /// Reads the limits of a host, those of its routes after them.
    static List<RequestLimit> read(Settings host, HostChanges changes, List<Problem> problems) {
        if (!HostKeys.areIn(host, Set.of(KEY))) {
            return List.of();
        }
        List<RequestLimit> limits = new ArrayList<>();
        Set<String> names = new HashSet<>(Set.of(TrafficRules.SIZES, TrafficRules.BANDWIDTH));
        for (Settings section : host.list(KEY, Settings.class)) {
            add(section, RuleReader.match(section), limits, names, problems);
        }
        host.section("routes")
                .ifPresent(routes -> {
                    for (String path : routes.keys()) {
                        Settings route = routes.section(path).orElseThrow();
                        PathMatch match = MatchKeys.under(path);
                        for (Settings section : route.list(KEY, Settings.class)) {
                            add(section, match, limits, names, problems);
                        }
                    }
                });
        check(limits, changes, host, problems);
        return limits;
    }

    private static void add(
            Settings section,
            PathMatch match,
            List<RequestLimit> limits,
            Set<String> names,
            List<Problem> problems) {
        String name = section.text("name").orElse("limit-" + (limits.size() + 1));
        if (!names.add(name)) {
            problems.add(
                    new Problem(section.position("name"), "a limit \"" + name + "\" is there"));
            return;
        }
        try {
            limits.add(
                    new RequestLimit(
                            name,
                            match,
                            RuleReader.when(section),
                            section.list("except", String.class),
                            section.get("by", LimitKey.class).orElse(new LimitKey.Address()),
                            rate(section),
                            section.number("concurrent").map(Math::toIntExact).orElse(0),
                            section.duration("queue").orElse(Duration.ZERO),
                            RuleReader.flag(section, "announce"),
                            RuleReader.flag(section, "log-only")));
        } catch (IllegalArgumentException e) {
            String key = section.has("rate") ? "rate" : "name";
            problems.add(new Problem(section.position(key), String.valueOf(e.getMessage())));
        }
    }

    private static RequestLimit.@Nullable Rate rate(Settings section) {
        Parsed parsed = section.get("rate", Parsed.class).orElse(null);
        if (parsed == null) {
            if (section.has("burst") || section.has("algorithm")) {
                throw new IllegalArgumentException(
                        "\"burst\" and \"algorithm\" belong to a \"rate\"");
            }
            return null;
        }
        boolean slides = section.text("algorithm").orElse("").equals("sliding-window");
        if (slides && section.has("burst")) {
            throw new IllegalArgumentException("\"burst\" belongs to the token bucket");
        }
        int burst = section.number("burst").map(Math::toIntExact).orElse(parsed.count());
        return new RequestLimit.Rate(parsed.count(), parsed.period(), burst, slides);
    }

    private static void check(
            List<RequestLimit> limits, HostChanges changes, Settings host, List<Problem> problems) {
        try {
            Object _ =
                    RequestLimiters.of(
                            limits,
                            "",
                            changes,
                            LimiterLimits.defaults(),
                            System::nanoTime,
                            new SplittableRandom(),
                            null);
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(host.position(KEY), String.valueOf(e.getMessage())));
        }
    }
}
