package io.margay.gateway.peer;

import io.margay.gateway.config.PeerConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Whether an HTTP/2 connection to a peer is alive, and what is to be done at which time to keep it
/// so: when anything came last, since when there are requests or none, and the PING that waits for
/// its acknowledgement (RFC 9113 §6.7). Confined to the connection's loop.
final class Http2Liveness {
    /// A connection that something came on just now needs no ping before a request.
    private static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int SECONDS_MAX = 3_600;

    private enum Ping {
        NONE,
        SENT,
        /// Further requests wait for the acknowledgement.
        SENT_BEFORE_REQUESTS
    }

    /// What the time demands.
    enum Due {
        NOTHING,
        /// The ping was not acknowledged: the connection is dead.
        PONG,
        /// The peer has not taken what was sent.
        OUTPUT,
        /// Nothing has come for long, although requests wait: a ping.
        PING,
        /// It has carried no requests for long: a ping, if its pool asks for them.
        IDLE_PING,
        /// It has carried no requests for longer than it is to be kept.
        IDLE
    }

    private final Http2PeerOutput output;
    private final PeerConfig config;
    private final Duration silence;
    private final long bornNanos;
    private boolean heard;
    private boolean leaving;
    private boolean proven;
    private Ping ping = Ping.NONE;
    private long pongDueNanos;
    private long receivedNanos;
    private long secondsNanos;
    private long busyNanos;
    private long idleNanos;

    /// @param silence how long nothing may come while requests wait
    Http2Liveness(Http2PeerOutput output, PeerConfig config, Duration silence, long nowNanos) {
        this.output = output;
        this.config = config;
        this.silence = silence;
        bornNanos = nowNanos;
        receivedNanos = nowNanos;
        secondsNanos = nowNanos;
        busyNanos = nowNanos;
        idleNanos = nowNanos;
    }

    /// Something has come, which says as much as an acknowledgement.
    ///
    /// @return whether requests have waited for one
    boolean received(long nowNanos) {
        boolean waited = ping == Ping.SENT_BEFORE_REQUESTS;
        heard = true;
        receivedNanos = nowNanos;
        ping = Ping.NONE;
        return waited;
    }

    /// Seconds that have passed since the last call, whole ones, an hour at most.
    int takeSeconds(long nowNanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nowNanos - secondsNanos);
        secondsNanos += TimeUnit.SECONDS.toNanos(seconds);
        return (int) Math.min(seconds, SECONDS_MAX);
    }

    /// The peer has said that it goes away.
    void leaving() {
        leaving = true;
    }

    /// Whether anything has come so far, and not that the peer goes away.
    boolean isStaying() {
        return heard && !leaving;
    }

    /// A request has been answered.
    void answered() {
        proven = true;
    }

    /// Whether no request has been answered yet.
    boolean isUnproven() {
        return !proven;
    }

    /// Whether it has been there for as long as a connection may.
    boolean isOld(long nowNanos) {
        return Deadlines.isPast(Deadlines.after(bornNanos, config.pool().lifetime()), nowNanos);
    }

    boolean isAlive(long nowNanos) {
        return nowNanos - receivedNanos < ALIVE_NANOS;
    }

    /// There are requests from now on.
    void busy(long nowNanos) {
        busyNanos = nowNanos;
    }

    /// There are none from now on.
    void idle(long nowNanos) {
        idleNanos = nowNanos;
    }

    // PING

    /// A ping is being sent.
    ///
    /// @param patience until the acknowledgement is late
    /// @param beforeRequests whether further requests wait for it
    /// @return when it is late
    long pinged(long nowNanos, Duration patience, boolean beforeRequests) {
        ping = beforeRequests ? Ping.SENT_BEFORE_REQUESTS : Ping.SENT;
        pongDueNanos = nowNanos + patience.toNanos();
        return pongDueNanos;
    }

    boolean isPinged() {
        return ping != Ping.NONE;
    }

    boolean holdsRequests() {
        return ping == Ping.SENT_BEFORE_REQUESTS;
    }

    // What is due

    /// When to ask again what is [#due].
    ///
    /// @param requests whether there are any
    /// @param pingNanos how long nothing may come while there are none; 0 = for ever
    long deadline(boolean requests, long pingNanos) {
        if (requests) {
            return output.isBlocked() ? takenBy() : isPinged() ? pongDueNanos : heardBy();
        }
        long next = output.isBlocked() ? takenBy() : keptUntil();
        if (isPinged()) {
            return Deadlines.earlier(next, pongDueNanos);
        }
        return pingNanos == 0 ? next : Deadlines.earlier(next, receivedNanos + pingNanos);
    }

    /// What is due now.
    ///
    /// @param requests whether there are any
    /// @param pingNanos how long nothing may come while there are none; 0 = for ever
    Due due(boolean requests, long pingNanos, long nowNanos) {
        if (output.isBlocked()) {
            if (Deadlines.isPast(takenBy(), nowNanos)) {
                return Due.OUTPUT;
            }
        } else if (isPinged()) {
            if (Deadlines.isPast(pongDueNanos, nowNanos)) {
                return Due.PONG;
            }
        } else if (requests && Deadlines.isPast(heardBy(), nowNanos)) {
            return Due.PING;
        }
        if (requests) {
            return Due.NOTHING;
        }
        if (pingNanos != 0 && receivedNanos + pingNanos - nowNanos <= 0) {
            return isPinged() ? Due.NOTHING : Due.IDLE_PING;
        }
        return Deadlines.isPast(keptUntil(), nowNanos) ? Due.IDLE : Due.NOTHING;
    }

    private long takenBy() {
        return Deadlines.after(output.blockedNanos(), config.timeouts().io());
    }

    private long heardBy() {
        long since = receivedNanos - busyNanos > 0 ? receivedNanos : busyNanos;
        return Deadlines.after(since, silence);
    }

    private long keptUntil() {
        return Deadlines.after(idleNanos, config.pool().idle());
    }
}
