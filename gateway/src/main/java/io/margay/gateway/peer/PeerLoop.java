package io.margay.gateway.peer;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.protocol.AddressText;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Dialer;
import java.util.function.LongSupplier;

/// A loop as its connections to peers see it: the clock, the bounds and the arrays that they share.
/// Confined to the loop, but for [#dialer].
final class PeerLoop {
    /// Room for the longest AJP13 packet, of which a part has come, and as much again.
    private static final int INPUT_BYTES = 128 * 1024;

    /// Interval pings are that much rarer than a ping's timeout, as mod_jk has it.
    private static final int PING_INTERVAL_TIMEOUTS = 10;

    private final Dialer dialer;
    private final PeerLimits limits;
    private final LongSupplier clock;
    private final MemoryBudget memory;
    private final SendQueue output;
    private final byte[] input = new byte[INPUT_BYTES];
    private final byte[] content;
    private final byte[] probe = new byte[1];
    private final AddressText addresses = new AddressText();

    /// @param clock nanoseconds, as [System#nanoTime]
    /// @param memory what clients and peers may make the gateway hold
    PeerLoop(Dialer dialer, PeerLimits limits, LongSupplier clock, MemoryBudget memory) {
        this.dialer = dialer;
        this.limits = limits;
        this.clock = clock;
        this.memory = memory;
        output = new SendQueue(dialer);
        content = new byte[limits.contentPieceBytes()];
    }

    Dialer dialer() {
        return dialer;
    }

    PeerLimits limits() {
        return limits;
    }

    LongSupplier clock() {
        return clock;
    }

    long nanoTime() {
        return clock.getAsLong();
    }

    MemoryBudget memory() {
        return memory;
    }

    AddressText addresses() {
        return addresses;
    }

    /// Where requests are put together.
    SendQueue output() {
        return output;
    }

    /// An array for what is received, lent for one step.
    byte[] input() {
        return input;
    }

    /// An array for a piece of content, lent for one step.
    byte[] content() {
        return content;
    }

    /// An array for one byte.
    byte[] probe() {
        return probe;
    }

    long pingIntervalNanos(Peer peer) {
        return peer.config().timeouts().ping().toNanos() * PING_INTERVAL_TIMEOUTS;
    }
}
