package io.margay.app.site;

import io.margay.app.admin.UpstreamReading;
import io.margay.app.admin.UpstreamReadingMemberBuilder;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.PeerState;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.discovery.DiscoveryReading;
import io.margay.gateway.status.SharedChanges;
import io.margay.server.sight.MemberHealth;
import io.margay.server.sight.SightKey;
import io.margay.server.sight.Watched;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Reads how upstreams and their members do. Stateless.
final class UpstreamReadings {
    private UpstreamReadings() {}

    /// @param connections open ones to a member
    /// @param sources how those of an upstream do
    /// @param divided what it gives to others
    /// @param changes by hand, where gateways share them
    static List<UpstreamReading> of(
            Collection<Upstream> upstreams,
            ToIntFunction<Peer> connections,
            Function<Upstream, List<DiscoveryReading>> sources,
            Function<Upstream, UpstreamReading.Divided> divided,
            @Nullable SharedChanges changes) {
        List<UpstreamReading> all = new ArrayList<>();
        for (Upstream upstream : upstreams) {
            List<UpstreamReading.Member> members = new ArrayList<>();
            for (Peer peer : upstream.peers()) {
                members.add(
                        member(
                                peer,
                                connections.applyAsInt(peer),
                                changed(changes, upstream, peer.config().name())));
            }
            all.add(
                    new UpstreamReading(
                            upstream.config().name(),
                            members,
                            sources.apply(upstream),
                            divided.apply(upstream),
                            changed(changes, upstream, "")));
        }
        return all;
    }

    /// The members of all, to be watched.
    static List<Watched> watched(Collection<Upstream> upstreams) {
        List<Watched> all = new ArrayList<>();
        for (Upstream upstream : upstreams) {
            for (Peer peer : upstream.peers()) {
                all.add(
                        new Watched(
                                SightKey.member(upstream.config().name(), peer.config().name()),
                                peer.traffic().recent(),
                                () ->
                                        new Watched.Numbers(
                                                peer.statuses(),
                                                peer.traffic().failed(),
                                                peer.bytesIn(),
                                                peer.bytesOut(),
                                                peer.busy()),
                                () -> health(peer)));
            }
        }
        return all;
    }

    private static MemberHealth health(Peer peer) {
        return switch (peer.activation()) {
            case STOPPED -> MemberHealth.STOPPED;
            case DISABLED -> peer.healthy() ? MemberHealth.DRAINED : MemberHealth.UNHEALTHY;
            case ACTIVE ->
                    !peer.healthy()
                            ? MemberHealth.UNHEALTHY
                            : isFailed(peer)
                                    ? MemberHealth.FAILING
                                    : peer.ejection().isOut()
                                            ? MemberHealth.LEFT_OUT
                                            : MemberHealth.USABLE;
        };
    }

    private static boolean isFailed(Peer peer) {
        PeerState state = peer.state();
        return state == PeerState.ERROR || state == PeerState.PROBING;
    }

    private static Map<String, SharedChanges.Changed> changed(
            @Nullable SharedChanges changes, Upstream upstream, String member) {
        return changes == null ? Map.of() : changes.of(upstream.config().name(), member);
    }

    private static UpstreamReading.Member member(
            Peer peer, int connections, Map<String, SharedChanges.Changed> changes) {
        return UpstreamReadingMemberBuilder.builder()
                .name(peer.config().name())
                .url(peer.config().address().toString())
                .route(peer.config().share().route())
                .origin(peer.origin().name().toLowerCase(Locale.ROOT))
                .weight(peer.config().share().weight())
                .activation(peer.activation().name().toLowerCase(Locale.ROOT))
                .state(peer.shownState())
                .healthy(peer.healthy())
                .ejection(peer.ejection())
                .usable(
                        peer.healthy()
                                && !isFailed(peer)
                                && !peer.ejection().isOut()
                                && peer.activation() != Activation.STOPPED)
                .load(new UpstreamReading.Member.Load(peer.busy(), connections, peer.limit()))
                .requests(peer.used())
                .errors(peer.errors())
                .bytesSent(peer.bytesOut())
                .bytesReceived(peer.bytesIn())
                .traffic(peer.traffic())
                .statuses(peer.statuses())
                .changes(changes)
                .build();
    }
}
