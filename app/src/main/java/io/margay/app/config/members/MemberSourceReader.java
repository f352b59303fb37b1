package io.margay.app.config.members;

import io.margay.app.shared.SharedKeys;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.MemberSource.Family;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Reads where the members of an upstream are named that come and go. Used by one thread.
public final class MemberSourceReader {
    private static final Duration LOCAL_EVERY = Duration.ofSeconds(1);
    private static final Duration HOLD = Duration.ofSeconds(30);

    /// A third of the lease that members have by default, and the time of a call.
    private static final Duration FIRST_MEMBER = Duration.ofMillis(3_500);

    /// What can be said with each of [MemberSourceShape#PLACES] of the keys that are not for all of
    /// them.
    private static final Set<String> OF_URL = Set.of("name", "route");

    private static final Set<String> OF_REGISTERED = Set.of("hold");
    private static final Set<String> OF_KUBERNETES = Set.of("scheme", "family", "drain", "hold");
    private static final Set<String> OF_ETCD = Set.of("drain", "hold");
    private static final Path SERVICE_ACCOUNT =
            Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token");
    private static final URI IN_CLUSTER = URI.create("https://kubernetes.default.svc");
    private static final Set<String> OF_FILE = Set.of("every", "drain");
    private static final Set<String> OF_SRV =
            Set.of("scheme", "family", "resolvers", "every", "drain", "hold");
    private static final Set<String> OF_DNS =
            Set.of("port", "scheme", "family", "resolvers", "every", "drain", "hold");
    private static final List<String> NOT_OF_ALL =
            List.of(
                    "name",
                    "route",
                    "port",
                    "scheme",
                    "family",
                    "resolvers",
                    "every",
                    "drain",
                    "hold");

    private final Path base;
    private final List<Problem> problems;
    private final BalanceDialect dialect;
    private final String upstream;
    private final Settings root;

    /// @param upstream whose members are read
    public MemberSourceReader(
            Path base,
            List<Problem> problems,
            BalanceDialect dialect,
            String upstream,
            Settings root) {
        this.root = root;
        this.base = base;
        this.problems = problems;
        this.dialect = dialect;
        this.upstream = upstream;
    }

    /// @param member an item of `members`
    /// @param pattern makes what its members are beside name and address
    /// @return empty where the item is a member itself
    public Optional<MemberSource> read(Settings member, Function<Settings, PeerConfig> pattern) {
        Optional<String> file = member.text("file");
        Optional<String> dns = member.text("dns");
        Optional<String> service = member.text("srv");
        if (file.isPresent()) {
            check(member, "file", OF_FILE);
            Path path = base.resolve(file.get()).normalize();
            return Optional.of(
                    source(
                            member,
                            new MemberSource.MemberFile(path, dialect.likeModJk()),
                            pattern.apply(member),
                            LOCAL_EVERY));
        }
        Optional<Settings> registered = member.section("registered");
        if (registered.isPresent()) {
            check(member, "registered", OF_REGISTERED);
            return Optional.of(
                    source(
                            member,
                            registered(registered.get()),
                            pattern.apply(member),
                            LOCAL_EVERY));
        }
        Optional<Settings> kubernetes = member.section("kubernetes");
        if (kubernetes.isPresent()) {
            check(member, "kubernetes", OF_KUBERNETES);
            return Optional.of(
                    source(
                            member,
                            kubernetes(kubernetes.get(), family(member)),
                            spoken(member, pattern),
                            Duration.ZERO));
        }
        Optional<Settings> etcd = member.section("etcd");
        if (etcd.isPresent()) {
            check(member, "etcd", OF_ETCD);
            return Optional.of(
                    source(member, etcd(etcd.get()), pattern.apply(member), Duration.ZERO));
        }
        if (dns.isEmpty() && service.isEmpty()) {
            check(member, "url", OF_URL);
            return Optional.empty();
        }
        Family family = family(member);
        List<InetSocketAddress> resolvers = member.list("resolvers", InetSocketAddress.class);
        if (service.isPresent()) {
            check(member, "srv", OF_SRV);
            return Optional.of(
                    source(
                            member,
                            new MemberSource.Services(service.get(), family, resolvers),
                            spoken(member, pattern),
                            Duration.ZERO));
        }
        check(member, "dns", OF_DNS);
        int port = member.number("port").map(Math::toIntExact).orElse(0);
        if (port == 0) {
            problems.add(new Problem(member.position("dns"), "\"dns\" needs a \"port\""));
        }
        return Optional.of(
                source(
                        member,
                        new MemberSource.Addresses(dns.orElse(""), port, family, resolvers),
                        spoken(member, pattern),
                        Duration.ZERO));
    }

    private static Family family(Settings member) {
        return Family.valueOf(member.text("family").orElse("any").toUpperCase(Locale.ROOT));
    }

    private MemberSource.Kubernetes kubernetes(Settings section, Family family) {
        Path token = file(section, "token-file").orElse(SERVICE_ACCOUNT);
        Path beside = token.resolveSibling("ca.crt");
        return new MemberSource.Kubernetes(
                section.get("api", URI.class).orElse(IN_CLUSTER),
                section.text("namespace").orElse(""),
                section.text("service").orElse(""),
                section.text("port").orElse(""),
                family,
                token,
                file(section, "trust").orElse(Files.exists(beside) ? beside : null));
    }

    private MemberSource.Etcd etcd(Settings section) {
        if (section.has("user") != section.has("password-file")) {
            problems.add(
                    new Problem(
                            section.position("servers"),
                            "\"user\" and \"password-file\" belong together"));
        }
        return new MemberSource.Etcd(
                section.list("servers", URI.class),
                section.text("prefix").orElse("/"),
                section.text("user").orElse(""),
                file(section, "password-file").orElse(null),
                file(section, "trust").orElse(null));
    }

    private Optional<Path> file(Settings section, String key) {
        return section.text(key).map(text -> base.resolve(text).normalize());
    }

    private MemberSource.Place registered(Settings section) {
        Path token = base.resolve(section.text("token-file").orElse("")).normalize();
        List<String> networks = section.list("from", String.class);
        Optional<String> through = SharedKeys.url(root, section, "through", problems);
        if (through.isPresent()) {
            if (networks.isEmpty()) {
                problems.add(
                        new Problem(section.position("through"), "\"through\" needs a \"from\""));
            }
            return new MemberSource.Registry(through.get(), upstream, token, networks);
        }
        return new MemberSource.Registered(
                token, networks, section.duration("wait").orElse(FIRST_MEMBER));
    }

    private static MemberSource source(
            Settings member, MemberSource.Place place, PeerConfig pattern, Duration every) {
        return new MemberSource(
                place,
                pattern,
                member.duration("every").filter(time -> !time.isZero()).orElse(every),
                member.duration("drain").orElse(Duration.ZERO),
                member.duration("hold").orElse(HOLD));
    }

    private static PeerConfig spoken(Settings member, Function<Settings, PeerConfig> pattern) {
        String word = member.text("scheme").orElse(PeerScheme.HTTP.word());
        for (PeerScheme scheme : PeerScheme.values()) {
            if (scheme.word().equals(word)) {
                return pattern.apply(member).withAddress(PeerAddress.of(scheme, "localhost", 80));
            }
        }
        throw new IllegalStateException(word);
    }

    private void check(Settings member, String place, Set<String> fits) {
        for (String key : NOT_OF_ALL) {
            if (member.has(key) && !fits.contains(key)) {
                problems.add(
                        new Problem(
                                member.position(key),
                                "\"" + key + "\" does not go with \"" + place + "\""));
            }
        }
    }
}
