package io.margay.gateway.peer;

import io.margay.gateway.balance.Peer;
import io.margay.transport.Dialer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// All connections of one loop to peers, and the arrays that they share. Confined to the loop, but
/// for [#dialer].
public final class LoopPeers {
    /// Room for the longest AJP13 packet, of which a part has come, and as much again.
    private static final int INPUT_BYTES = 128 * 1024;

    private static final int STAGING_BYTES = 64 * 1024 + 8192;

    /// Interval pings are that much rarer than a ping's timeout, as mod_jk has it.
    private static final int PING_INTERVAL_TIMEOUTS = 10;

    private final Dialer dialer;
    private final PeerLimits limits;
    private final Function<Peer, PeerShare> shares;
    private final Map<Peer, LoopPool> pools = new HashMap<>();
    private final byte[] input = new byte[INPUT_BYTES];
    private final byte[] content;
    private final byte[] probe = new byte[1];
    private final AddressText addresses = new AddressText();
    private final Staging staging = new Staging(STAGING_BYTES);
    private @Nullable PeerChannel stagingOf;

    /// What is sent at the end of the loop's turn, and whose it is.
    private final Staging outbox = new Staging(STAGING_BYTES);

    private final Deque<PeerChannel> due = new ArrayDeque<>();

    LoopPeers(Dialer dialer, PeerLimits limits, Function<Peer, PeerShare> shares) {
        this.dialer = dialer;
        this.limits = limits;
        this.shares = shares;
        content = new byte[limits.contentPieceBytes()];
    }

    /// The loop's dialer.
    public Dialer dialer() {
        return dialer;
    }

    /// The bounds that hold for all peers.
    public PeerLimits limits() {
        return limits;
    }

    /// An array for a piece of content, lent for one step.
    public byte[] content() {
        return content;
    }

    /// Texts of addresses.
    public AddressText addresses() {
        return addresses;
    }

    /// Finds a connection for a request.
    ///
    /// @param fresh whether it must be a new one
    /// @param probe whether one that idled is looked at before
    public void acquire(Peer peer, Acquirer acquirer, boolean fresh, boolean probe) {
        pool(peer).acquire(acquirer, fresh, probe);
    }

    LoopPool pool(Peer peer) {
        LoopPool pool = pools.get(peer);
        if (pool == null) {
            PeerShare share = shares.apply(peer);
            pool =
                    peer.config().address().scheme().isHttp2()
                            ? new Http2Pool(this, peer, share)
                            : new PeerPool(this, peer, share);
            share.add(pool);
            pools.put(peer, pool);
        }
        return pool;
    }

    void retire(Peer peer) {
        LoopPool pool = pools.remove(peer);
        if (pool != null) {
            pool.retire();
        }
    }

    PeerProtocol protocol(Peer peer) {
        return switch (peer.config().address().scheme()) {
            case HTTP, HTTPS -> new Http1Protocol(limits);
            case AJP -> new AjpProtocol(peer.config(), limits, addresses);
            case FCGI -> new FastCgiProtocol(peer.config());
            case H2, H2C -> throw new IllegalStateException("HTTP/2 has channels of its own");
        };
    }

    long pingIntervalNanos(Peer peer) {
        return peer.config().timeouts().ping().toNanos() * PING_INTERVAL_TIMEOUTS;
    }

    byte[] input() {
        return input;
    }

    byte[] probe() {
        return probe;
    }

    /// Where `channel` puts what it sends next. What another has put and not sent, because its
    /// request came to an end, is thrown away: it must never be sent to anybody else.
    Staging staging(PeerChannel channel) {
        if (!channel.equals(stagingOf)) {
            clearStaging();
            stagingOf = channel;
        }
        return staging;
    }

    /// Throws away what `channel` has put.
    void dropStaging(PeerChannel channel) {
        if (channel.equals(stagingOf)) {
            clearStaging();
            stagingOf = null;
        }
    }

    /// Where to find what [#sendLater] has taken.
    Staging outbox() {
        return outbox;
    }

    /// Takes what `channel` has put, to be sent by [PeerChannel#sendDue] when the events of this
    /// turn have been looked at: each send may wake the peer, which on a busy machine takes the
    /// processor away from the requests that have come meanwhile.
    ///
    /// @return its offset in the outbox; negative when that is full, so that it is to be sent now
    int sendLater(PeerChannel channel) {
        int from = outbox.to;
        if (from + staging.to > STAGING_BYTES) {
            return -1;
        }
        outbox.put(staging.bytes, 0, staging.to);
        clearStaging();
        if (due.isEmpty()) {
            dialer.execute(this::sendDue);
        }
        due.add(channel);
        return from;
    }

    private void sendDue() {
        try {
            for (PeerChannel next = due.poll(); next != null; next = due.poll()) {
                next.sendDue();
            }
        } finally {
            if (due.isEmpty()) {
                outbox.clear(STAGING_BYTES);
            } else {
                dialer.execute(this::sendDue);
            }
        }
    }

    void clearStaging() {
        staging.clear(STAGING_BYTES);
    }
}
