package io.margay.gateway.balance;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An upstream under test, a clock that is set by hand, and requests that are given to it one after
/// another.
final class Rig {
    private final List<PeerConfig> peers = new ArrayList<>();
    private UpstreamConfig config;
    private @Nullable Upstream upstream;
    private long nanos = 1_000_000_000_000L;

    Rig(BalanceDialect dialect, BalanceMethod method) {
        config =
                UpstreamConfig.of("up", List.of(peer("unused")))
                        .withDialect(dialect)
                        .withMethod(method);
    }

    /// One of mod_jk's dialect.
    static Rig modJk(BalanceMethod method) {
        return new Rig(BalanceDialect.MOD_JK, method);
    }

    static PeerConfig peer(String name) {
        return PeerConfig.of(name, PeerAddress.of(PeerScheme.AJP, "127.0.0.1", 8009));
    }

    Rig with(String name) {
        peers.add(peer(name));
        return this;
    }

    Rig with(String name, UnaryOperator<PeerConfig.Share> share) {
        PeerConfig peer = peer(name);
        peers.add(peer.withShare(share.apply(peer.share())));
        return this;
    }

    Rig with(PeerConfig peer) {
        peers.add(peer);
        return this;
    }

    Rig config(UnaryOperator<UpstreamConfig> change) {
        config = change.apply(config);
        return this;
    }

    Upstream upstream() {
        if (upstream == null) {
            upstream = new Upstream(config.withPeers(peers), () -> nanos, new SplittableRandom(1));
        }
        return upstream;
    }

    Peer peerNamed(String name) {
        return upstream().peers().stream()
                .filter(peer -> peer.config().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    void seconds(long seconds) {
        nanos += seconds * 1_000_000_000L;
    }

    /// A choice that the request then makes use of, as one still in flight.
    String begun(Selection selection) {
        Selection.Choice choice = upstream().choose(selection);
        if (choice == null) {
            return "none";
        }
        choice.peer().begin();
        return choice.peer().config().name() + (choice.sticky() ? "*" : "");
    }

    /// The same, with an end.
    String request(Selection selection, Outcome outcome, long bytes) {
        Selection.Choice choice = upstream().choose(selection);
        if (choice == null) {
            return "none";
        }
        choice.peer().begin();
        choice.peer().end(outcome, 0, bytes);
        return choice.peer().config().name() + (choice.sticky() ? "*" : "");
    }

    String request() {
        return request(Selection.FIRST, Outcome.OK, 0);
    }

    String requests(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(request());
        }
        return String.join(" ", names);
    }

    /// A request that belongs to others with its key.
    static Selection keyed(long key) {
        return new Selection(List.of(), List.of(), false, false, null, Map.of(), key);
    }

    void fail(String name, Outcome outcome) {
        Peer peer = peerNamed(name);
        peer.begin();
        peer.end(outcome, 0, 0);
    }

    static Selection session(String... ids) {
        return new Selection(List.of(ids), List.of(), false, false, null, Map.of(), 0);
    }

    static Selection stateless() {
        return new Selection(List.of(), List.of(), true, false, null, Map.of(), 0);
    }

    static Selection tried(Peer... peers) {
        return new Selection(List.of(), List.of(peers), false, false, null, Map.of(), 0);
    }

    static Selection ruled(Map<String, Activation> activations) {
        return new Selection(List.of(), List.of(), false, false, null, activations, 0);
    }
}
