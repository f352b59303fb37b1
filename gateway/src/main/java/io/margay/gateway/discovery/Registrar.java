package io.margay.gateway.discovery;

import io.margay.gateway.access.match.Network;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerUrl;
import io.margay.server.handover.TravellingState;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Lets members of one upstream register who know its token. What is registered is an address,
/// never a name: who answers for a name could have requests led elsewhere afterwards. Thread-safe.
public final class Registrar {
    /// Shorter tokens could be guessed.
    public static final int TOKEN_CHARS_MIN = 16;

    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    private final String upstream;
    private final MemberSource source;
    private final TokenFile token;
    private final List<Network> networks;
    private final Registrations registrations;
    private final Runnable refresh;
    private final DiscoveryLimits limits;

    /// @param upstream its name
    /// @param refresh puts in force what is registered
    public Registrar(
            String upstream,
            MemberSource source,
            MemberSource.Registered place,
            Registrations registrations,
            Runnable refresh,
            DiscoveryLimits limits) {
        this.upstream = upstream;
        this.source = source;
        token = new TokenFile(place.tokenFile(), TOKEN_CHARS_MIN);
        networks = networks(place.networks());
        this.registrations = registrations;
        this.refresh = refresh;
        this.limits = limits;
    }

    /// Whether a text is the token of the upstream.
    public boolean knows(String given) {
        try {
            return token.is(given);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "upstream {0}: {1}", upstream, e.getMessage());
            return false;
        }
    }

    /// What is said to who registers.
    public enum Answer {
        DONE,
        INVALID,
        FORBIDDEN,
        TAKEN,
        FULL
    }

    /// An answer with its reason.
    ///
    /// @param why empty when it is done
    public record Reply(Answer answer, String why) {}

    /// Registers a member or renews its lease; it is active afterwards.
    ///
    /// @param options `url`, `lease` in seconds, and those of a member
    /// @param from where the request comes from; null = it is not known
    public Reply put(String name, Map<String, String> options, @Nullable InetAddress from) {
        Duration lease;
        MemberLine line;
        try {
            lease = lease(options.getOrDefault("lease", ""));
            line = line(name, options);
            Object _ = line.member(source, false);
        } catch (IllegalArgumentException e) {
            return new Reply(Answer.INVALID, String.valueOf(e.getMessage()));
        }
        if (!isAllowed(line.url().address(), from)) {
            return new Reply(
                    Answer.FORBIDDEN,
                    networks.isEmpty()
                            ? "only the sender's own address may be registered"
                            : "an address of the networks that are allowed must be registered");
        }
        return switch (registrations.put(name, line, lease)) {
            case RENEWED -> new Reply(Answer.DONE, "");
            case CHANGED -> {
                refresh.run();
                yield new Reply(Answer.DONE, "");
            }
            case TAKEN -> new Reply(Answer.TAKEN, "another member is registered as " + name);
            case FULL -> new Reply(Answer.FULL, "too many members are registered");
        };
    }

    private MemberLine line(String name, Map<String, String> options) {
        Map<String, String> own = new HashMap<>(options);
        String url = own.remove("url");
        own.remove("lease");
        if (url == null) {
            throw new IllegalArgumentException("it needs a url");
        }
        String form = "[A-Za-z0-9_~:-][A-Za-z0-9._~:-]{0," + (limits.nameMax() - 1) + "}";
        String route = own.getOrDefault("route", name);
        if (own.put("name", name) != null || !name.matches(form) || !route.matches(form)) {
            throw new IllegalArgumentException(
                    "name and route are 1 to "
                            + limits.nameMax()
                            + " letters, digits and \"-\", \".\", \"_\", \"~\", \":\"");
        }
        int length = url.length() + own.values().stream().mapToInt(String::length).sum();
        if (length > limits.lineMax()) {
            throw new IllegalArgumentException("more than " + limits.lineMax() + " characters");
        }
        return new MemberLine(PeerUrl.parse(url), own);
    }

    private Duration lease(String text) {
        long seconds = text.matches("[0-9]{1,5}") ? Long.parseLong(text) : -1;
        Duration lease = Duration.ofSeconds(seconds);
        if (lease.compareTo(limits.leaseMin()) < 0 || lease.compareTo(limits.leaseMax()) > 0) {
            throw new IllegalArgumentException(
                    "lease is "
                            + limits.leaseMin().toSeconds()
                            + " to "
                            + limits.leaseMax().toSeconds()
                            + " seconds");
        }
        return lease;
    }

    private boolean isAllowed(PeerAddress at, @Nullable InetAddress from) {
        InetAddress address = literal(at);
        return networks.isEmpty()
                ? address != null && address.equals(from)
                : isAllowed(networks, at);
    }

    /// Whether a member that was registered in another process may be registered here; where only
    /// the sender's own address may be, it was its own there.
    private boolean admits(MemberLine member) {
        InetAddress address = literal(member.url().address());
        return address != null
                && (networks.isEmpty() || isAllowed(networks, member.url().address()));
    }

    /// A member that is registered, as operators see it.
    ///
    /// @param lease from its last renewal on
    /// @param left of that
    /// @param here whether it has registered at this gateway itself, or another one told of it
    public record Entry(String name, String url, Duration lease, Duration left, boolean here) {}

    /// Who is registered, by name.
    public List<Entry> registered() {
        return registrations.known().stream()
                .filter(each -> each.left().isPositive())
                .map(each ->
                        new Entry(
                                each.name(),
                                each.member().url().toString(),
                                each.lease(),
                                each.left(),
                                each.met()))
                .sorted(Comparator.comparing(Entry::name))
                .toList();
    }

    /// Who is registered, for the process that goes on with them.
    public TravellingState state() {
        return new RegistrationState(upstream, source, this, registrations, limits);
    }

    /// Takes over who was registered in another process, as far as the configuration admits it now.
    void takeOver(List<Registrations.Known> others) {
        List<Registrations.Known> admitted =
                others.stream().filter(each -> admits(each.member())).toList();
        if (registrations.restore(admitted)) {
            refresh.run();
        }
    }

    /// Takes over who is registered at other gateways of the group, if nobody is known here.
    public void askGroup(SharedRegistrations group) {
        if (registrations.known().isEmpty()) {
            takeOver(group.known(upstream));
        }
    }

    /// The networks of a configuration.
    static List<Network> networks(List<String> texts) {
        return texts.stream().map(Network::parse).flatMap(Optional::stream).toList();
    }

    /// Whether an address may be registered.
    static boolean isAllowed(List<Network> networks, PeerAddress at) {
        InetAddress address = literal(at);
        return address != null && networks.stream().anyMatch(each -> each.contains(address));
    }

    /// @return null for a name, and for a socket file
    private static @Nullable InetAddress literal(PeerAddress at) {
        try {
            return InetAddress.ofLiteral(at.host());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// Ends the lease of a member; it is gone afterwards.
    ///
    /// @return whether there was one
    public boolean remove(String name) {
        boolean there = registrations.remove(name);
        if (there) {
            refresh.run();
        }
        return there;
    }
}
