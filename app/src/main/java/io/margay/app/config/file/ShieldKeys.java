package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.config.listener.AddressKeys;
import io.margay.app.config.members.MemberSourceShape;
import io.margay.app.config.rules.MatchKeys;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.shield.KnownBot;
import io.margay.gateway.shield.Shield;
import io.margay.gateway.shield.ShieldLimits;
import io.margay.gateway.shield.ShieldSettings;
import io.margay.gateway.shield.ShieldSettings.Budget;
import io.margay.gateway.shield.ShieldSettings.Challenge;
import io.margay.gateway.shield.ShieldSettings.Impostors;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The keys by which hosts say how they are shielded from crawlers and floods.
final class ShieldKeys {
    private static final String KEY = "shield";
    private static final int PROOF_BITS = 15;
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration LIFETIME = Duration.ofHours(12);
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Duration CHEAP = Duration.ofMillis(2);

    private ShieldKeys() {}

    static Shape.Key ofHost() {
        List<Shape.Key> keys = new ArrayList<>(costKeys());
        keys.addAll(challengeKeys());
        keys.addAll(botKeys());
        keys.addAll(exceptKeys());
        return optional(
                KEY,
                new Section("a shield", keys, List.of()),
                "none",
                "Keeps out clients that cost too much, or are not who they claim to be, unless they"
                        + " answer a challenge.");
    }

    static Shape.Key ofRoute() {
        return optional(
                KEY, flag(), "true", "false = the shield of the host is not about its requests.");
    }

    private static List<Shape.Key> costKeys() {
        Section budget =
                new Section(
                        "a budget",
                        List.of(
                                required(
                                        "cost",
                                        duration(),
                                        "Processor time of the requests of one client, or the time"
                                                + " that members take until they answer."),
                                optional(
                                        "window",
                                        duration(),
                                        "10s",
                                        "The time in which it may cost so much."),
                                optional(
                                        "by",
                                        choice(List.of("address", "network")),
                                        "address",
                                        "What is one client: its address, with IPv6 its /64; or its"
                                                + " network, /24 or /48."),
                                optional(
                                        "cheap",
                                        duration(),
                                        "2ms",
                                        "Requests for paths that cost less on average pass also"
                                                + " when the budget is used up.")),
                        List.of());
        return List.of(
                optional("budget", budget, "none", "What the requests of one client may cost."));
    }

    private static List<Shape.Key> challengeKeys() {
        return List.of(
                optional(
                        "challenge",
                        choice(List.of("never", "over-budget", "unknown", "all")),
                        "over-budget",
                        "Who is challenged: over-budget = who has used up its budget; unknown = who"
                                + " does not look like a browser, too; all = all but verified bots;"
                                + " never = nobody, and who is over its budget gets 429."),
                optional(
                        "proof-bits",
                        whole(0, ShieldSettings.PROOF_BITS_MAX),
                        String.valueOf(PROOF_BITS),
                        "How much a browser's script has to compute: each bit doubles it; 15 take"
                                + " about a tenth of a second."),
                optional(
                        "without-script",
                        flag(),
                        "true",
                        "Whether who runs no script may go on after a while, by a link."),
                optional(
                        "wait",
                        duration(),
                        "5s",
                        "With `without-script`: after what time, in whole seconds."),
                optional(
                        "lifetime",
                        duration(),
                        "12h",
                        "How long a client that has answered is not challenged again."),
                optional(
                        "secret",
                        text("a text of 16 characters or more").asSecret(),
                        "of chance, made when the server starts",
                        "Of which the keys of cookies are made; the same at servers beside each"
                                + " other."));
    }

    private static List<Shape.Key> botKeys() {
        Section bot =
                new Section(
                        "a bot",
                        List.of(
                                required("name", text("a name"), "What it is called."),
                                required(
                                        "agent",
                                        AccessShape.anything("a regular expression"),
                                        "Found in its `User-Agent`, whatever the case."),
                                required(
                                        "domains",
                                        new Items("domains", text("a domain"), 1),
                                        "Domains in which the names of its addresses are.")),
                        List.of());
        return List.of(
                optional(
                        "bots",
                        new Items("bots", bot, 0, true),
                        "the search engines that say their domains",
                        "Bots that are verified by the DNS, and then always let pass."),
                optional(
                        "resolvers",
                        new Items(
                                "addresses", text("an address", MemberSourceShape::nameServer), 0),
                        "those of the system",
                        "Name servers that are asked, as 10.0.0.2 or 10.0.0.2:5353."),
                optional(
                        "impostors",
                        choice(List.of("pass", "challenge", "refuse", "tarpit")),
                        "refuse",
                        "What becomes of clients that claim to be such a bot and are not: refuse ="
                                + " 403; tarpit = a response byte by byte; pass = as any other."));
    }

    private static List<Shape.Key> exceptKeys() {
        return List.of(
                optional(
                        "except",
                        AddressKeys.networks(0),
                        "nobody",
                        "Addresses and networks of clients that it is not about."),
                optional(
                        "except-paths",
                        new Items("paths", text("a path"), 0),
                        "none",
                        "Paths that it is not about, with what lies below them."),
                optional(
                        "credentials",
                        new Items(
                                "fields and cookies",
                                text("header:NAME, cookie:NAME or session", LimitKey::parse),
                                0),
                        "none",
                        "Requests with one of these are let pass, whatever it says: clients can"
                                + " make them up."),
                optional(
                        "log-only",
                        flag(),
                        "false",
                        "Whether nobody is kept out: what would be is counted."));
    }

    /// Reads the shield of a host; null when it has none.
    static @Nullable ShieldSettings read(
            Settings host, HostChanges changes, List<Problem> problems) {
        Settings section = host.section(KEY).orElse(null);
        if (section == null) {
            return null;
        }
        try {
            ShieldSettings settings = settings(section, host);
            Object _ =
                    new Shield(
                            settings,
                            changes,
                            ShieldLimits.defaults(),
                            new Shield.Means(
                                    System::nanoTime,
                                    System::currentTimeMillis,
                                    System::nanoTime,
                                    new SplittableRandom(),
                                    ""));
            return settings;
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(host.position(KEY), String.valueOf(e.getMessage())));
            return null;
        }
    }

    private static ShieldSettings settings(Settings section, Settings host) {
        Challenge challenge =
                word(section, "challenge").map(Challenge::valueOf).orElse(Challenge.OVER_BUDGET);
        Budget budget = section.section("budget").map(ShieldKeys::budget).orElse(null);
        if (budget == null && challenge == Challenge.NEVER && !section.has("impostors")) {
            throw new IllegalArgumentException("a shield without a budget challenges nobody");
        }
        boolean scriptOnly =
                section.has("without-script") && !RuleReader.flag(section, "without-script");
        List<PathMatch> paths = new ArrayList<>();
        section.list("except-paths", String.class)
                .forEach(path -> paths.add(new PathMatch.Prefix(path)));
        host.section("routes")
                .ifPresent(routes -> {
                    for (String path : routes.keys()) {
                        Settings route = routes.section(path).orElseThrow();
                        if (route.has(KEY) && !RuleReader.flag(route, KEY)) {
                            paths.add(MatchKeys.under(path));
                        }
                    }
                });
        return new ShieldSettings(
                budget,
                challenge,
                section.number("proof-bits").map(Math::toIntExact).orElse(PROOF_BITS),
                scriptOnly ? null : section.duration("wait").orElse(WAIT),
                section.duration("lifetime").orElse(LIFETIME),
                section.text("secret").orElse(null),
                section.has("bots")
                        ? section.list("bots", Settings.class).stream()
                                .map(ShieldKeys::bot)
                                .toList()
                        : KnownBot.SEARCH_ENGINES,
                section.list("resolvers", InetSocketAddress.class),
                word(section, "impostors").map(Impostors::valueOf).orElse(Impostors.REFUSE),
                section.list("except", String.class),
                paths,
                section.list("credentials", LimitKey.class),
                RuleReader.flag(section, "log-only"));
    }

    private static Optional<String> word(Settings section, String key) {
        return section.text(key).map(text -> text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static Budget budget(Settings section) {
        return new Budget(
                section.duration("cost").orElse(Duration.ZERO),
                section.duration("window").orElse(WINDOW),
                LimitKey.parse(section.text("by").orElse("address")),
                section.duration("cheap").orElse(CHEAP));
    }

    private static KnownBot bot(Settings section) {
        return new KnownBot(
                section.text("name").orElse(""),
                section.text("agent").orElse(""),
                section.list("domains", String.class));
    }
}
