package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.peer.WaitingRequests.Waiting;
import io.margay.transport.Connection;
import io.margay.transport.DialTarget;
import io.margay.transport.Dialer;
import io.margay.transport.TlsSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The HTTP/2 connections of one loop to one peer, each of which carries several requests, and the
/// requests that wait for room on one. Confined to the loop; [ConnectionCount] counts over all
/// loops.
///
/// Another connection is opened when those that are there, or are being opened, have no room for
/// all that wait.
final class Http2Pool implements PeerPool {
    /// Connections in a row that the peer may end before they carry a request. One that restarts
    /// ends a few so; whoever waits for one that ends all of them is told at once.
    private static final int EARLY_MAX = 3;

    private final PeerLoop loop;
    private final Peer peer;
    private final ConnectionCount count;
    private final DialFailures failures;
    private final PeerConfig.Pool config;

    /// Connections that take further requests, now or when one of theirs has ended.
    private final List<Http2Channel> channels = new ArrayList<>();

    private final WaitingRequests waiting;

    /// Connections on their way, until they are among the others.
    private int dialling;

    /// Connections, one after the other, that ended before they carried a request.
    private int early;

    /// What whoever waits is told once no connection is on its way; null = another is tried.
    private @Nullable IOException hopeless;

    private boolean retired;
    private boolean feeding;
    private volatile boolean starving;

    /// Requests that the peer has let a connection carry at a time, as last heard.
    private int streamsAllowed;

    Http2Pool(PeerLoop loop, Peer peer, ConnectionCount count) {
        this.loop = loop;
        this.peer = peer;
        this.count = count;
        failures = new DialFailures(loop, peer);
        config = peer.config().pool();
        streamsAllowed = config.reuse() ? loop.limits().http2().streamsMax() : 1;
        waiting = new WaitingRequests(loop, peer);
    }

    @Override
    public Dialer dialer() {
        return loop.dialer();
    }

    PeerLoop loop() {
        return loop;
    }

    Peer peer() {
        return peer;
    }

    boolean pings(PeerConfig.Ping when) {
        return peer.config().ajp().pings().contains(when);
    }

    @Override
    public @Nullable PeerExchange acquire(ConnectionWaiter waiter, boolean fresh, boolean probe) {
        Http2Channel found = waiting.isEmpty() ? find(fresh, probe) : null;
        if (found != null) {
            carries();
            return found.open();
        }
        waiting.add(waiter, fresh, probe);
        feed();
        return null;
    }

    /// A connection with room, or null. One is filled before the next.
    private @Nullable Http2Channel find(boolean fresh, boolean probe) {
        for (int i = channels.size() - 1; i >= 0; i--) {
            Http2Channel each = channels.get(i);
            boolean passedOver = fresh && each.isStale();
            if (!passedOver && each.isUsable(probe) && each.hasRoom()) {
                return each;
            }
        }
        return null;
    }

    /// Has requests that wait carried, as many as there is room for, and opens connections for the
    /// others.
    @Override
    public void feed() {
        if (feeding) {
            return;
        }
        feeding = true;
        try {
            serve();
            open();
        } finally {
            feeding = false;
        }
    }

    private void serve() {
        while (true) {
            Waiting first = waiting.first();
            if (first == null) {
                return;
            }
            if (first.waiter().waits()) {
                Http2Channel found = find(first.fresh(), first.probe());
                if (found == null) {
                    return;
                }
                carries();
                waiting.removeFirst();
                first.waiter().acquired(found.open());
            } else {
                waiting.removeFirst();
            }
        }
    }

    /// A connection takes a request.
    private void carries() {
        early = 0;
        hopeless = null;
    }

    private void open() {
        giveUp();
        if (hopeless != null) {
            return; // what is there, or on its way, decides
        }
        int expected = dialling * streamsAllowed;
        for (Http2Channel each : channels) {
            expected += each.isReady() ? 0 : streamsAllowed;
        }
        while (waiting.size() > expected && dial()) {
            expected += streamsAllowed;
        }
        starving = waiting.size() > expected && channels.isEmpty();
        if (waiting.size() > expected && config.max() > 0) {
            closeStale();
            count.hungry(this, config.max());
        } else if (count.opened() < config.max()) {
            count.feed(); // what is not needed here may be elsewhere
        }
    }

    private boolean dial() {
        if (!count.tryOpen(config.max())) {
            return false;
        }
        dialling++;
        DialTarget target = PeerTargets.of(peer.config());
        loop.dialer().dial(target, this::connected, this::notConnected);
        return true;
    }

    /// One that idles and is in the way of a new one, since what waits is not for it.
    private void closeStale() {
        for (int i = channels.size() - 1; i >= 0; i--) {
            if (channels.get(i).isStale()) {
                channels.get(i).close();
                return;
            }
        }
    }

    private Http2Channel connected(Connection io) {
        Http2Channel channel = new Http2Channel(this, io);
        io.execute(() -> ready(channel, io.tls()));
        return channel;
    }

    private void ready(Http2Channel channel, @Nullable TlsSession tls) {
        dialling--;
        if (tls != null && !"h2".equals(tls.applicationProtocol())) {
            channel.close();
            refuseAll(Outcome.CONNECT_FAILED, "the member does not agree to HTTP/2");
            return;
        }
        if (channel.early() != null) {
            feed(); // the peer was quicker, and this one was on its way until now
            return;
        }
        if (retired && waiting.isEmpty()) {
            channel.close();
            return;
        }
        channels.add(channel);
        if (pings(PeerConfig.Ping.CONNECT)) {
            channel.ping();
        }
        channel.start();
        feed();
    }

    /// Whoever waits has been waiting for this one, unless another is on its way.
    private void notConnected(IOException failure) {
        dialling--;
        count.closed();
        if (dialling == 0 && channels.isEmpty()) {
            refuseAll(failures.outcome(failure), "no connection: " + failure.getMessage());
        }
        count.feed();
    }

    void refuseAll(Outcome outcome, String why) {
        for (Waiting each : waiting.takeAll()) {
            if (each.waiter().waits()) {
                each.waiter().unavailable(outcome, why);
            }
        }
    }

    // What connections tell

    boolean isAwaited() {
        return !waiting.isEmpty();
    }

    /// The peer has said how many requests a connection may carry.
    void allowed(int streams) {
        streamsAllowed = Math.max(1, streams);
    }

    boolean mayClose() {
        return count.opened() > config.min();
    }

    /// A connection takes no further requests.
    void forget(Http2Channel channel) {
        boolean _ = channels.remove(channel);
    }

    /// A connection has been closed; the pool that has waited for longest may open another.
    ///
    /// @param cause why the peer has ended it before it carried a request; null = it has not
    void closed(@Nullable IOException cause) {
        count.closed();
        if (cause != null) {
            endedEarly(cause);
        }
        if (waiting.isEmpty()) {
            count.feed();
        } else if (config.max() > 0) {
            count.hungry(this, config.max());
        } else {
            feed();
        }
    }

    /// As where a certificate of the gateway is missing, which a peer says after the handshake.
    private void endedEarly(IOException cause) {
        if (cause instanceof SSLException || ++early >= EARLY_MAX) {
            hopeless = cause;
            giveUp();
        }
    }

    /// Tells whoever waits, unless a connection is there or on its way.
    private void giveUp() {
        IOException cause = hopeless;
        if (cause != null && dialling == 0 && channels.isEmpty()) {
            early = 0;
            hopeless = null;
            refuseAll(failures.outcome(cause), "no connection: " + cause.getMessage());
        }
    }

    /// A request is over: what another loop waits for may be given up now.
    void requestEnded() {
        if (count.isHungryBeside(this)) {
            spare();
        }
        if (!waiting.isEmpty()) {
            loop.dialer().execute(this::feed);
        } else if (retired) {
            loop.dialer().execute(this::retire);
        }
    }

    /// One that idles. Where all are at work, one takes no further requests if the other loop has
    /// no connection at all, or it might wait for ever.
    @Override
    public void spare() {
        Http2Channel least = null;
        for (Http2Channel each : channels) {
            if (least == null || each.requests() < least.requests()) {
                least = each;
            }
        }
        if (least != null && (least.requests() == 0 || count.isStarving())) {
            least.drain();
        }
    }

    @Override
    public boolean isStarving() {
        return starving;
    }

    @Override
    public void retire() {
        retired = true;
        for (Http2Channel each : List.copyOf(channels)) {
            each.drain();
        }
    }
}
