package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.MemberSource.Family;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Reads where the members of an upstream are named that come and go. Used by one thread.
final class MemberSourceReader {
    /// What a member is, or where members are named: one of these is given.
    static final List<String> PLACES = List.of("url", "file", "dns", "srv");

    private static final int DNS_PORT = 53;
    private static final Duration FILE_EVERY = Duration.ofSeconds(1);
    private static final Duration HOLD = Duration.ofSeconds(30);

    /// What can be said with each of [#PLACES] of the keys that are not for all of them.
    private static final Set<String> OF_URL = Set.of("name", "route");

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

    MemberSourceReader(Path base, List<Problem> problems, BalanceDialect dialect) {
        this.base = base;
        this.problems = problems;
        this.dialect = dialect;
    }

    /// Where members are named that come and go. What is said beside them holds for each.
    static List<Shape.Key> keys() {
        return List.of(
                optional(
                        "file",
                        text("a path, relative to the file"),
                        "",
                        "In place of `url`: a file with a line for each member, its URL and then"
                                + " name=, route=, weight= and the like. It is read again when it"
                                + " changes."),
                optional(
                        "dns",
                        text("a name of the DNS", MemberSourceReader::dnsName),
                        "",
                        "In place of `url`: a name whose addresses (A, AAAA) are members, all with"
                                + " `port`."),
                optional(
                        "srv",
                        text("a name of the DNS", MemberSourceReader::dnsName),
                        "",
                        "In place of `url`: a service, as in _http._tcp.app.internal, whose SRV"
                                + " records name members with ports, weights and priorities."),
                optional("port", whole(1, 65_535), "none, and needed with `dns`", "Their port."),
                optional(
                        "scheme",
                        choice(Arrays.stream(PeerScheme.values()).map(PeerScheme::word).toList()),
                        "http",
                        "With `dns` and `srv`: what they speak."),
                optional(
                        "family",
                        choice(List.of("any", "ipv4", "ipv6")),
                        "any",
                        "With `dns` and `srv`: which addresses are members."),
                optional(
                        "resolvers",
                        new Items(
                                "addresses",
                                text(
                                        "an address, as in 10.0.0.2 or [::1]:53",
                                        MemberSourceReader::server),
                                1,
                                true),
                        "those of the system",
                        "With `dns` and `srv`: servers that are asked."),
                optional(
                        "every",
                        duration(),
                        "1s with `file`, else the TTL of the answers",
                        "How often the source is looked at."),
                optional(
                        "drain",
                        duration(),
                        "0s",
                        "Of a source: how long a member that is not named any more gets the"
                                + " requests of its sessions."),
                optional(
                        "hold",
                        duration(),
                        "30s",
                        "With `dns` and `srv`: how long members stay when the name is said not to"
                                + " be there. Without an answer they stay for ever."));
    }

    private static String dnsName(String text) {
        if (!text.matches("[A-Za-z0-9_.-]{1,253}")) {
            throw new IllegalArgumentException("");
        }
        return text;
    }

    private static InetSocketAddress server(String text) {
        int bracket = text.lastIndexOf(']');
        int colon = text.indexOf(':', Math.max(bracket, 0));
        String host = colon < 0 ? text : text.substring(0, colon);
        String port = colon < 0 ? Integer.toString(DNS_PORT) : text.substring(colon + 1);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (!port.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("");
        }
        return new InetSocketAddress(InetAddress.ofLiteral(host), Integer.parseInt(port));
    }

    /// @param member an item of `members`
    /// @param pattern makes what its members are beside name and address
    /// @return empty where the item is a member itself
    Optional<MemberSource> read(Settings member, Function<Settings, PeerConfig> pattern) {
        Optional<String> file = member.text("file");
        Optional<String> dns = member.text("dns");
        Optional<String> service = member.text("srv");
        if (file.isPresent()) {
            check(member, "file", OF_FILE);
            Path path = base.resolve(file.get()).normalize();
            return Optional.of(
                    source(
                            member,
                            new MemberSource.MemberFile(path, dialect == BalanceDialect.MOD_JK),
                            pattern.apply(member),
                            FILE_EVERY));
        }
        if (dns.isEmpty() && service.isEmpty()) {
            check(member, "url", OF_URL);
            return Optional.empty();
        }
        Family family =
                Family.valueOf(member.text("family").orElse("any").toUpperCase(Locale.ROOT));
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
