package io.margay.gateway.discovery;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.MemberSource.Family;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The members that a name service knows: one for each address of a name, or for each address of
/// each host that has a service. Used by one thread.
///
/// A member is called by its URL, so that it stays the same in whatever order answers have it. Its
/// route is the first label of its host's name, where no other member has that, as Tomcat's
/// `jvmRoute="${HOSTNAME}"` in a cluster; else a digest of its URL, which is the same on every
/// gateway.
final class NamedMembers implements MemberFinder {
    private static final int DIGEST_BYTES = 6;

    private final MemberSource source;
    private final NameService names;
    private final DiscoveryLimits limits;

    NamedMembers(MemberSource source, NameService names, DiscoveryLimits limits) {
        this.source = source;
        this.names = names;
        this.limits = limits;
    }

    @Override
    public Finding find() {
        return switch (source.place()) {
            case MemberSource.Addresses at -> {
                Lookup lookup = new Lookup(at.family());
                String bad = lookup.host(at.name(), "", at.port(), 0, 1);
                yield lookup.finding(bad);
            }
            case MemberSource.Services of -> services(of);
            default -> throw new IllegalStateException("not a name");
        };
    }

    private Duration retry() {
        return source.every().isZero() ? limits.retry() : source.every();
    }

    private Finding services(MemberSource.Services of) {
        Lookup lookup = new Lookup(of.family());
        switch (names.services(of.name())) {
            case NameAnswer.Absent absent -> {
                return new Finding.None(absent.why(), retry());
            }
            case NameAnswer.Failed failed -> {
                return new Finding.Failed(failed.why(), retry());
            }
            case NameAnswer.Entries found -> {
                lookup.holds(found.ttl());
                int first =
                        found.entries().stream()
                                .mapToInt(NameAnswer.Entry::priority)
                                .min()
                                .orElse(0);
                for (NameAnswer.Entry each : found.entries()) {
                    int distance = each.priority() - first;
                    String label = each.host().split("\\.", 2)[0].toLowerCase(Locale.ROOT);
                    String bad =
                            each.host().equals(".")
                                    ? null // It is said that there is no such service.
                                    : lookup.host(
                                            each.host(),
                                            label,
                                            each.port(),
                                            distance,
                                            Math.max(1, each.weight()));
                    if (bad != null) {
                        return new Finding.Failed(bad, retry());
                    }
                }
                return lookup.finding(null);
            }
        }
    }

    /// What one look finds.
    private final class Lookup {
        private final Family family;
        private final Map<String, Found> found = new TreeMap<>();
        private Duration ttl;
        private @Nullable String absent;

        Lookup(Family family) {
            this.family = family;
            ttl = limits.ttlMax();
        }

        void holds(Duration other) {
            ttl = other.compareTo(ttl) < 0 ? other : ttl;
        }

        /// Adds a member for each address of a host. A service that tells its addresses of one
        /// family, and refuses to tell those of the other, as small servers do that know the former
        /// themselves and have nobody to ask for the latter, says that there are none.
        ///
        /// @param label the route that they may have; empty = none
        /// @return why it is not known, or null
        @Nullable String host(String name, String label, int port, int distance, int weight) {
            boolean told = false;
            String refused = null;
            for (boolean ipv6 : new boolean[] {false, true}) {
                if (family == (ipv6 ? Family.IPV4 : Family.IPV6)) {
                    continue;
                }
                switch (names.addresses(name, ipv6)) {
                    case NameAnswer.Failed failed -> {
                        if (!failed.refused()) {
                            return failed.why();
                        }
                        refused = failed.why();
                    }
                    case NameAnswer.Absent none -> absent = none.why();
                    case NameAnswer.Entries entries -> {
                        told = true;
                        holds(entries.ttl());
                        for (NameAnswer.Entry each : entries.entries()) {
                            add(new Found(name, label, each.host(), port, distance, weight));
                        }
                    }
                }
                if (found.size() > limits.membersMax()) {
                    return "it names more than " + limits.membersMax() + " members";
                }
            }
            return told ? null : refused;
        }

        private void add(Found one) {
            found.putIfAbsent(address(one).toString(), one);
        }

        Finding finding(@Nullable String bad) {
            if (bad != null) {
                return new Finding.Failed(bad, retry());
            }
            if (found.isEmpty()) {
                return new Finding.None(
                        absent == null ? "it says that there is no such service" : absent, retry());
            }
            Set<String> labels = new HashSet<>();
            Set<String> shared = new HashSet<>();
            found.values()
                    .forEach(each -> {
                        if (!labels.add(each.label)) {
                            shared.add(each.label);
                        }
                    });
            return new Finding.Members(
                    found.values().stream().map(each -> member(each, shared)).toList(), again());
        }

        private Duration again() {
            if (!source.every().isZero()) {
                return source.every();
            }
            return ttl.compareTo(limits.ttlMin()) < 0 ? limits.ttlMin() : ttl;
        }
    }

    /// An address that was found, and whose it is.
    private record Found(
            String host, String label, String at, int port, int distance, int weight) {}

    private PeerAddress address(Found one) {
        return PeerAddress.of(source.pattern().address().scheme(), one.at, one.port);
    }

    private PeerConfig member(Found one, Set<String> sharedLabels) {
        PeerAddress address = address(one);
        String url = address.toString();
        PeerConfig.Share share = source.pattern().share();
        boolean own = one.label.matches("[a-z0-9_-]+") && !sharedLabels.contains(one.label);
        PeerConfig.Share mine =
                share.withRoutes(own ? one.label : digest(url), share.domain(), share.redirect())
                        .withDistance(share.distance() + one.distance)
                        .withWeight(share.weight() * one.weight);
        PeerConfig member = source.member(url, address, "", mine);
        PeerConfig.Tls tls = member.tls();
        return address.scheme().isSecure() && tls.serverName() == null
                ? member.withTls(tls.withServerName(trimmed(one.host)))
                : member;
    }

    private static String trimmed(String host) {
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    private static String digest(String url) {
        try {
            byte[] all =
                    MessageDigest.getInstance("SHA-256")
                            .digest(url.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(all, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
