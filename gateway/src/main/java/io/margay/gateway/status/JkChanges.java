package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Applies the parameters of `cmd=update`. Values that are out of range change nothing, as in
/// mod_jk. Confined to one thread.
record JkChanges(Upstream upstream, Map<String, String> parameters) {
    private static final int NOT_GIVEN = -1;
    private static final int PACKET_STEP = 1024;
    private static final int NAME_CHARACTERS_MAX = 60;

    /// Whether a name of a member fits, in which `*` and `?` stand for any characters and one.
    static boolean matches(String pattern, String name) {
        return matches(pattern, 0, name, 0);
    }

    private static boolean matches(String pattern, int p, String name, int n) {
        if (p == pattern.length()) {
            return n == name.length();
        }
        char c = pattern.charAt(p);
        if (c == '*') {
            int rest = p + 1;
            for (int i = n; i <= name.length(); i++) {
                if (matches(pattern, rest, name, i)) {
                    return true;
                }
            }
            return false;
        }
        return n < name.length()
                && (c == '?' || c == name.charAt(n))
                && matches(pattern, p + 1, name, n + 1);
    }

    private int number(String name, int least) {
        int value = Numbers.parse(parameters.getOrDefault(name, ""), NOT_GIVEN);
        return value >= least ? value : NOT_GIVEN;
    }

    private int number(String name, int least, int otherwise) {
        int value = number(name, least);
        return value == NOT_GIVEN ? otherwise : value;
    }

    /// The settings of the balancer itself.
    @Nullable String ofUpstream() {
        UpstreamConfig config = upstream.config();
        int escalation = number("vlee", 1);
        config =
                config.withTolerance(
                        config.attempts(),
                        escalation == NOT_GIVEN
                                ? config.escalation()
                                : Duration.ofSeconds(escalation),
                        number("vlx", 0, config.replyTimeoutsMax()));
        config =
                config.withSticky(
                        config.sticky()
                                .with(
                                        flag("vls", config.sticky().enabled()),
                                        flag("vlf", config.sticky().force())));
        config = config.withRounds(number("vlr", 1, config.rounds()));
        upstream.configure(config.withMethod(method(config.method())));
        int recover = number("vlt", 1);
        int pause = number("vlri", 1);
        for (Peer peer : upstream.peers()) {
            PeerConfig.Failures failures = peer.config().failures();
            peer.configure(
                    peer.config()
                            .withFailures(
                                    new PeerConfig.Failures(
                                            failures.retries(),
                                            pause == NOT_GIVEN
                                                    ? failures.retryInterval()
                                                    : Duration.ofMillis(pause),
                                            recover == NOT_GIVEN
                                                    ? failures.recover()
                                                    : Duration.ofSeconds(recover),
                                            failures.recoveryOptions(),
                                            failures.failStatuses(),
                                            failures.softFailStatuses())));
        }
        return null;
    }

    private boolean flag(String name, boolean otherwise) {
        String value = parameters.get(name);
        if (value == null || value.isEmpty()) {
            return otherwise;
        }
        return switch (value.charAt(0)) {
            case '0', 'f', 'F', 'n', 'N' -> false;
            case 'o', 'O' -> value.equalsIgnoreCase("on");
            default -> true;
        };
    }

    private BalanceMethod method(BalanceMethod otherwise) {
        String value = parameters.getOrDefault("vlm", "");
        char first = value.isEmpty() ? ' ' : value.charAt(0);
        int number = first - '0';
        List<String> names = BalanceMethod.namesOfModJk();
        char letter = number >= 0 && number < names.size() ? names.get(number).charAt(0) : first;
        return BalanceMethod.ofModJk(letter).orElse(otherwise);
    }

    /// One aspect of every member: `att` names it, `val0`, `val1`, ... are its values.
    @Nullable String ofAll() {
        String aspect = parameters.getOrDefault("att", "");
        int index = 0;
        for (Peer peer : upstream.peers()) {
            String value = parameters.get("val" + index++);
            if (value != null) {
                Map<String, String> one = new HashMap<>();
                one.put(aspect, value);
                String error = new JkChanges(upstream, one).ofPeer(peer);
                if (error != null) {
                    return error;
                }
            }
        }
        return null;
    }

    @Nullable String ofPeers(List<Peer> peers) {
        for (Peer peer : peers) {
            String error = ofPeer(peer);
            if (error != null) {
                return error;
            }
        }
        return null;
    }

    private @Nullable String ofPeer(Peer peer) {
        PeerConfig config = peer.config();
        for (String name : List.of("vwn", "vwr", "vwc", "vahst")) {
            if (parameters.getOrDefault(name, "").length() > NAME_CHARACTERS_MAX) {
                return "Update failed (at least partially) for sub worker '" + config.name() + "'";
            }
        }
        try {
            peer.configure(
                    config.withShare(share(config.share()))
                            .withPool(pool(config.pool()))
                            .withAddress(address(config.address()))
                            .withTimeouts(timeouts(config.timeouts()))
                            .withFailures(failures(config.failures()))
                            .withAjp(ajp(config.ajp())));
        } catch (IllegalArgumentException e) {
            return "Update failed (at least partially) for sub worker '" + config.name() + "'";
        }
        return null;
    }

    private PeerConfig.Share share(PeerConfig.Share share) {
        return share.withActivation(activation(share.activation()))
                .withWeight(number("vwf", 1) == NOT_GIVEN ? share.weight() : number("vwf", 1))
                .withRoutes(
                        parameters.getOrDefault("vwn", share.route()),
                        parameters.getOrDefault("vwc", share.domain()),
                        parameters.getOrDefault("vwr", share.redirect()))
                .withDistance(number("vwd", 0, share.distance()))
                .withBusyMax(number("vabl", 0, share.busyMax()));
    }

    private Activation activation(Activation otherwise) {
        String value = parameters.getOrDefault("vwa", "");
        return switch (value.isEmpty() ? ' ' : value.charAt(0)) {
            case 'a', 'A', '0' -> Activation.ACTIVE;
            case 'd', 'D', '1' -> Activation.DISABLED;
            case 's', 'S', '2' -> Activation.STOPPED;
            default -> otherwise;
        };
    }

    private PeerConfig.Pool pool(PeerConfig.Pool pool) {
        int idle = number("vacpt", 0);
        return idle == NOT_GIVEN
                ? pool
                : new PeerConfig.Pool(
                        pool.max(),
                        pool.min(),
                        Duration.ofSeconds(idle),
                        pool.acquire(),
                        pool.reuse(),
                        pool.lifetime(),
                        pool.proxyProtocol());
    }

    private PeerAddress address(PeerAddress address) {
        int port = number("vaprt", 0, address.port());
        String host = parameters.getOrDefault("vahst", address.host());
        boolean same = port == address.port() && host.equals(address.host());
        return same || address.socket() != null
                ? address
                : PeerAddress.of(address.scheme(), host, port);
    }

    private PeerConfig.Timeouts timeouts(PeerConfig.Timeouts timeouts) {
        int reply = number("vart", 0);
        int ping = number("vapng", 1);
        for (String name : List.of("vact", "vapt")) {
            ping = number(name, 1, ping);
        }
        return new PeerConfig.Timeouts(
                timeouts.connect(),
                reply == NOT_GIVEN ? timeouts.reply() : Duration.ofMillis(reply),
                timeouts.io(),
                ping == NOT_GIVEN ? timeouts.ping() : Duration.ofMillis(ping));
    }

    private PeerConfig.Failures failures(PeerConfig.Failures failures) {
        int pause = number("vari", 1);
        return new PeerConfig.Failures(
                number("var", 1, failures.retries()),
                pause == NOT_GIVEN ? failures.retryInterval() : Duration.ofMillis(pause),
                failures.recover(),
                number("varo", 0, failures.recoveryOptions()),
                failures.failStatuses(),
                failures.softFailStatuses());
    }

    private PeerConfig.Ajp ajp(PeerConfig.Ajp ajp) {
        int packet = number("vamps", 8192);
        Set<PeerConfig.Ping> pings = EnumSet.noneOf(PeerConfig.Ping.class);
        pings.addAll(ajp.pings());
        ping(pings, "vact", PeerConfig.Ping.CONNECT);
        ping(pings, "vapt", PeerConfig.Ping.PREPOST);
        ping(pings, "vacpi", PeerConfig.Ping.INTERVAL);
        return new PeerConfig.Ajp(
                ajp.secret(),
                packet == NOT_GIVEN || packet > 65_536
                        ? ajp.packetBytesMax()
                        : (packet + PACKET_STEP - 1) / PACKET_STEP * PACKET_STEP,
                pings);
    }

    private void ping(Set<PeerConfig.Ping> pings, String name, PeerConfig.Ping when) {
        int value = number(name, 0);
        if (value > 0) {
            pings.add(when);
        } else if (value == 0) {
            pings.remove(when);
        }
    }
}
