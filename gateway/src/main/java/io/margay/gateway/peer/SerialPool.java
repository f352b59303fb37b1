package io.margay.gateway.peer;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.peer.WaitingRequests.Waiting;
import io.margay.gateway.protocol.PeerProtocols;
import io.margay.transport.Connection;
import io.margay.transport.DialTarget;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The connections of one loop to one peer that carry one request at a time: those that idle, and
/// the requests that wait for one. Confined to the loop; [ConnectionCount] counts over all loops.
final class SerialPool implements PeerPool {
    private final PeerLoop loop;
    private final Peer peer;
    private final ConnectionCount count;
    private final DialFailures failures;
    private final PeerConfig.Pool config;
    private final Deque<PeerChannel> idle = new ArrayDeque<>();
    private final WaitingRequests waiting;
    private int dialling;
    private boolean retired;

    SerialPool(PeerLoop loop, Peer peer, ConnectionCount count) {
        this.loop = loop;
        this.peer = peer;
        this.count = count;
        failures = new DialFailures(loop, peer);
        config = peer.config().pool();
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

    /// Finds a connection, or opens one, or waits until one is given back.
    ///
    /// @param fresh whether it must be a new one
    /// @param probe whether one that idled is looked at before it is given out
    @Override
    public @Nullable PeerExchange acquire(ConnectionWaiter waiter, boolean fresh, boolean probe) {
        if (!fresh) {
            for (PeerChannel found = idle.pollLast(); found != null; found = idle.pollLast()) {
                if (found.isUsable(probe)) {
                    return given(found, waiter);
                }
            }
        }
        waiting.add(waiter, fresh, probe);
        open();
        return null;
    }

    /// Opens a connection if there may be one more, else asks for one that others do not need.
    private void open() {
        if (dial()) {
            return;
        }
        PeerChannel unused = idle.pollFirst();
        if (unused != null) {
            unused.close(); // of which feed() is told
        }
        count.hungry(this, config.max());
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

    private PeerChannel connected(Connection io) {
        dialling--;
        PeerChannel channel =
                new PeerChannel(
                        this, io, PeerProtocols.of(peer.config(), loop.limits(), loop.addresses()));
        io.execute(() -> ready(channel));
        return channel;
    }

    private void ready(PeerChannel channel) {
        if (peer.config().ajp().pings().contains(PeerConfig.Ping.CONNECT)) {
            channel.ping(why -> {
                if (why == null) {
                    release(channel);
                } else {
                    refuse(Outcome.PING_FAILED, why);
                }
            });
        } else {
            release(channel);
        }
    }

    private void notConnected(IOException failure) {
        dialling--;
        count.closed();
        refuse(failures.outcome(failure), "no connection: " + failure.getMessage());
        count.feed();
    }

    private void refuse(Outcome outcome, String why) {
        Waiting first = nextWaiting(false);
        if (first != null) {
            first.waiter().unavailable(outcome, why);
        }
    }

    private @Nullable Waiting nextWaiting(boolean used) {
        while (true) {
            Waiting first = waiting.takeFirst(used);
            if (first == null || first.waiter().waits()) {
                return first;
            }
        }
    }

    /// The connection for a request, unless that gets it after a ping.
    private @Nullable PeerExchange given(PeerChannel channel, ConnectionWaiter waiter) {
        if (!peer.config().ajp().pings().contains(PeerConfig.Ping.PREPOST)) {
            return channel;
        }
        boolean stale = channel.stale();
        channel.ping(why -> {
            if (why == null && waiter.waits()) {
                waiter.acquired(channel);
            } else if (why == null) {
                release(channel);
            } else if (stale) {
                PeerExchange _ = acquire(waiter, true, false);
            } else {
                waiter.unavailable(Outcome.PING_FAILED, why);
            }
        });
        return null;
    }

    /// Takes a connection that has nothing to do: for the next request, or to idle. It ends when
    /// those that wait are not for it, and there may be no other beside it.
    void release(PeerChannel channel) {
        if (channel.isOld()) {
            channel.close();
            return;
        }
        Waiting first = nextWaiting(channel.stale());
        if (first != null) {
            PeerExchange given = given(channel, first.waiter());
            if (given != null) {
                first.waiter().acquired(given);
            }
        } else if (retired || count.isHungry()) {
            channel.close();
        } else {
            idle.addLast(channel);
            rest(channel);
        }
    }

    private void rest(PeerChannel channel) {
        long nanos = config.idle().isZero() ? Long.MAX_VALUE : config.idle().toNanos();
        if (peer.config().ajp().pings().contains(PeerConfig.Ping.INTERVAL)) {
            nanos = Math.min(nanos, loop.pingIntervalNanos(peer));
        }
        channel.deadline(nanos == Long.MAX_VALUE ? Connection.NEVER : loop.nanoTime() + nanos);
    }

    /// A connection has idled for long: it is closed, or tried and kept.
    void idleDeadline(PeerChannel channel) {
        boolean pings = peer.config().ajp().pings().contains(PeerConfig.Ping.INTERVAL);
        if (!pings && count.opened() > config.min()) {
            channel.close();
        } else if (pings && idle.remove(channel)) {
            channel.ping(why -> {
                if (why == null) {
                    release(channel);
                }
            });
        } else {
            rest(channel);
        }
    }

    /// A connection is closed.
    void forget(PeerChannel channel) {
        boolean _ = idle.remove(channel);
    }

    /// A connection has been closed; somebody may open another.
    void closed() {
        count.closed();
        count.feed();
    }

    /// There may be room for connections: called on this loop when one was closed anywhere.
    @Override
    public void feed() {
        while (waiting.size() > dialling && dial()) {
            // As many as there is room for: several may have been closed since.
        }
        if (waiting.size() > dialling) {
            count.hungry(this, config.max());
        } else if (count.opened() < config.max()) {
            count.feed(); // what is not needed here may be elsewhere
        }
    }

    /// Gives up a connection that idles, because another loop needs one.
    @Override
    public void spare() {
        PeerChannel unused = idle.pollFirst();
        if (unused != null) {
            unused.close();
        }
    }

    /// Its connections are given back after each request, so that none starves.
    @Override
    public boolean isStarving() {
        return false;
    }

    @Override
    public void retire() {
        retired = true;
        for (PeerChannel each = idle.poll(); each != null; each = idle.poll()) {
            each.close();
        }
    }
}
