package io.margay.gateway.proxy;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.peer.ConnectionWaiter;
import io.margay.gateway.peer.LoopConnections;
import io.margay.gateway.peer.PeerExchange;
import io.margay.gateway.peer.ResponseListener;
import io.margay.gateway.retry.Hedging;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ResponseHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.UndecidedException;
import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import org.jspecify.annotations.Nullable;

/// A second member that is asked for a GET which the first one does not answer in time. The first
/// of both that answers is the one whose response the client gets, and the other attempt is
/// cancelled; one that fails leaves the request to the other. Confined to the loop that carries the
/// request.
final class Hedge implements ConnectionWaiter, ResponseListener {
    private enum State {
        /// The first member is alone.
        ALONE,
        /// There is no connection to the second one yet.
        CONNECTING,
        /// The second one has the request.
        SENDING,
        /// What comes of the second one is the response.
        ADOPTED,
        OVER
    }

    private final ProxyExchange of;
    private final Exchange exchange;
    private final PeerRequests requests;
    private final ProxyTarget target;
    private final Hedging hedging;
    private final LoopConnections loop;
    private final long begunNanos;
    private Dialer.@Nullable Timer timer;
    private State state = State.ALONE;
    private @Nullable PeerAttempts second;
    private @Nullable PeerExchange channel;

    /// Begins to wait for the first member; null where no second one is to be asked.
    static @Nullable Hedge of(
            ProxyExchange of,
            Exchange exchange,
            PeerRequests requests,
            ProxyTarget target,
            LoopConnections loop) {
        Hedging how = target.hedging();
        return how != null && exchange.request().method().equals("GET") && exchange.inputEnded()
                ? new Hedge(of, exchange, requests, target, loop, how)
                : null;
    }

    private Hedge(
            ProxyExchange of,
            Exchange exchange,
            PeerRequests requests,
            ProxyTarget target,
            LoopConnections loop,
            Hedging hedging) {
        this.of = of;
        this.exchange = exchange;
        this.requests = requests;
        this.target = target;
        this.hedging = hedging;
        this.loop = loop;
        begunNanos = loop.nanoTime();
        long after = hedging.afterNanos();
        if (after >= 0) {
            Dialer.Timer made = loop.dialer().timer(this::late);
            made.at(begunNanos + after);
            timer = made;
        }
    }

    /// A request for a connection to the first member, of which nothing becomes when the second one
    /// has taken its place.
    ConnectionWaiter first() {
        PeerAttempts attempts = of.attempts();
        return new ConnectionWaiter() {
            @Override
            public boolean waits() {
                return of.attempts() == attempts && of.waits();
            }

            @Override
            public void acquired(PeerExchange found) {
                if (of.attempts() == attempts) {
                    of.acquired(found);
                } else {
                    found.cancel();
                }
            }

            @Override
            public void unavailable(Outcome outcome, String why) {
                if (of.attempts() == attempts) {
                    of.unavailable(outcome, why);
                }
            }
        };
    }

    private void late() {
        if (state != State.ALONE || !of.isWaiting() || !of.attempts().mayHaveSecond()) {
            return;
        }
        PeerAttempts made = of.attempts().second();
        if (made == null) {
            state = State.OVER;
            hedging.leftOut();
            return;
        }
        hedging.sent();
        second = made;
        state = State.CONNECTING;
        PeerExchange found = loop.pool(made.peer()).acquire(this, false, false);
        if (found != null) {
            acquired(found);
        }
    }

    @Override
    public boolean waits() {
        return state == State.CONNECTING
                || (state == State.ADOPTED
                        && channel == null
                        && of.attempts() == second
                        && of.waits());
    }

    @Override
    public void acquired(PeerExchange found) {
        PeerAttempts attempts = second;
        if (state == State.ADOPTED && of.attempts() == attempts) {
            of.acquired(found);
            return;
        }
        if (state != State.CONNECTING || attempts == null) {
            found.cancel();
            return;
        }
        Peer peer = attempts.connected();
        channel = found;
        state = State.SENDING;
        try {
            found.begin(requests.of(exchange, loop, target, peer, 0, false, false), this);
        } catch (IllegalArgumentException | UndecidedException e) {
            found.cancel();
            lose(Outcome.CLIENT_FAILED);
            return;
        }
        found.flush();
    }

    @Override
    public void unavailable(Outcome outcome, String why) {
        if (state == State.CONNECTING) {
            lose(outcome);
        } else if (state == State.ADOPTED && of.attempts() == second) {
            of.unavailable(outcome, why);
        }
    }

    /// The second attempt ends, and the first one goes on.
    private void lose(Outcome outcome) {
        state = State.OVER;
        channel = null;
        PeerAttempts attempts = second;
        if (attempts != null) {
            attempts.end(outcome, 0, 0);
        }
    }

    /// Whether the second attempt can go on in the place of the first one.
    boolean isUnderWay() {
        return state == State.CONNECTING || state == State.SENDING;
    }

    /// The second attempt goes on in the place of the first one.
    ///
    /// @return what it is, and its channel in [#channel]
    PeerAttempts adopt() {
        PeerAttempts attempts = second;
        if (attempts == null || !isUnderWay()) {
            throw new IllegalStateException("there is no second attempt");
        }
        state = State.ADOPTED;
        return attempts;
    }

    /// The connection of the second attempt; null = there is none yet.
    @Nullable PeerExchange channel() {
        return channel;
    }

    /// There is a response, or there will be none: nothing more is waited for.
    ///
    /// @param answered whether there is one that counts for how long responses take
    void stop(boolean answered) {
        if (answered) {
            hedging.answered(loop.nanoTime() - begunNanos);
        }
        if (timer != null) {
            timer.at(Connection.NEVER);
            timer = null;
        }
        if (isUnderWay()) {
            PeerExchange was = channel;
            if (was != null) {
                was.cancel();
            }
            lose(Outcome.OUTRUN);
        } else if (state == State.ALONE) {
            state = State.OVER;
        }
    }

    @Override
    public void interim(ResponseHead head) {
        if (state == State.ADOPTED) {
            of.interim(head);
        }
    }

    @Override
    public void head(ResponseHead head) {
        PeerAttempts attempts = second;
        if (state != State.SENDING || attempts == null) {
            return;
        }
        Outcome failure = of.failure(attempts.peer(), head);
        if (failure != null || Outcome.hasFailed(head.status())) {
            Peer _ = attempts.answered(0, head);
            PeerExchange was = channel;
            if (was != null) {
                was.cancel();
            }
            lose(failure == null ? Outcome.OK : failure);
            return;
        }
        hedging.won();
        boolean _ = of.secondGoesOn(Outcome.OUTRUN);
        of.head(head);
    }

    @Override
    public void content(byte[] bytes, int from, int to) {
        of.content(bytes, from, to);
    }

    @Override
    public void end(byte[] bytes, int from, int to, Fields trailers) {
        of.end(bytes, from, to, trailers);
    }

    @Override
    public void room() {
        // A request without content needs none.
    }

    @Override
    public void failed(Outcome outcome, String why) {
        PeerAttempts attempts = second;
        PeerExchange was = channel;
        if (state == State.ADOPTED) {
            of.failed(outcome, why);
        } else if (state == State.SENDING && attempts != null && was != null) {
            if (was.sent()) {
                attempts.lost(outcome, loop, !was.answered());
            }
            lose(outcome);
        }
    }
}
