package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.flag;
import static io.margay.app.config.binding.Forms.list;
import static io.margay.app.config.binding.Forms.listOrOne;
import static io.margay.app.config.binding.Forms.parsed;
import static io.margay.app.config.binding.Forms.section;
import static io.margay.app.config.binding.Forms.text;
import static io.margay.app.config.binding.Forms.textOrNone;
import static io.margay.app.config.binding.Forms.whole;
import static io.margay.app.config.binding.Forms.word;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.listener.AddressKeys;
import io.margay.app.config.members.MemberSourceKeys;
import io.margay.app.config.rules.MatchKeys;
import io.margay.app.yaml.Settings;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The keys by which hosts say how they are shielded from crawlers and floods.
final class ShieldKeys {
    static final String KEY = "shield";
    private static final LimitKey ADDRESS = new LimitKey.Address();

    private static final Form<List<String>> NETWORKS = AddressKeys.networks(0);

    private static final Keys<Budget> BUDGET =
            Binding.of(
                            "a budget",
                            new Budget(
                                    Duration.ofSeconds(1),
                                    Duration.ofSeconds(10),
                                    ADDRESS,
                                    Duration.ofMillis(2)))
                    .form(
                            "by",
                            word(
                                    List.of(ADDRESS, new LimitKey.Network()),
                                    key -> key.equals(ADDRESS) ? "address" : "network"))
                    .keys(
                            """
                            cost [required]: Processor time of the requests of one client, or the
                              time that members take until they answer.
                            window: The time in which it may cost so much.
                            by: What is one client: its address, with IPv6 its /64; or its network,
                              /24 or /48.
                            cheap: Requests for paths that cost less on average pass also when the
                              budget is used up.
                            """);

    private static final Keys<KnownBot> BOT =
            Binding.of("a bot", new KnownBot("a", "a", List.of("a.example")))
                    .form("agent", textOrNone("a regular expression"))
                    .form("domains", list("domains", text("a domain").such("b.example"), 1))
                    .keys(
                            """
                            name <a name> [required]: What it is called.
                            agent [required]: Found in its `User-Agent`, whatever the case.
                            domains [required]: Domains in which the names of its addresses are.
                            """);

    /// A shield, but for routes that it is not about.
    static final Keys<ShieldSettings> SHIELD =
            Binding.of(
                            "a shield",
                            new ShieldSettings(
                                    null,
                                    Challenge.OVER_BUDGET,
                                    15,
                                    Duration.ofSeconds(5),
                                    Duration.ofHours(12),
                                    null,
                                    KnownBot.SEARCH_ENGINES,
                                    List.of(),
                                    Impostors.REFUSE,
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    false))
                    .form("budget", section(BUDGET))
                    .form("proof-bits", whole(0, ShieldSettings.PROOF_BITS_MAX))
                    .keys(
                            """
                            budget: What the requests of one client may cost.
                            challenge: Who is challenged: over-budget = who has used up its budget;
                              unknown = who does not look like a browser, too; all = all but
                              verified bots; never = nobody, and who is over its budget gets 429.
                            proof-bits: How much a browser's script has to compute: each bit doubles
                              it; 15 take about a tenth of a second.
                            wait (withoutScript): With `without-script`: after what time, in whole
                              seconds.
                            """)
                    .key(
                            "without-script",
                            flag(),
                            one -> one.withoutScript() != null,
                            ShieldKeys::setScript,
                            "Whether who runs no script may go on after a while, by a link.")
                    .form(
                            "secret",
                            text("a text of 16 characters or more")
                                    .such("k".repeat(ShieldSettings.SECRET_CHARS_MIN))
                                    .secret())
                    .form("bots", listOrOne("bots", section(BOT), 0))
                    .form("resolvers", list("addresses", MemberSourceKeys.NAME_SERVER, 0))
                    .form("except", NETWORKS)
                    .form(
                            "except-paths",
                            list("paths", text("a path"), 0)
                                    .as(ShieldKeys::below, ShieldKeys::texts))
                    .form(
                            "credentials",
                            list(
                                    "fields and cookies",
                                    parsed(
                                            "header:NAME, cookie:NAME or session",
                                            LimitKey::parse,
                                            RequestLimitKeys::written,
                                            "header:X-Key"),
                                    0))
                    .keys(
                            """
                            lifetime: How long a client that has answered is not challenged again.
                            secret [of chance, made when the server starts]: Of which the keys of
                              cookies are made; the same at servers beside each other.
                            bots [=the search engines that say their domains]: Bots that are
                              verified by the DNS, and then always let pass.
                            resolvers [those of the system]: Name servers that are asked, as
                              10.0.0.2 or 10.0.0.2:5353.
                            impostors: What becomes of clients that claim to be such a bot and are
                              not: refuse = 403; tarpit = a response byte by byte; pass = as any
                              other.
                            except (networks) [nobody]: Addresses and networks of clients that it is
                              not about.
                            except-paths (paths): Paths that it is not about, with what lies below
                              them.
                            credentials: Requests with one of these are let pass, whatever it says:
                              clients can make them up.
                            log-only: Whether nobody is kept out: what would be is counted.
                            """);

    private ShieldKeys() {}

    /// Reads the shield of a host; null when it has none.
    static @Nullable ShieldSettings read(Settings host, HostChanges changes, Reading reading) {
        Settings section = host.section(KEY).orElse(null);
        if (section == null) {
            return null;
        }
        try {
            ShieldSettings settings = settings(section, host, reading);
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
            reading.problem(host, KEY, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static ShieldSettings settings(Settings section, Settings host, Reading reading) {
        ShieldSettings read = SHIELD.read(section, SHIELD.defaults(), reading);
        if (read.budget() == null
                && read.challenge() == Challenge.NEVER
                && !section.has("impostors")) {
            throw new IllegalArgumentException("a shield without a budget challenges nobody");
        }
        List<PathMatch> paths = new ArrayList<>(read.paths());
        host.section("routes")
                .ifPresent(routes -> {
                    for (String path : routes.keys()) {
                        Settings route = routes.section(path).orElseThrow();
                        if (route.has(KEY) && !route.get(KEY, Boolean.class).orElse(true)) {
                            paths.add(MatchKeys.under(path));
                        }
                    }
                });
        Draft<ShieldSettings> whole = new Draft<>(read);
        whole.set("paths", paths);
        return whole.build();
    }

    private static void setScript(Draft<ShieldSettings> to, boolean without) {
        if (!without) {
            to.set("withoutScript", null);
        }
    }

    private static List<PathMatch> below(List<String> paths) {
        return paths.stream().<PathMatch>map(PathMatch.Prefix::new).toList();
    }

    private static List<String> texts(List<PathMatch> paths) {
        return paths.stream()
                .map(one -> one instanceof PathMatch.Prefix(String path) ? path : "/")
                .toList();
    }
}
