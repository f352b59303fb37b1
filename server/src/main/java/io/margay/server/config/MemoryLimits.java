package io.margay.server.config;

import io.margay.server.exchange.MemoryBudget;

/// What clients may make a server hold, all connections together. Immutable.
///
/// @param heldPercent of the largest heap; the rest is the applications' own, and room for the
///   collector
public record MemoryLimits(int heldPercent) {
    public MemoryLimits {
        if (heldPercent < 1 || heldPercent > 75) {
            throw new IllegalArgumentException("heldPercent must be 1 to 75: " + heldPercent);
        }
    }

    /// A quarter of the heap: the rest is the applications' own, and room for the collector.
    public static MemoryLimits defaults() {
        return new MemoryLimits(25);
    }

    /// The budget of a server, with nothing held.
    public MemoryBudget budget() {
        return new MemoryBudget(Runtime.getRuntime().maxMemory() / 100 * heldPercent);
    }
}
