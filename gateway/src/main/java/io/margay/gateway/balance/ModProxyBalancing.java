package io.margay.gateway.balance;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Balancing as mod_proxy_balancer defines it.
///
/// The method chooses among the peers of the smallest `lbset` that has some; a hot spare stands in
/// for a peer of its set that cannot be used, a hot standby for all of them. An error lasts for
/// `retry`, looked at whenever the peer is considered; with all in error `forcerecovery` forgives
/// all.
///
/// Three departures: a peer that has failed this request is not offered it again, a pool without a
/// free connection puts no peer into error, and a peer that breaks [many][#FAILED_IN_ROW_MAX]
/// connections in a row is in error while others take its requests.
///
/// Guarded by the upstream's lock.
record ModProxyBalancing(List<Peer> peers, Candidates candidates) implements Balancing {
    @Override
    public Selection.@Nullable Choice choose(UpstreamConfig config, Selection selection, long now) {
        candidates.of(selection, now);
        forceRecovery(config, now);
        List<String> sessions = Balancing.sessions(config, selection);
        String route =
                sessions.isEmpty()
                        ? null
                        : Balancing.route(sessions.getFirst(), config.sticky().separator());
        if (route != null && !route.isEmpty()) {
            Peer peer = byRoute(selection, route, now, 1);
            if (peer != null) {
                urge(selection, peer);
                return peer.config().share().route().equals(route) ? peer.sticky : peer.free;
            }
            if (config.sticky().force() && isRoute(route)) {
                return null;
            }
        }
        Peer best = best(config, selection, now, true);
        if (best == null) {
            best = best(config, selection, now, false);
        }
        if (best == null) {
            return null;
        }
        if (sessions.isEmpty() && !selection.stateless()) {
            best.countSession();
        }
        return best.free;
    }

    /// By requests and by busyness the urgency that a lone peer gets is taken from it at once.
    @Override
    public Selection.@Nullable Choice chooseAlone(
            UpstreamConfig config, Selection selection, Peer only) {
        PeerConfig.Share share = only.config().share();
        boolean free = !share.spare() && only.limit() == 0 && !only.rampingUp();
        if (!free || !Balancing.takesAll(only, selection)) {
            return null;
        }
        List<String> sessions = Balancing.sessions(config, selection);
        if (sessions.isEmpty()) {
            if (!selection.stateless()) {
                only.countSession();
            }
            return only.free;
        }
        String route = Balancing.route(sessions.getFirst(), config.sticky().separator());
        boolean led = !share.route().isEmpty() && share.route().equals(route);
        return led ? only.sticky : only.free;
    }

    @Override
    public boolean isNews(UpstreamConfig config, Peer peer, Outcome outcome) {
        return outcome != Outcome.OK || peer.failing();
    }

    private void forceRecovery(UpstreamConfig config, long now) {
        for (Peer peer : peers) {
            retry(peer, now);
            if (peer.state() != PeerState.ERROR) {
                return;
            }
        }
        if (config.forceRecovery()) {
            for (Peer peer : peers) {
                peer.retries++;
                peer.state(PeerState.OK);
            }
        }
    }

    private static void retry(Peer peer, long now) {
        if (peer.state() == PeerState.ERROR && peer.activation() != Activation.STOPPED) {
            PeerConfig config = peer.config();
            if (config.share().ignoreErrors()
                    || now - peer.lastErrorNanos() >= config.failures().recover().toNanos()) {
                peer.retries++;
                peer.state(PeerState.OK);
                peer.ramp();
            }
        }
    }

    private @Nullable Peer byRoute(Selection selection, String route, long now, int depth) {
        for (int pass = 0; pass < 2; pass++) {
            boolean standby = pass == 1;
            for (Peer peer : peers) {
                PeerConfig.Share share = peer.config().share();
                if (share.standby() != standby || !share.route().equals(route)) {
                    continue;
                }
                retry(peer, now);
                if (Balancing.takesSessions(peer, selection)) {
                    return peer;
                }
                if (!share.redirect().isEmpty() && depth < peers.size()) {
                    Peer other = byRoute(selection, share.redirect(), now, depth + 1);
                    if (other != null) {
                        return other;
                    }
                }
            }
        }
        return null;
    }

    private boolean isRoute(String route) {
        for (Peer peer : peers) {
            if (peer.config().share().route().equals(route)) {
                return true;
            }
        }
        return false;
    }

    /// A choice by route counts in the urgencies as any other.
    private void urge(Selection selection, Peer chosen) {
        long total = 0;
        for (Peer peer : peers) {
            if (Balancing.takesSessions(peer, selection)) {
                peer.load += peer.factor();
                total += peer.factor();
            }
        }
        chosen.load -= total;
    }

    private @Nullable Peer best(
            UpstreamConfig config, Selection selection, long now, boolean ramping) {
        int most = 0;
        for (Peer peer : peers) {
            most = Math.max(most, peer.config().share().distance());
        }
        candidates.clear();
        int set = -1;
        while (candidates.size() == 0 && set < most) {
            set = nextSet(set);
            ofSet(selection, set, now, ramping);
        }
        if (candidates.size() == 0) {
            return null;
        }
        candidates.narrow(config, peers);
        Peer best = Chooser.of(config.method()).chooseAsModProxy(candidates);
        candidates.clear();
        return best;
    }

    private int nextSet(int after) {
        int next = Integer.MAX_VALUE;
        for (Peer peer : peers) {
            int set = peer.config().share().distance();
            if (set > after && set < next) {
                next = set;
            }
        }
        return next;
    }

    private void ofSet(Selection selection, int set, long now, boolean ramping) {
        int missing = 0;
        for (Peer peer : peers) {
            PeerConfig.Share share = peer.config().share();
            if (share.distance() != set) {
                continue;
            }
            retry(peer, now);
            if (!share.spare() && !share.standby()) {
                if (free(peer, selection, ramping)) {
                    candidates.add(peer);
                } else {
                    missing++;
                }
            }
        }
        for (Peer peer : peers) {
            PeerConfig.Share share = peer.config().share();
            if (missing > 0
                    && share.distance() == set
                    && share.spare()
                    && free(peer, selection, ramping)) {
                candidates.add(peer);
                missing--;
            }
        }
        if (candidates.size() == 0) {
            for (Peer peer : peers) {
                PeerConfig.Share share = peer.config().share();
                if (share.distance() == set
                        && share.standby()
                        && !share.spare()
                        && free(peer, selection, ramping)) {
                    candidates.add(peer);
                }
            }
        }
    }

    private static boolean free(Peer peer, Selection selection, boolean ramping) {
        int max = peer.limit();
        return Balancing.takesAll(peer, selection)
                && (max == 0 || peer.busy() < max)
                && !(ramping && peer.ramping());
    }

    @Override
    public void ended(UpstreamConfig config, Peer peer, Outcome outcome, long bytes, long now) {
        switch (outcome) {
            case OK, SOFT_BAD_STATUS, DECLINED -> peer.answeredOne();
            case CLIENT_FAILED, NO_MEMORY, BUSY, UNSUPPORTED, OUTRUN -> {}
            case CONNECT_FAILED, TLS_FAILED, PING_FAILED, BAD_STATUS -> fail(peer, now);
            case BROKEN -> {
                boolean tooMany = Balancing.failsTooMany(peers, peer);
                if (tooMany || peer.config().address().scheme() == PeerScheme.AJP) {
                    fail(peer, now);
                } else {
                    peer.localError(now);
                }
            }
            case REPLY_TIMEOUT -> {
                peer.replyTimeouts++;
                if (config.replyTimeoutsMax() >= 0
                        && peer.replyTimeouts > config.replyTimeoutsMax()) {
                    fail(peer, now);
                } else {
                    peer.localError(now);
                }
            }
        }
    }

    private static void fail(Peer peer, long now) {
        peer.firstError(now);
        peer.fail(now);
    }

    @Override
    public void maintain(UpstreamConfig config, long intervals, long now) {
        for (Peer peer : peers) {
            peer.replyTimeouts >>= (int) Math.min(intervals, 31);
        }
    }

    @Override
    public void recover(Peer peer) {
        if (peer.state() == PeerState.ERROR) {
            peer.retries++;
            peer.state(PeerState.OK);
            peer.ramp();
        }
    }

    @Override
    public void joined(Peer peer) {
        // All urgencies begin anew when the peers are weighed.
    }

    @Override
    public void weigh() {
        restart();
    }

    @Override
    public void restart() {
        for (Peer peer : peers) {
            peer.load = 0;
        }
    }
}
