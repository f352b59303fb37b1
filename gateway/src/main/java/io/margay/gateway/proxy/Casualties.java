package io.margay.gateway.proxy;

import io.margay.gateway.attempt.DeadlyRequests;
import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.peer.ConnectionWaiter;
import io.margay.gateway.peer.LoopConnections;
import io.margay.gateway.peer.PeerExchange;
import io.margay.protocol.http.RequestHead;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// The peers whose connections have ended with a request on them, before any of an answer. A peer
/// that takes no connection then has died, on this request as far as anybody knows; with the second
/// one the upstream remembers it, and with the first one if it [is suspected][DeadlyRequests].
/// Confined to the loop that carries the request.
final class Casualties {
    /// With so many a request is not tried any more, if none like it is suspected.
    private static final int MAX = 2;

    private static final long AGAIN_NANOS = 100_000_000L;

    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    private final Upstream upstream;
    private final boolean suspected;
    private int ended;
    private int asked;
    private int dead;

    /// What goes on when it is known who has died.
    private @Nullable Runnable then;

    /// @param suspected whether members have died on a request like this one
    Casualties(Upstream upstream, boolean suspected) {
        this.upstream = upstream;
        this.suspected = suspected;
    }

    private int most() {
        return suspected ? 1 : MAX;
    }

    /// Whether the request has ended so many.
    boolean isDeadly() {
        return dead >= most();
    }

    /// Whether that is being found out; if so, that goes on then.
    boolean await(Runnable next) {
        boolean waits = ended >= most() && asked > 0;
        then = waits ? next : null;
        return waits;
    }

    /// A peer has ended a connection; whether it takes another is found out beside the request.
    void add(Peer peer, RequestHead request, LoopConnections loop) {
        ended++;
        asked++;
        ask(peer, request, loop, false);
    }

    /// @param again whether it has taken one: the system may do that for a process that just ends
    private void ask(Peer peer, RequestHead request, LoopConnections loop, boolean again) {
        PeerExchange found =
                loop.pool(peer)
                        .acquire(
                                new ConnectionWaiter() {
                                    @Override
                                    public boolean waits() {
                                        return true;
                                    }

                                    @Override
                                    public void acquired(PeerExchange alive) {
                                        alive.cancel();
                                        taken(peer, request, loop, again);
                                    }

                                    @Override
                                    public void unavailable(Outcome outcome, String why) {
                                        refused(outcome, request);
                                        known();
                                    }
                                },
                                true,
                                false);
        if (found != null) {
            found.cancel();
            taken(peer, request, loop, again);
        }
    }

    private void taken(Peer peer, RequestHead request, LoopConnections loop, boolean again) {
        if (again) {
            known();
        } else {
            loop.dialer()
                    .timer(() -> ask(peer, request, loop, true))
                    .at(loop.nanoTime() + AGAIN_NANOS);
        }
    }

    private void known() {
        Runnable next = then;
        if (--asked == 0 && next != null) {
            then = null;
            next.run();
        }
    }

    private void refused(Outcome outcome, RequestHead request) {
        if (outcome == Outcome.CONNECT_FAILED && ++dead == most()) {
            boolean deadly =
                    upstream.retries().diedOn(request, suspected) == DeadlyRequests.Known.DEADLY;
            LOG.log(
                    Level.WARNING,
                    deadly
                            ? "{0}: members have died on {1} {2} again; requests like it get 502"
                                    + " for a minute"
                            : "{0}: two members have died on {1} {2}; the next request like it is"
                                    + " sent to one member only",
                    upstream.config().name(),
                    request.method(),
                    request.target().rawPath());
        }
    }
}
