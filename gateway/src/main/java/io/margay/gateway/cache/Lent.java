package io.margay.gateway.cache;

import io.margay.server.exchange.MemoryBudget;
import org.jspecify.annotations.Nullable;

/// How many responses still send a content from memory. What the cache lets go meanwhile counts in
/// the memory of all clients until the last of them has ended. Thread-safe.
final class Lent {
    /// What is smaller is not followed: the system has it at once.
    static final int BYTES_MIN = 16 * 1024;

    private int senders;
    private @Nullable MemoryBudget counted;
    private long bytes;

    /// A response begins to send it.
    synchronized void begin() {
        senders++;
    }

    /// A response has sent it, or has failed.
    synchronized void end() {
        senders--;
        MemoryBudget budget = counted;
        if (senders == 0 && budget != null) {
            counted = null;
            budget.give(bytes);
        }
    }

    /// The cache lets it go; if it is being sent, it counts from now on, also above the bound: it
    /// is held in any case.
    synchronized void leave(MemoryBudget memory, long held) {
        if (senders > 0 && counted == null) {
            counted = memory;
            bytes = held;
            memory.count(held);
        }
    }
}
