package io.margay.gateway.discovery;

import io.margay.gateway.access.match.Network;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The members that have registered in an engine. Used by one thread.
///
/// An engine that has lost its data, or was away for longer than a lease, knows of its members one
/// by one as they renew their leases: for `hold` those that were known before stay beside them.
final class RegistryMembers implements MemberFinder {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    private final MemberSource source;
    private final MemberSource.Registry place;
    private final MemberRegistry registry;
    private final DiscoveryLimits limits;
    private final LongSupplier nanos;
    private final TokenFile token;
    private final List<Network> networks;
    private Map<String, PeerConfig> before = Map.of();

    /// Those that were known before the engine was away, and have not renewed their leases since.
    private final Map<String, PeerConfig> kept = new HashMap<>();

    private boolean away;
    private long settledNanos;
    private int refused;

    RegistryMembers(
            MemberSource source,
            MemberSource.Registry place,
            MemberRegistry registry,
            DiscoveryLimits limits,
            LongSupplier nanos) {
        this.source = source;
        this.place = place;
        this.registry = registry;
        this.limits = limits;
        this.nanos = nanos;
        token = new TokenFile(place.tokenFile(), Registrar.TOKEN_CHARS_MIN);
        networks = Registrar.networks(place.networks());
    }

    @Override
    public Finding find() {
        Map<String, PeerConfig> members;
        try {
            Map<String, String> lines = registry.read(place.upstream());
            if (lines.size() > limits.membersMax()) {
                throw new IOException("it names more than " + limits.membersMax() + " members");
            }
            members = members(lines, token.read());
        } catch (IOException e) {
            away = true;
            return new Finding.Failed(String.valueOf(e.getMessage()), source.every());
        }
        if (members.isEmpty()) {
            away = true;
            return new Finding.None("no member is registered", source.every());
        }
        return new Finding.Members(settled(members), source.every());
    }

    private List<PeerConfig> settled(Map<String, PeerConfig> members) {
        long now = nanos.getAsLong();
        if (away) {
            away = false;
            kept.putAll(before);
            settledNanos = now + source.hold().toNanos();
        }
        kept.keySet().removeAll(members.keySet());
        if (settledNanos - now <= 0) {
            kept.clear();
        }
        members.putAll(kept);
        before = members;
        return new ArrayList<>(members.values());
    }

    private Map<String, PeerConfig> members(Map<String, String> lines, String key) {
        Map<String, PeerConfig> members = new TreeMap<>();
        int strangers = 0;
        for (Map.Entry<String, String> each : lines.entrySet()) {
            PeerConfig member = member(key, each.getKey(), each.getValue());
            if (member == null) {
                strangers++;
            } else {
                members.put(member.name(), member);
            }
        }
        if (strangers > refused) {
            LOG.log(
                    Level.WARNING,
                    "upstream {0}: {1}: registrations refused because of their signature,"
                            + " address or options: {2}",
                    place.upstream(),
                    place,
                    strangers);
        }
        refused = strangers;
        return members;
    }

    /// @return null = it is not to be believed
    private @Nullable PeerConfig member(String key, String name, String signed) {
        String text = SignedLine.verified(key, place.upstream(), name, signed);
        if (text == null) {
            return null;
        }
        try {
            MemberLine line = MemberLine.parse(text, limits.lineMax());
            if (!Registrar.isAllowed(networks, line.url().address())) {
                return null;
            }
            Map<String, String> options = new HashMap<>(line.options());
            options.put("name", name);
            return new MemberLine(line.url(), options).member(source, false);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public void close() {
        registry.close();
    }
}
