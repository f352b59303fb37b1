package io.margay.server.meter;

/// Which of several counters a thread counts with, so that threads of different processors seldom
/// write to the same line of a cache. Stateless.
final class Stripes {
    /// Where few count: a route, a member.
    static final int FEW = count(2);

    /// Where all count.
    static final int MANY = count(16);

    private Stripes() {}

    private static int count(int most) {
        return Integer.highestOneBit(Math.min(most, Runtime.getRuntime().availableProcessors()));
    }

    /// The stripe of this thread.
    ///
    /// @param stripes a power of two
    static int mine(int stripes) {
        long id = Thread.currentThread().threadId();
        return (int) (id ^ (id >>> 7)) & (stripes - 1);
    }
}
