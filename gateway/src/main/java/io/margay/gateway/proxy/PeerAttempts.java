package io.margay.gateway.proxy;

import io.margay.gateway.attempt.AttemptEvent;
import io.margay.gateway.attempt.DeadlyRequests;
import io.margay.gateway.attempt.QueueTime;
import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.PeerState;
import io.margay.gateway.balance.Selection;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.peer.LoopConnections;
import io.margay.gateway.peer.PeerExchange;
import io.margay.gateway.retry.RetryRounds;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.ResponseHead;
import io.margay.server.exchange.Attempt;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Relay;
import io.margay.server.timing.RequestPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// The peers that are tried for one request, one after the other, and how often. Confined to the
/// loop that carries the request.
final class PeerAttempts {
    /// Connections of one peer that end, one after the other, before they come to a request.
    private static final int PASSED_BY_MAX = 8;

    /// Stale connections of one peer that end while the request is on them.
    private static final int STALE_MAX = 3;

    private final Exchange exchange;
    private final Upstream upstream;
    private final ProxyRules.SelectionRules rules;
    private Selection.@Nullable Choice choice;

    /// Those that have failed the request in this round.
    private List<Peer> tried = List.of();

    private @Nullable RetryRounds rounds;
    private long begunNanos;

    /// When the phase began that the request is in; 0 = no member has been chosen.
    private long phaseNanos;

    private int attempts;
    private int attemptsOnPeer;

    /// Whether there is a connection for this attempt.
    private boolean connected;

    /// Connections of the peer of this attempt that ended with the request on them.
    private int stale;

    private int timesPassedBy;

    /// Whether the peer of this attempt is connected to anew after a stale connection.
    private boolean reconnected;

    /// Attempts in which the request was sent, to no avail.
    private int sentInVain;

    /// Whether members have died on a request like this one, so that one more gets it at most.
    private boolean suspected;

    private @Nullable Casualties casualties;

    /// The first one, while this is a second one beside it.
    private @Nullable PeerAttempts first;

    /// How much of the phase the first one has counted for the request, whose place this has taken.
    private long countedNanos;

    /// Of the answer of this attempt; 0 = there is none yet.
    private int status;

    PeerAttempts(Exchange exchange, ProxyTarget target) {
        this(exchange, target.upstream(), target.rules().selection());
    }

    private PeerAttempts(
            Exchange exchange, Upstream upstream, ProxyRules.SelectionRules selection) {
        this.exchange = exchange;
        this.upstream = upstream;
        rules = selection;
    }

    // Beside another one

    /// Whether a second member may be asked, too: the first attempt on the first one is under way,
    /// and neither a session nor what is known of the request speaks against it.
    boolean mayHaveSecond() {
        return choice != null
                && attempts == 1
                && attemptsOnPeer == 1
                && stale == 0
                && timesPassedBy == 0
                && !suspected
                && isOtherWell()
                && Sessions.of(exchange, upstream.config().sticky(), rules).isEmpty();
    }

    private boolean isOtherWell() {
        for (Peer each : upstream.peers()) {
            if (!each.equals(peer())
                    && each.state().usable()
                    && each.healthy()
                    && !each.ejection().isOut()
                    && !each.config().share().standby()
                    && !each.config().share().spare()
                    && each.activation() == Activation.ACTIVE) {
                return true;
            }
        }
        return false;
    }

    /// Attempts of which one runs beside the present one; null = the retry budget is spent, or no
    /// other peer can take the request.
    @Nullable PeerAttempts second() {
        PeerAttempts made = new PeerAttempts(exchange, upstream, rules);
        made.tried = List.of(peer());
        made.first = this;
        return upstream.retries().mayRetry() && made.choose() != null ? made : null;
    }

    /// It takes the place of the first one, which has ended.
    void takePlace() {
        PeerAttempts before = first;
        first = null;
        if (before != null) {
            attempts += before.attempts;
            sentInVain = before.sentInVain;
            casualties = before.casualties;
            countedNanos = before.phaseNanos - phaseNanos;
            tellRelay(peer());
        }
    }

    /// Counts the request as one of its upstream.
    ///
    /// @return whether no peer gets it, for members have died on such requests
    boolean came() {
        DeadlyRequests.Known known = upstream.retries().came(exchange.request());
        suspected = known == DeadlyRequests.Known.SUSPECTED;
        return known == DeadlyRequests.Known.DEADLY;
    }

    /// Begins an attempt on another peer.
    ///
    /// @return null when none can take the request
    @Nullable Peer choose() {
        Selection selection = selection(upstream.config());
        Selection.Choice chosen = upstream.choose(selection);
        if (chosen == null && first == null) {
            chosen = lastResort(selection);
        }
        if (chosen == null) {
            return null;
        }
        choice = chosen;
        attempts++;
        attemptsOnPeer = 1;
        status = 0;
        connected = false;
        stale = 0;
        reconnected = false;
        Peer peer = chosen.peer();
        if (first == null) {
            tellRelay(peer);
        }
        begin(RequestPhase.CONNECT);
        begunNanos = peer.nanos();
        phaseNanos = phaseNanos == 0 ? begunNanos : phaseNanos;
        peer.begin();
        if (exchange.request().contentLength() != RequestHead.NO_BODY) {
            upstream.answers().awaitsClient(peer, begunNanos);
        }
        return peer;
    }

    private void tellRelay(Peer peer) {
        String name = peer.config().name();
        exchange.notes().relay(new Relay(upstream.config().name(), name, isSticky()));
    }

    private Selection selection(UpstreamConfig config) {
        List<String> sessions = Sessions.of(exchange, config.sticky(), rules);
        boolean hashes = config.method() == BalanceMethod.HASH;
        if (sessions.isEmpty()
                && tried.isEmpty()
                && !hashes
                && rules.equals(ProxyRules.SelectionRules.NONE)) {
            return Selection.FIRST;
        }
        return new Selection(
                sessions,
                tried,
                rules.stateless(),
                rules.ignoreSessions(),
                null,
                rules.activations(),
                hashes ? Sessions.key(exchange, config.hashBy()) : 0);
    }

    /// A peer that its checks have taken out, or that is tried by another request after an error,
    /// when there is no other: it may be back already, and the client has nothing to lose.
    private Selection.@Nullable Choice lastResort(Selection selection) {
        UpstreamConfig config = upstream.config();
        if (!config.forceRecovery() || !config.dialect().likeModJk()) {
            return null;
        }
        for (Peer each : upstream.peers()) {
            if ((!each.healthy() || each.state() == PeerState.PROBING)
                    && selection.activation(each) == Activation.ACTIVE
                    && !selection.tried().contains(each)) {
                return new Selection.Choice(each, false);
            }
        }
        return null;
    }

    /// The peer of this attempt.
    Peer peer() {
        Selection.Choice current = choice;
        if (current == null) {
            throw new IllegalStateException("no member is being tried");
        }
        return current.peer();
    }

    /// The same, to which there is a connection now.
    Peer connected() {
        Peer peer = peer();
        exchange.phases().attempt();
        enter(RequestPhase.CONNECT, peer.nanos());
        connected = true;
        boolean asked = exchange.request().contentLength() == RequestHead.NO_BODY;
        begin(asked ? RequestPhase.ANSWER : RequestPhase.SEND);
        return peer;
    }

    private void begin(RequestPhase phase) {
        if (first == null) {
            exchange.phases().begin(phase);
        }
    }

    /// The peer of this attempt, which has answered with a head.
    ///
    /// @param passedNanos when all of the request's content had been passed on; 0 = there is none,
    ///   or not all of it has
    Peer answered(long passedNanos, ResponseHead head) {
        Peer peer = peer();
        status = head.status();
        peer.answers(status);
        if (passedNanos != 0 && passedNanos - phaseNanos > 0) {
            enter(RequestPhase.SEND, passedNanos);
        }
        long now = peer.nanos();
        if (passedNanos != 0 || exchange.request().contentLength() == RequestHead.NO_BODY) {
            long queued =
                    upstream.config().believesQueueTimes()
                            ? QueueTime.last(head.fields().all(ResponseFields.TIMING))
                            : -1;
            upstream.answers()
                    .responded(peer, status, now - phaseNanos, queued); // else the client is slow
        }
        enter(RequestPhase.ANSWER, now);
        return peer;
    }

    /// Ends a phase, and has the next one begin.
    private void enter(RequestPhase ended, long now) {
        if (first == null) {
            exchange.phases().add(ended, now - phaseNanos - countedNanos);
            countedNanos = 0;
        }
        peer().traffic().phase(ended, now - phaseNanos);
        phaseNanos = now;
    }

    /// Whether the request's session led to the peer of this attempt.
    boolean isSticky() {
        Selection.Choice current = choice;
        return current != null && current.sticky();
    }

    /// Whether there is an attempt that has not ended.
    boolean isUnderWay() {
        return choice != null;
    }

    /// Tells the balancer how the attempt ended, once for each.
    void end(Outcome outcome, long sent, long received) {
        Selection.Choice was = choice;
        boolean ofClient = outcome == Outcome.OK || outcome == Outcome.CLIENT_FAILED;
        if (was != null && !ofClient && status == 0) {
            // Waited for in vain.
            long now = was.peer().nanos();
            if (outcome == Outcome.OUTRUN && first == null) {
                upstream.answers()
                        .responded(
                                was.peer(), 0, now - phaseNanos, -1); // it would have taken longer
            }
            enter(connected ? RequestPhase.ANSWER : RequestPhase.CONNECT, now);
        }
        choice = null;
        if (was != null) {
            Peer peer = was.peer();
            peer.took(outcome, outcome == Outcome.OK ? status : 0, begunNanos);
            String name = upstream.config().name();
            long tookNanos = peer.nanos() - begunNanos;
            if (FlightRecorder.isInitialized()) {
                AttemptEvent.ended(
                        exchange, name, peer.config().name(), outcome.name(), status, tookNanos);
            }
            if (exchange.observer().followsAttempts()) {
                tell(peer, outcome, tookNanos);
            }
            if (outcome == Outcome.OK && suspected) {
                upstream.retries().answered(exchange.request());
            }
            peer.end(outcome, sent, received);
        }
    }

    private void tell(Peer peer, Outcome outcome, long tookNanos) {
        PeerAddress at = peer.config().address();
        Relay to = exchange.relay();
        if (to != null) {
            String name = peer.config().name();
            Relay of = first == null ? to : new Relay(to.upstream(), name, false);
            String error = outcome == Outcome.OK ? null : outcome.name().toLowerCase(Locale.ROOT);
            String scheme = at.scheme().word();
            exchange.observer()
                    .attempted(
                            exchange,
                            new Attempt(
                                    of, scheme, at.host(), at.port(), status, error, tookNanos));
        }
    }

    // What follows a failure

    /// Whether a failure says nothing of the peer, so that another connection of it is tried, but
    /// not for ever: it ended before it came to the request, or was [stale][PeerExchange#stale].
    /// Those of a server that restarts end so, also new ones, which a process took that ends; where
    /// nothing came on one but that it was there, the request is sent once more only if no other
    /// peer can have it, and none has had it.
    boolean mayReconnect(Outcome outcome, PeerExchange was) {
        if (was.answered()) {
            return false;
        }
        if (outcome == Outcome.BROKEN && !was.sent()) {
            return ++timesPassedBy < PASSED_BY_MAX;
        }
        boolean again =
                switch (outcome) {
                    case BROKEN -> isLost(was) && ++stale < STALE_MAX;
                    case BUSY -> was.stale() && ++stale == 1;
                    default -> false;
                };
        reconnected = again && outcome == Outcome.BROKEN;
        connected &= !again;
        return again;
    }

    private boolean isLost(PeerExchange was) {
        return was.stale()
                || (was.unproven() && stale == 0 && sentInVain == 0 && !suspected && !hasMore());
    }

    /// Whether the peer is connected to anew since a connection that may have been stale ended with
    /// the request on it; told once.
    boolean hasReconnected() {
        boolean was = reconnected;
        reconnected = false;
        return was;
    }

    /// The request was sent to the peer of this attempt, to no avail.
    ///
    /// @param deadly whether the peer may have died on it, and another may be next
    void lost(Outcome outcome, LoopConnections loop, boolean deadly) {
        PeerAttempts of = first == null ? this : first;
        of.sentInVain++;
        if (deadly && (outcome == Outcome.BROKEN || outcome == Outcome.CONNECT_FAILED)) {
            Casualties known = of.casualties;
            if (known == null) {
                known = new Casualties(upstream, suspected);
                of.casualties = known;
            }
            known.add(peer(), exchange.request(), loop);
        }
    }

    /// Whether it is being found out who has died on the request; if so, that goes on then.
    boolean awaitsCasualties(Runnable next) {
        Casualties known = casualties;
        return known != null && known.await(next);
    }

    /// What the client is told of.
    Outcome shown(Outcome outcome) {
        Casualties known = casualties;
        return known != null && known.isDeadly() ? Outcome.BROKEN : outcome;
    }

    /// Whether there may be one more attempt: of a request that was sent some, of which no two have
    /// ended a member, and of all requests of the upstream a share. What a peer has refused at once
    /// does not count.
    boolean mayGoOn(Outcome outcome) {
        if (outcome == Outcome.DECLINED
                || outcome == Outcome.BUSY
                || outcome == Outcome.UNSUPPORTED) {
            return true;
        }
        int sentMax = suspected ? 1 : upstream.config().retries().sentMax();
        boolean spent = sentMax > 0 && sentInVain >= sentMax;
        Casualties known = casualties;
        boolean deadly = known != null && known.isDeadly();
        return !spent && !deadly && upstream.retries().mayRetry();
    }

    /// Begins another attempt on the same peer, if it may do better and has attempts left.
    boolean trySameAgain(Outcome outcome) {
        boolean mayChange =
                switch (outcome) {
                    case BUSY, UNSUPPORTED, DECLINED -> false;
                    default -> true;
                };
        if (mayChange && attemptsOnPeer < peer().config().failures().retries()) {
            attemptsOnPeer++;
            return true;
        }
        return false;
    }

    /// The peer of this attempt is not tried any more in this round.
    void giveUpPeer() {
        List<Peer> list = new ArrayList<>(tried);
        list.add(peer());
        tried = list;
    }

    /// The status of what the client gets when no peer may be asked.
    int statusOfNone() {
        return FailureResponse.statusOfNone(upstream);
    }

    /// The status of what the client gets when no peer has responded, after the last was given up.
    int status(Outcome shown) {
        return FailureResponse.status(shown, upstream, tried.getLast(), exchange.request());
    }

    /// Whether another peer may be tried in this round.
    boolean hasMore() {
        int configured = upstream.config().attempts();
        return attempts < (configured > 0 ? configured : upstream.peers().size());
    }

    /// Begins another round through the peers, where that is wanted.
    ///
    /// @return how long to wait before, nanoseconds; negative when there is none
    long nextRound(long nowNanos) {
        RetryRounds known = rounds;
        if (known == null) {
            known = new RetryRounds();
            rounds = known;
        }
        long pause = known.nextNanos(upstream, tried, nowNanos);
        if (pause >= 0) {
            attempts = 0;
            tried = List.of();
        }
        return pause;
    }
}
