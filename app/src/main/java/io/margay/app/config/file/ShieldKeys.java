package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.file.hosts.HostKeys;
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
import io.margay.gateway.shield.ShieldSettings.Bots;
import io.margay.gateway.shield.ShieldSettings.Budget;
import io.margay.gateway.shield.ShieldSettings.Challenge;
import io.margay.gateway.shield.ShieldSettings.Disobedient;
import io.margay.gateway.shield.ShieldSettings.Impostors;
import io.margay.gateway.shield.ShieldSettings.Models;
import io.margay.gateway.shield.ShieldSettings.RobotsFile;
import io.margay.gateway.shield.ShieldSettingsBuilder;
import io.margay.gateway.shield.SignedBot;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
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
                            window: Time span of the budget.
                            by: A client is an address (IPv6: /64) or a network (/24 or /48).
                            cheap: Paths that cost less on average are served even over budget.
                            """);

    private static final Keys<KnownBot> BOT =
            Binding.of("a bot", new KnownBot("a", "a", List.of("a.example")))
                    .form("domains", list("domains", text("a domain"), 0))
                    .form("networks", parsed("a URL", URI::create))
                    .keys(
                            """
                            name <a name> [required]: Its name.
                            agent <a regular expression?> [required]: Found in its `User-Agent`,
                              whatever the case.
                            domains [required]: Domains in which the names of its addresses are;
                              may be empty with `networks`.
                            networks [none]: URL of the list of its networks, which is fetched once
                              a day.
                            """);

    private static final Keys<SignedBot> SIGNED =
            Binding.of("a bot", new SignedBot("a", "https://a.example", List.of(), 1))
                    .form("budgets", whole(1, SignedBot.BUDGETS_MAX))
                    .form("agent", text("https://HOST"))
                    .form("thumbprints", list("thumbprints", text("a thumbprint"), 0))
                    .keys(
                            """
                            name <a name> [required]: Its name.
                            agent [required]: Its site, as `Signature-Agent` says it.
                            thumbprints (keys) [all of its site]: Thumbprints of the keys that are
                              accepted.
                            budgets: Its budget, in budgets of one client.
                            """);

    private static final Keys<RobotsFile> ROBOTS =
            Binding.of("a robots.txt", new RobotsFile(Path.of("/srv/robots.txt"), Disobedient.PASS))
                    .keys(
                            """
                            file [required]: The file that `/robots.txt` is answered with. A change
                              applies within a second.
                            disobedient: Treatment of crawlers that request what the file forbids
                              them: `refuse` = 403; `pass` = they are only counted.
                            """);

    private static final Binding<Bots> BOTS =
            Binding.of(
                            "what becomes of bots",
                            new Bots(
                                    KnownBot.SEARCH_ENGINES,
                                    List.of(),
                                    Impostors.REFUSE,
                                    List.of(),
                                    Models.PASS,
                                    null))
                    .form("bots", listOrOne("bots", section(BOT), 0))
                    .form("resolvers", list("addresses", MemberSourceKeys.NAME_SERVER, 0))
                    .form("signed-bots", listOrOne("bots", section(SIGNED), 0))
                    .form("robots", section(ROBOTS))
                    .keys(
                            """
                            bots (known) [=the search engines that say their domains]: Bots that are
                              verified by the DNS, and then always let pass.
                            resolvers [those of the system]: Name servers that are asked, as
                              10.0.0.2 or 10.0.0.2:5353.
                            impostors: Treatment of clients that falsely claim to be such a bot:
                              `refuse` = 403; `tarpit` = a response byte by byte; `pass` = as
                              others.
                            signed-bots (signed) [none]: Bots that sign their requests (Web Bot
                              Auth); they have budgets of their own.
                            models: Treatment of crawlers that collect texts for models, by
                              `User-Agent`, unless they are `signed-bots`: `refuse` = 403; `payment`
                              = 402; `pass` = as others.
                            robots [none]: The robots.txt of the host, which crawlers have to obey.
                            """);

    /// A shield, but for routes that it is not about.
    static final Keys<ShieldSettings> SHIELD =
            Binding.of(
                            "a shield",
                            ShieldSettingsBuilder.builder()
                                    .challenge(Challenge.OVER_BUDGET)
                                    .proofBits(15)
                                    .withoutScript(Duration.ofSeconds(5))
                                    .lifetime(Duration.ofHours(12))
                                    .bots(BOTS.defaults())
                                    .networks(List.of())
                                    .paths(List.of())
                                    .credentials(List.of())
                                    .build())
                    .form("budget", section(BUDGET))
                    .form("proof-bits", whole(0, ShieldSettings.PROOF_BITS_MAX))
                    .form(
                            "without-script",
                            flag(),
                            one -> one.withoutScript() != null,
                            ShieldKeys::setScript)
                    .form("secret", text("a text of 16 characters or more").secret())
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
                                            RequestLimitKeys::written),
                                    0))
                    .keys(
                            """
                            budget: Budget of one client.
                            challenge: Which clients are challenged: `over-budget`; `unknown` = also
                              those unlike a browser; `all` but verified bots; `never`: clients over
                              budget get 429.
                            proof-bits: Work of the browser's script: each bit doubles it; 15 take
                              about 0.1 s.
                            wait (withoutScript): With `without-script`: the delay, in whole
                              seconds.
                            without-script: Lets clients without JavaScript continue by a link,
                              after `wait`.
                            lifetime: How long an answered challenge is valid.
                            secret [random, made when the server starts]: Secret from which cookie
                              keys are derived; the same on all servers of a group.
                            except (networks) [nobody]: Exempt client addresses and networks.
                            except-paths (paths): Exempt paths, with everything below them.
                            credentials: Requests with one of these pass unchecked, whatever its
                              value: clients can make one up.
                            log-only: Blocks nobody; counts what would be blocked.
                            """)
                    .part("bots", BOTS);

    private ShieldKeys() {}

    /// Reads the shield of a host; null when it has none.
    static @Nullable ShieldSettings read(Settings host, HostChanges changes, Reading reading) {
        Settings section = host.section(KEY).orElse(null);
        if (section == null) {
            return null;
        }
        Shield.Means means =
                new Shield.Means(
                        System::nanoTime,
                        System::currentTimeMillis,
                        System::nanoTime,
                        new SplittableRandom(),
                        "");
        return reading.made(
                        host,
                        KEY,
                        () -> {
                            ShieldSettings read = settings(section, host, reading);
                            Object _ = new Shield(read, changes, ShieldLimits.defaults(), means);
                            return read;
                        })
                .orElse(null);
    }

    private static ShieldSettings settings(Settings section, Settings host, Reading reading) {
        ShieldSettings read = SHIELD.read(section, SHIELD.defaults(), reading);
        if (read.budget() == null
                && read.challenge() == Challenge.NEVER
                && Stream.of("impostors", "robots", "models", "signed-bots")
                        .noneMatch(section::has)) {
            throw new IllegalArgumentException("a shield without a budget challenges nobody");
        }
        List<PathMatch> paths = new ArrayList<>(read.paths());
        HostKeys.routes(
                host,
                (path, route) -> {
                    if (route.has(KEY) && !route.get(KEY, Boolean.class).orElse(true)) {
                        paths.add(MatchKeys.under(path));
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
