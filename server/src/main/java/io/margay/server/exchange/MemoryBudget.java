package io.margay.server.exchange;

import io.margay.server.meter.Meter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counts what clients make the server hold, for all connections together, so that many small
/// shares cannot fill the heap. Thread-safe.
///
/// What every connection may hold without being asked, such as its first buffers, is not counted: a
/// usual request never comes here.
public final class MemoryBudget {
    /// Counts, and always has room.
    public static final MemoryBudget UNBOUNDED = new MemoryBudget(Long.MAX_VALUE);

    /// Shares grow by so much at a time, so that the count is rarely touched.
    private static final int STEP_BYTES = 16 * 1024;

    private final AtomicLong held = new AtomicLong();
    private final LongAdder refused = new LongAdder();
    private final @Nullable MemoryBudget whole;
    private final long bytesMax;
    private @Nullable MemoryBudget ofDatagrams;

    public MemoryBudget(long bytesMax) {
        this(null, bytesMax);
    }

    private MemoryBudget(@Nullable MemoryBudget whole, long bytesMax) {
        this.whole = whole;
        this.bytesMax = bytesMax;
    }

    /// A budget for one purpose, which can use no more than `1/nth` of this one, and counts here,
    /// too.
    public MemoryBudget part(int nth) {
        return new MemoryBudget(this, bytesMax / nth);
    }

    /// The half that connections over UDP share, always the same one: those of all listeners
    /// together have no more.
    public synchronized MemoryBudget ofDatagrams() {
        MemoryBudget known = ofDatagrams;
        if (known == null) {
            known = part(2);
            ofDatagrams = known;
        }
        return known;
    }

    /// How much may be held.
    public long bytesMax() {
        return bytesMax;
    }

    /// How much is held.
    public long held() {
        return held.get();
    }

    /// How often there was no room.
    public long refused() {
        return refused.sum();
    }

    /// Its numbers.
    public List<Meter> meters() {
        return List.of(
                Meter.gauge("margay_held_bytes", "Memory for client data.", held::get),
                Meter.gauge("margay_held_max_bytes", "Limit of that memory.", () -> bytesMax),
                Meter.counter(
                        "margay_held_refused",
                        "How often there was no room for more.",
                        refused::sum));
    }

    /// Takes room for bytes that are to be held until [#give].
    ///
    /// @return false when there is none; then nothing has changed
    public boolean take(long bytes) {
        long all = held.addAndGet(bytes);
        if (all <= bytesMax && (whole == null || whole.take(bytes))) {
            return true;
        }
        held.addAndGet(-bytes);
        refused.increment();
        return false;
    }

    /// Counts bytes that are held already until [#give], also above the bound: then nothing else
    /// gets room.
    public void count(long bytes) {
        held.addAndGet(bytes);
        if (whole != null) {
            whole.count(bytes);
        }
    }

    /// Gives back what [#take] has taken.
    public void give(long bytes) {
        held.addAndGet(-bytes);
        if (whole != null) {
            whole.give(bytes);
        }
    }

    /// What one connection or request holds. Used by one thread at a time.
    public final class Share {
        private final int freeBytes;
        private long taken;

        private Share(int freeBytes) {
            this.freeBytes = freeBytes;
        }

        /// Says how much is held now, more or less than before.
        ///
        /// @return false when there is no room for so much; then the share is as it was
        public boolean hold(long bytes) {
            if (bytes <= freeBytes && taken == 0) {
                return true;
            }
            long wanted =
                    bytes <= freeBytes ? 0 : (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
            if (wanted > taken) {
                if (!take(wanted - taken)) {
                    return false;
                }
            } else if (wanted < taken) {
                give(taken - wanted);
            }
            taken = wanted;
            return true;
        }

        /// Nothing is held any more.
        public void release() {
            boolean _ = hold(0);
        }
    }

    /// A share of which the first bytes are not counted.
    public Share share(int freeBytes) {
        return new Share(freeBytes);
    }
}
