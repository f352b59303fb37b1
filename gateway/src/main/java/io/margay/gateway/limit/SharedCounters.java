package io.margay.gateway.limit;

import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedStore;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What the limits of the gateways of a group count together. Requests never wait for it: they are
/// counted here first, and a thread of its own tells the engine of many at once, and learns what
/// the others have counted. Thread-safe.
public final class SharedCounters implements AutoCloseable {
    private final SharedGroup group;
    private final SharedCounterLimits limits;

    /// Limits that a reload has replaced are gone by themselves.
    private final List<WeakReference<Counted>> all = new CopyOnWriteArrayList<>();

    private final LongAdder settled = new LongAdder();
    private final LongAdder unsettled = new LongAdder();
    private final Thread thread;
    private volatile boolean work;
    private volatile boolean closed;

    /// What is counted together of one limit.
    interface Counted {
        /// Tells the engine what there is to tell.
        ///
        /// @return whether more is to be told soon
        boolean settle() throws IOException;
    }

    public SharedCounters(SharedGroup group, SharedCounterLimits limits) {
        this.group = group;
        this.limits = limits;
        thread = Thread.ofVirtual().name("margay-shared-counters").unstarted(this::run);
    }

    /// Begins to tell the engine.
    public void start() {
        thread.start();
    }

    /// A limit that the gateways have alike, and count together.
    Limit of(String host, RequestLimit limit) {
        return new Limit(host, limit);
    }

    /// One limit, counted together.
    final class Limit {
        private final String table;
        private final ByteBuffer hash;

        private Limit(String host, RequestLimit limit) {
            table = Long.toHexString(ByteBuffer.wrap(derived(host, limit, "name")).getLong());
            hash = ByteBuffer.wrap(derived(host, limit, "keys"));
        }

        /// By what keys are hashed, the same at all gateways.
        RandomGenerator hash() {
            return hash::getLong;
        }

        SharedBuckets rate(BucketTable own, long intervalNanos, LongSupplier nanos) {
            SharedCounters counters = SharedCounters.this;
            SharedBuckets made = new SharedBuckets(own, table, intervalNanos, counters, nanos);
            add(made);
            return made;
        }

        SharedUse use(int most, LongConsumer freed, LongSupplier nanos) {
            SharedUse made = new SharedUse(most, table, SharedCounters.this, freed, nanos);
            add(made);
            return made;
        }
    }

    private byte[] derived(String host, RequestLimit limit, String what) {
        return group.derive(
                String.join(
                        "\n",
                        "limit",
                        what,
                        host,
                        limit.name(),
                        limit.key().toString(),
                        String.valueOf(limit.rate()),
                        String.valueOf(limit.concurrent())));
    }

    private void add(Counted counted) {
        all.removeIf(each -> each.get() == null);
        all.add(new WeakReference<>(counted));
    }

    /// Something is to be told.
    void wake() {
        if (!work) {
            work = true;
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!closed) {
            if (!work) {
                LockSupport.park(this);
                continue;
            }
            LockSupport.parkNanos(this, limits.every().toNanos());
            work = false;
            for (WeakReference<Counted> each : all) {
                settle(each.get());
            }
        }
    }

    private void settle(@Nullable Counted counted) {
        try {
            if (counted != null && counted.settle()) {
                work = true;
            }
        } catch (IOException e) {
            // The group says so, and what was counted is counted here alone.
            if (!group.isAway()) {
                work = true;
            }
        }
    }

    SharedCounterLimits limits() {
        return limits;
    }

    /// Asks the engine.
    <T> T ask(List<SharedStore.Count> told, SharedGroup.Call<T> call) throws IOException {
        try {
            T answer = group.ask(call);
            settled.add(told.size());
            return answer;
        } catch (IOException e) {
            unsettled.add(told.size());
            throw e;
        }
    }

    /// What could not be told.
    void lost() {
        unsettled.increment();
    }

    String instance() {
        return group.instance();
    }

    /// Among how many gateways a limit is divided; 1 = it is counted together.
    int share() {
        return group.isAway() ? group.size() : 1;
    }

    /// Counts that the engine was told of, each of one key.
    public long settled() {
        return settled.sum();
    }

    /// Those that it was not told of, because it did not answer or they were too many.
    public long unsettled() {
        return unsettled.sum();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /// How long the engine remembers what a gateway uses that says nothing more.
    Duration lease() {
        return limits.lease();
    }
}
