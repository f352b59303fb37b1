package io.margay.app.config.file;

import io.margay.app.config.RouteSettings;
import io.margay.app.config.members.MemberSourceReader;
import io.margay.app.yaml.Nearest;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.config.ProxyVersion;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsSetupException;
import io.margay.transport.factory.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads `upstreams` and the routes that lead to them. Used by one thread.
final class UpstreamReader {
    private final Path base;
    private final List<Problem> problems;
    private final Settings root;
    private final boolean hasAdmin;
    private final Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();

    /// By the section that has them, which may be that of many members.
    private final IdentityHashMap<Settings, List<Certificate>> certificates =
            new IdentityHashMap<>();

    /// Names that stand in the file, sound or not.
    private final Set<String> names;

    UpstreamReader(Path base, List<Problem> problems, Settings root) {
        this.base = base;
        this.problems = problems;
        this.root = root;
        hasAdmin = root.isGiven("admin");
        Optional<Settings> section = root.section("upstreams");
        names = section.<Set<String>>map(s -> Set.copyOf(s.keys())).orElse(Set.of());
        section.ifPresent(all -> {
            for (String name : all.keys()) {
                all.section(name).ifPresent(one -> read(name, one));
            }
        });
    }

    /// Names that stand in the file, sound or not.
    Set<String> names() {
        return names;
    }

    Map<String, UpstreamConfig> upstreams() {
        return upstreams;
    }

    private void read(String name, Settings section) {
        UpstreamConfig defaults = UpstreamConfig.of(name, List.of(PLACEHOLDER));
        BalanceDialect dialect =
                section.text("dialect").flatMap(BalanceDialect::of).orElse(defaults.dialect());
        List<Settings> members = section.list("members", Settings.class);
        Set<String> routes = dialect.likeModJk() ? routes(members) : Set.of();
        List<PeerConfig> peers =
                members.stream()
                        .map(member -> peer(section, member, routes))
                        .flatMap(Optional::stream)
                        .toList();
        MemberSourceReader sources = new MemberSourceReader(base, problems, dialect, name, root);
        List<MemberSource> named =
                members.stream()
                        .map(member -> sources.read(member, one -> pattern(section, one)))
                        .flatMap(Optional::stream)
                        .toList();
        if (peers.isEmpty() && named.isEmpty()) {
            return;
        }
        registered(section, named);
        try {
            upstreams.put(
                    name,
                    new UpstreamConfig(
                            name,
                            dialect,
                            section.text("balance")
                                    .flatMap(BalanceMethod::of)
                                    .orElse(defaults.method()),
                            peers,
                            sticky(section),
                            integer(section, "attempts", 0),
                            section.duration("error-escalation").orElse(defaults.escalation()),
                            integer(section, "late-replies-max", 0),
                            flag(section, "force-recovery", true),
                            section.duration("maintain").orElse(defaults.maintain()),
                            section.section("health")
                                    .flatMap(health -> health(health, peers))
                                    .orElse(null),
                            integer(section, "rounds", 1),
                            section.duration("patience").orElse(defaults.patience()),
                            named,
                            retries(section, defaults.retries())));
        } catch (IllegalArgumentException e) {
            problem(section, "members", String.valueOf(e.getMessage()));
        }
    }

    private static UpstreamConfig.Retries retries(
            Settings section, UpstreamConfig.Retries defaults) {
        return new UpstreamConfig.Retries(
                integer(section, "sent-attempts", defaults.sentMax()),
                integer(section, "retry-percent", defaults.percent()),
                integer(section, "retry-floor", defaults.floor()));
    }

    private void registered(Settings section, List<MemberSource> sources) {
        long count =
                sources.stream()
                        .filter(one -> one.place() instanceof MemberSource.Registered)
                        .count();
        if (count > 1) {
            problem(section, "members", "\"registered\" can be given once");
        }
        if (count > 0 && !hasAdmin) {
            problem(section, "members", "\"registered\" needs \"admin\", where members register");
        }
    }

    private static final PeerConfig PLACEHOLDER =
            PeerConfig.of("-", PeerAddress.of(PeerScheme.HTTP, "localhost", 80));

    private static UpstreamConfig.Sticky sticky(Settings section) {
        String name = section.text("sticky").orElse("JSESSIONID");
        if (name.equals("none")) {
            return UpstreamConfig.Sticky.none();
        }
        return new UpstreamConfig.Sticky(
                true,
                name,
                section.text("sticky-parameter").orElse(name.toLowerCase(Locale.ROOT)),
                section.text("sticky-separator").orElse("."),
                flag(section, "sticky-in-query", false),
                flag(section, "sticky-force", false),
                section.text("sticky-set-cookie").orElse(null),
                section.text("sticky-set-cookie-path").orElse(null));
    }

    /// Routes by which members without a name can be called: mod_jk calls them so itself, while
    /// mod_proxy's pages know members by their URLs.
    private static Set<String> routes(List<Settings> members) {
        Set<String> routes = new HashSet<>();
        Set<String> taken = new HashSet<>();
        for (Settings member : members) {
            member.text("name").ifPresent(taken::add);
            member.text("route").filter(route -> !routes.add(route)).ifPresent(taken::add);
        }
        routes.removeAll(taken);
        routes.remove("");
        return routes;
    }

    /// @param routes those that may be names
    private Optional<PeerConfig> peer(Settings upstream, Settings member, Set<String> routes) {
        Optional<PeerUrl> url = member.get("url", PeerUrl.class);
        if (url.isEmpty()) {
            return Optional.empty();
        }
        String name =
                member.text("name")
                        .or(() -> member.text("route").filter(routes::contains))
                        .orElse(url.get().address().toString());
        PeerConfig made = config(upstream, member, name, url.get());
        if (made.pool().proxyProtocol() != ProxyVersion.NONE) {
            refuseProxyProtocol(of(upstream, member, "proxy-protocol"), made);
        }
        return Optional.of(made);
    }

    private void refuseProxyProtocol(Settings section, PeerConfig peer) {
        PeerScheme scheme = peer.address().scheme();
        if (scheme.isSecure() || scheme.isHttp2()) {
            problem(
                    section,
                    "proxy-protocol",
                    "\"proxy-protocol\" is for members without TLS and HTTP/2, not for "
                            + peer.address());
        } else if (!peer.ajp().pings().isEmpty()) {
            problem(
                    section,
                    "proxy-protocol",
                    "with \"proxy-protocol\" a connection begins with a client: leave"
                            + " \"pings\" out");
        }
    }

    /// What the members of a source are, at an address that is none.
    private PeerConfig pattern(Settings upstream, Settings source) {
        return config(upstream, source, PLACEHOLDER.name(), new PeerUrl(PLACEHOLDER.address(), ""));
    }

    private PeerConfig config(Settings upstream, Settings member, String name, PeerUrl url) {
        PeerConfig defaults = PeerConfig.of(name, url.address());
        return new PeerConfig(
                name,
                url.address(),
                url.path(),
                member.text("root").orElse(null),
                share(member, name),
                pool(upstream, member, defaults.pool()),
                timeouts(upstream, member, defaults.timeouts()),
                ajp(upstream, member, defaults.ajp()),
                failures(upstream, member, defaults.failures()),
                tls(upstream, member));
    }

    private static PeerConfig.Share share(Settings member, String name) {
        return new PeerConfig.Share(
                member.text("route").orElse(member.has("name") ? name : ""),
                member.text("domain").orElse(""),
                member.text("redirect").orElse(""),
                member.get("weight", Double.class).orElse(1.0),
                integer(member, "distance", 0),
                member.text("activation")
                        .map(word -> Activation.valueOf(upper(word)))
                        .orElse(Activation.ACTIVE),
                flag(member, "standby", false),
                flag(member, "spare", false),
                integer(member, "busy-max", 0),
                flag(member, "ignore-errors", false));
    }

    private static PeerConfig.Pool pool(
            Settings upstream, Settings member, PeerConfig.Pool defaults) {
        return new PeerConfig.Pool(
                integer(of(upstream, member, "connections-max"), "connections-max", 0),
                integer(of(upstream, member, "connections-min"), "connections-min", 0),
                duration(upstream, member, "idle-timeout", defaults.idle()),
                duration(upstream, member, "acquire-timeout", defaults.acquire()),
                flag(of(upstream, member, "reuse"), "reuse", true),
                duration(upstream, member, "lifetime", defaults.lifetime()),
                of(upstream, member, "proxy-protocol")
                        .text("proxy-protocol")
                        .map(word -> ProxyVersion.valueOf(upper(word)))
                        .orElse(ProxyVersion.NONE));
    }

    private static PeerConfig.Timeouts timeouts(
            Settings upstream, Settings member, PeerConfig.Timeouts defaults) {
        return new PeerConfig.Timeouts(
                duration(upstream, member, "connect-timeout", defaults.connect()),
                duration(upstream, member, "reply-timeout", defaults.reply()),
                duration(upstream, member, "io-timeout", defaults.io()),
                duration(upstream, member, "ping-timeout", defaults.ping()));
    }

    private static PeerConfig.Ajp ajp(Settings upstream, Settings member, PeerConfig.Ajp defaults) {
        Set<PeerConfig.Ping> pings = EnumSet.noneOf(PeerConfig.Ping.class);
        for (String word : of(upstream, member, "pings").list("pings", String.class)) {
            pings.add(PeerConfig.Ping.valueOf(upper(word)));
        }
        return new PeerConfig.Ajp(
                of(upstream, member, "secret").text("secret").orElse(null),
                integer(
                        of(upstream, member, "packet-size"),
                        "packet-size",
                        defaults.packetBytesMax()),
                pings);
    }

    private static PeerConfig.Failures failures(
            Settings upstream, Settings member, PeerConfig.Failures defaults) {
        return new PeerConfig.Failures(
                integer(of(upstream, member, "retries"), "retries", defaults.retries()),
                duration(upstream, member, "retry-interval", defaults.retryInterval()),
                duration(upstream, member, "recover", defaults.recover()),
                integer(
                        of(upstream, member, "recovery-options"),
                        "recovery-options",
                        defaults.recoveryOptions()),
                statuses(upstream, member, "fail-statuses"),
                statuses(upstream, member, "soft-fail-statuses"));
    }

    private static List<Integer> statuses(Settings upstream, Settings member, String key) {
        return of(upstream, member, key).list(key, Long.class).stream()
                .map(Math::toIntExact)
                .toList();
    }

    private PeerConfig.Tls tls(Settings upstream, Settings member) {
        Settings trusting = of(upstream, member, "trust");
        Path trust =
                trusting.text("trust").map(text -> base.resolve(text).normalize()).orElse(null);
        if (trust != null && !Files.exists(trust)) {
            problem(trusting, "trust", "\"trust\": " + trust + " does not exist");
        }
        return new PeerConfig.Tls(
                flag(of(upstream, member, "verify"), "verify", true),
                trust,
                of(upstream, member, "server-name").text("server-name").orElse(null),
                certificates.computeIfAbsent(
                        of(upstream, member, "certificates"), this::certificates));
    }

    /// Certificates of the gateway; what cannot be used is reported.
    private List<Certificate> certificates(Settings section) {
        int known = problems.size();
        List<Certificate> found = TlsKeys.certificates(section, "certificates", base, problems);
        for (Certificate one : problems.size() > known ? List.<Certificate>of() : found) {
            try {
                Object _ = Transports.certificate(one);
            } catch (TlsSetupException e) {
                problem(section, "certificates", String.valueOf(e.getMessage()));
            }
        }
        return found;
    }

    private Optional<HealthConfig> health(Settings section, List<PeerConfig> peers) {
        HealthConfig.Kind kind = null;
        String uri = "/";
        for (String key : List.of("options", "head", "get")) {
            if (section.has(key)) {
                kind = HealthConfig.Kind.valueOf(upper(key));
                uri = section.text(key).orElse(uri);
            }
        }
        if (section.text("ping").filter("cping"::equals).isPresent()
                && peers.stream().anyMatch(p -> p.address().scheme() != PeerScheme.AJP)) {
            problem(section, "ping", "\"cping\" is for ajp:// members only");
        }
        boolean ping = section.text("ping").filter("cping"::equals).isPresent();
        if (ping && section.has("port")) {
            problem(section, "port", "\"port\" is for checks by HTTP or TCP, not for \"cping\"");
        }
        boolean asks = kind != null;
        if (kind == null) {
            kind = ping ? HealthConfig.Kind.CPING : HealthConfig.Kind.TCP;
        }
        HealthConfig defaults = HealthConfig.of(kind, uri);
        HealthConfig.ExpectedResponse good = answer(section, defaults.answer());
        Map<String, HealthConfig.ExpectedResponse> answers = new LinkedHashMap<>();
        section.section("answers")
                .ifPresent(all -> {
                    for (String name : all.keys()) {
                        all.section(name)
                                .ifPresent(
                                        one -> answers.put(name, answer(one, defaults.answer())));
                    }
                });
        return Optional.of(
                new HealthConfig(
                        kind,
                        uri,
                        section.text("host").orElse(null),
                        section.duration("every").orElse(defaults.every()),
                        integer(section, "passes", defaults.passes()),
                        integer(section, "fails", defaults.fails()),
                        section.duration("timeout").orElse(defaults.timeout()),
                        good.statusFrom(),
                        good.statusTo(),
                        good.body(),
                        ping && asks,
                        answers,
                        integer(section, "port", 0)));
    }

    private static HealthConfig.ExpectedResponse answer(
            Settings section, HealthConfig.ExpectedResponse byDefault) {
        UpstreamShape.Statuses statuses =
                section.get("status", UpstreamShape.Statuses.class)
                        .orElse(
                                new UpstreamShape.Statuses(
                                        byDefault.statusFrom(), byDefault.statusTo()));
        return new HealthConfig.ExpectedResponse(
                statuses.from(), statuses.to(), section.text("body").orElse(null));
    }

    /// The route of a section that has the key `gateway`.
    Optional<RouteSettings> route(String path, Settings section) {
        String name = section.text("gateway").orElse("");
        if (!names.contains(name)) {
            problem(
                    section,
                    "gateway",
                    "there is no upstream \"" + name + "\"" + Nearest.hint(name, names));
            return Optional.empty();
        }
        String forwarded = section.text("forwarded").orElse("x-forwarded");
        ProxyRules defaults = ProxyRules.defaults();
        return Optional.of(
                new RouteSettings.Gateway(
                        path,
                        name,
                        new ProxyRules(
                                section.text("host-header").orElse("keep").equals("keep"),
                                defaults.reverse(),
                                defaults.cookieDomains(),
                                defaults.cookiePaths(),
                                forwarded.equals("x-forwarded") || forwarded.equals("both"),
                                forwarded.equals("standard") || forwarded.equals("both"),
                                defaults.passForwarded(),
                                flag(section, "upgrade", true),
                                defaults.replyTimeout(),
                                defaults.selection(),
                                defaults.failStatuses(),
                                defaults.softFailStatuses(),
                                defaults.overrideStatuses(),
                                defaults.attributes(),
                                UpstreamShape.tlsFields(section)),
                        section.list("trust-forwarded", String.class)));
    }

    /// Where a key is said: at the member, else at its upstream.
    private static Settings of(Settings upstream, Settings member, String key) {
        return member.has(key) ? member : upstream;
    }

    private static Duration duration(
            Settings upstream, Settings member, String key, Duration byDefault) {
        return of(upstream, member, key).duration(key).orElse(byDefault);
    }

    private static int integer(Settings section, String key, int byDefault) {
        return section.number(key).map(Math::toIntExact).orElse(byDefault);
    }

    private static boolean flag(Settings section, String key, boolean byDefault) {
        return section.get(key, Boolean.class).orElse(byDefault);
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    private void problem(Settings section, String key, String message) {
        problems.add(new Problem(section.position(key), message));
    }
}
