package io.margay.gateway.balance;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Balancing as mod_jk's `lb` worker defines it.
///
/// Among the peers of the smallest distance the method chooses by load values ([Chooser]); where
/// two are equal, the one after the peer chosen last. A request adds the peer's multiplier to them:
/// the weights' least common multiple divided by its own. Maintenance lets them age once per
/// interval. An error is local at first: this request goes elsewhere, others still come. It becomes
/// the state ERROR when no other request is on the peer, when it has lasted, or, which mod_jk does
/// not have, when the peer has failed [many in a row][#FAILED_IN_ROW_MAX]. Only maintenance ends
/// it, and then one real request tries the peer.
///
/// Guarded by the upstream's lock.
final class ModJkBalancing implements Balancing {
    /// Above it multipliers are approximate.
    private static final long COMMON_MULTIPLE_MAX = 1L << 40;

    private final List<Peer> peers;
    private final Candidates candidates;
    private int offset;

    ModJkBalancing(List<Peer> peers, Candidates candidates) {
        this.peers = peers;
        this.candidates = candidates;
    }

    @Override
    public Selection.@Nullable Choice choose(UpstreamConfig config, Selection selection, long now) {
        candidates.of(selection, now);
        for (Peer peer : peers) {
            if (peer.state() == PeerState.BUSY && !full(peer)) {
                peer.state(PeerState.OK);
            }
        }
        List<String> sessions = Balancing.sessions(config, selection);
        boolean forced = false;
        for (int i = 0; i <= 2 * peers.size(); i++) {
            Selection.Choice choice = select(config, selection, sessions);
            if (choice == null) {
                if (forced || !config.forceRecovery() || !force(selection)) {
                    return null;
                }
                forced = true;
            } else if (full(choice.peer())) {
                choice.peer().state(PeerState.BUSY);
            } else {
                count(config, selection, sessions, choice.peer());
                return choice;
            }
        }
        return null;
    }

    /// Every request is given to a lone peer as if its session led there.
    @Override
    public Selection.@Nullable Choice chooseAlone(
            UpstreamConfig config, Selection selection, Peer only) {
        PeerState state = only.state();
        boolean well = state == PeerState.OK || state == PeerState.IDLE;
        boolean free = only.limit() == 0;
        if (!well || !free || !Balancing.takesAll(only, selection)) {
            return null;
        }
        boolean newSession =
                !selection.stateless() && Balancing.sessions(config, selection).isEmpty();
        if (Chooser.of(config.method()).counts(newSession)) {
            only.addLoadUnlocked();
        }
        if (newSession) {
            only.countSession();
        }
        return only.sticky;
    }

    @Override
    public boolean isNews(UpstreamConfig config, Peer peer, Outcome outcome) {
        return outcome != Outcome.OK
                || peer.state() != PeerState.OK
                || peer.hasErrors()
                || Chooser.of(config.method()).countsBytes();
    }

    private static boolean full(Peer peer) {
        int max = peer.limit();
        return max > 0 && peer.busy() >= max;
    }

    private static void count(
            UpstreamConfig config, Selection selection, List<String> sessions, Peer peer) {
        if (peer.state() == PeerState.RECOVERING) {
            peer.state(PeerState.PROBING);
        }
        boolean newSession = sessions.isEmpty() && !selection.stateless();
        if (Chooser.of(config.method()).counts(newSession)) {
            peer.load += peer.multiplier;
        }
        if (newSession) {
            peer.countSession();
        }
    }

    private Selection.@Nullable Choice select(
            UpstreamConfig config, Selection selection, List<String> sessions) {
        if (peers.size() == 1) {
            Peer only = peers.getFirst();
            if (!Balancing.takesSessions(only, selection)) {
                return null;
            }
            if (selection.activation(only) != Activation.DISABLED) {
                return only.sticky;
            }
        }
        for (String session : sessions) {
            String route = Balancing.route(session, config.sticky().separator());
            if (route != null) {
                Selection.Choice choice = byRoute(config, selection, route);
                if (choice != null) {
                    return choice;
                }
            }
        }
        if (!sessions.isEmpty() && config.sticky().force()) {
            return null;
        }
        Peer best = best(config, selection, true);
        if (best == null) {
            best = best(config, selection, false);
        }
        return best == null ? failover(config, selection) : best.free;
    }

    private Selection.@Nullable Choice byRoute(
            UpstreamConfig config, Selection selection, String route) {
        Peer peer = named(route);
        if (peer == null) {
            Peer member = bestOfDomain(config, selection, route);
            return member == null ? null : member.free;
        }
        if (Balancing.takesSessions(peer, selection)) {
            return peer.sticky;
        }
        if (config.sticky().force()) {
            return null;
        }
        PeerConfig.Share share = peer.config().share();
        Peer other = null;
        if (!share.redirect().isEmpty()) {
            other = named(share.redirect());
        } else if (!peer.domain().isEmpty()) {
            other = bestOfDomain(config, selection, peer.domain());
        }
        return other != null && Balancing.takesSessions(other, selection) ? other.free : null;
    }

    private @Nullable Peer named(String route) {
        for (Peer peer : peers) {
            if (peer.config().share().route().equals(route)) {
                return peer;
            }
        }
        return null;
    }

    private @Nullable Peer bestOfDomain(UpstreamConfig config, Selection selection, String route) {
        int dot = route.indexOf('.');
        int length = dot < 0 ? route.length() : dot;
        candidates.clear();
        for (Peer peer : peers) {
            String domain = peer.domain();
            if (!domain.isEmpty()
                    && domain.length() == length
                    && route.startsWith(domain)
                    && Balancing.takesAll(peer, selection)) {
                candidates.addNearest(peer);
            }
        }
        return chosen(config, false);
    }

    private @Nullable Peer best(UpstreamConfig config, Selection selection, boolean ramping) {
        candidates.clear();
        int count = peers.size();
        for (int j = 0; j < count; j++) {
            Peer peer = peers.get((offset + j) % count);
            if (Balancing.takesAll(peer, selection) && !(ramping && peer.ramping())) {
                candidates.addNearest(peer);
            }
        }
        candidates.narrow(config, peers);
        Peer best = chosen(config, selection.stateless());
        if (best != null) {
            offset = (peers.indexOf(best) + 1) % count;
        }
        return best;
    }

    private @Nullable Peer chosen(UpstreamConfig config, boolean first) {
        if (candidates.size() == 0) {
            return null;
        }
        Peer chosen = first ? candidates.get(0) : Chooser.of(config.method()).choose(candidates);
        candidates.clear();
        return chosen;
    }

    /// The redirection that any peer names stands in when nothing else is left.
    private Selection.@Nullable Choice failover(UpstreamConfig config, Selection selection) {
        for (Peer peer : peers) {
            String redirect = peer.config().share().redirect();
            if (!redirect.isEmpty()) {
                Selection.Choice choice = byRoute(config, selection, redirect);
                return choice == null ? null : choice.peer().free;
            }
        }
        return null;
    }

    private boolean force(Selection selection) {
        boolean any = false;
        for (Peer peer : peers) {
            if (peer.state() == PeerState.ERROR && !selection.tried().contains(peer)) {
                peer.replyTimeouts = 0;
                peer.state(PeerState.FORCED);
                any = true;
            }
        }
        return any;
    }

    @Override
    public void ended(UpstreamConfig config, Peer peer, Outcome outcome, long bytes, long now) {
        if (Chooser.of(config.method()).countsBytes()) {
            peer.load += bytes * peer.multiplier;
        }
        boolean tried = peer.state() == PeerState.PROBING;
        if (peer.state() != PeerState.ERROR) {
            peer.state(PeerState.OK);
        }
        switch (outcome) {
            case OK, CLIENT_FAILED, NO_MEMORY, SOFT_BAD_STATUS, DECLINED, UNSUPPORTED ->
                    peer.forgive();
            case OUTRUN -> {
                if (tried) {
                    peer.state(PeerState.RECOVERING); // another request tries it
                }
            }
            case BUSY -> {
                if (peer.state() != PeerState.ERROR) {
                    peer.state(PeerState.BUSY);
                }
            }
            case BAD_STATUS -> {
                peer.firstError(now);
                peer.fail(now);
            }
            case REPLY_TIMEOUT -> {
                peer.replyTimeouts++;
                if (config.replyTimeoutsMax() >= 0
                        && peer.replyTimeouts > config.replyTimeoutsMax()) {
                    peer.firstError(now);
                    peer.fail(now);
                }
            }
            case CONNECT_FAILED, TLS_FAILED, PING_FAILED, BROKEN -> local(config, peer, now);
        }
    }

    private void local(UpstreamConfig config, Peer peer, long now) {
        boolean tooMany = Balancing.failsTooMany(peers, peer);
        long escalation = config.escalation().toNanos();
        boolean lasting =
                escalation == 0 || (peer.hasErrors() && now - peer.firstErrorNanos() >= escalation);
        if (!peer.hasErrors()) {
            peer.firstError(now);
        }
        if (peer.busy() == 0 || lasting || tooMany) {
            peer.fail(now);
        } else {
            peer.localError(now);
        }
    }

    @Override
    public void maintain(UpstreamConfig config, long intervals, long now) {
        Chooser method = Chooser.of(config.method());
        int passed = (int) Math.min(intervals, 63);
        long most = 0;
        for (Peer peer : peers) {
            peer.settleLoad();
            peer.load = method.aged(peer.load, passed);
            most = Math.max(most, peer.load);
            peer.replyTimeouts >>= Math.min(passed, 31);
        }
        method.level(peers);
        int usable = 0;
        for (Peer peer : peers) {
            usable += maintain(config, peer, most, now) ? 1 : 0;
        }
        if (usable == 0) {
            force(Selection.FIRST);
        }
    }

    private static boolean maintain(UpstreamConfig config, Peer peer, long most, long now) {
        boolean usable = true;
        PeerState state = peer.state();
        if (state == PeerState.ERROR) {
            usable = now - peer.lastErrorNanos() > peer.config().failures().recover().toNanos();
            if (usable) {
                peer.load = most;
                peer.replyTimeouts = 0;
                peer.state(PeerState.RECOVERING);
            }
        } else if (peer.hasErrors()
                && now - peer.firstErrorNanos() >= config.escalation().toNanos()
                && state != PeerState.RECOVERING) {
            peer.state(PeerState.ERROR);
            usable = false;
        } else if (state == PeerState.OK && peer.used() == peer.usedSnapshot) {
            peer.state(PeerState.IDLE);
        }
        peer.usedSnapshot = peer.used();
        return usable;
    }

    @Override
    public void recover(Peer peer) {
        if (peer.state() == PeerState.ERROR) {
            joined(peer);
            peer.replyTimeouts = 0;
            peer.state(PeerState.RECOVERING);
        }
    }

    @Override
    public void joined(Peer peer) {
        for (Peer other : peers) {
            peer.load = Math.max(peer.load, other.load);
        }
    }

    @Override
    public void weigh() {
        peers.forEach(Peer::settleLoad);
        boolean whole = peers.stream().allMatch(p -> p.weight() == Math.rint(p.weight()));
        double scale = whole ? 1 : 100;
        long common = 1;
        for (Peer peer : peers) {
            long factor = factor(peer, scale);
            long product = common / gcd(common, factor) * factor;
            if (product > COMMON_MULTIPLE_MAX) {
                common = COMMON_MULTIPLE_MAX;
                break;
            }
            common = product;
        }
        for (Peer peer : peers) {
            peer.multiplier = Math.max(1, common / factor(peer, scale));
        }
    }

    @Override
    public void restart() {
        for (Peer peer : peers) {
            peer.settleLoad();
            peer.load = 0;
        }
    }

    private static long factor(Peer peer, double scale) {
        return Math.max(1, Math.round(peer.weight() * scale));
    }

    private static long gcd(long a, long b) {
        long x = a;
        long y = b;
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return x;
    }
}
