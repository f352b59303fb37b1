package io.margay.app.site;

import io.margay.app.admin.UpstreamReading;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.PeerState;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.discovery.DiscoveryReading;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/// Reads how upstreams and their members do. Stateless.
final class UpstreamReadings {
    private UpstreamReadings() {}

    /// @param connections open ones to a member
    /// @param sources how those of an upstream do
    static List<UpstreamReading> of(
            Collection<Upstream> upstreams,
            ToIntFunction<Peer> connections,
            Function<Upstream, List<DiscoveryReading>> sources) {
        List<UpstreamReading> all = new ArrayList<>();
        for (Upstream upstream : upstreams) {
            List<UpstreamReading.Member> members = new ArrayList<>();
            for (Peer peer : upstream.peers()) {
                members.add(member(peer, connections.applyAsInt(peer)));
            }
            all.add(
                    new UpstreamReading(
                            upstream.config().name(), members, sources.apply(upstream)));
        }
        return all;
    }

    private static UpstreamReading.Member member(Peer peer, int connections) {
        PeerState state = peer.state();
        boolean failed = state == PeerState.ERROR || state == PeerState.PROBING;
        return new UpstreamReading.Member(
                peer.config().name(),
                peer.config().address().toString(),
                peer.config().share().route(),
                peer.origin().name().toLowerCase(Locale.ROOT),
                peer.config().share().weight(),
                peer.activation().name().toLowerCase(Locale.ROOT),
                state.code(),
                peer.healthy(),
                peer.healthy() && !failed && peer.activation() != Activation.STOPPED,
                peer.busy(),
                connections,
                peer.used(),
                peer.errors(),
                peer.bytesOut(),
                peer.bytesIn(),
                peer.durations().nanos(),
                peer.durations().read());
    }
}
