package io.margay.app.slow;

import com.sun.management.ThreadMXBean;
import io.margay.server.steps.Steps.About;
import io.margay.server.steps.Steps.Kind;
import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the thread of one request was seen at. Guarded by who owns it.
final class Samples {
    private static final int PLACES_MAX = 16;

    /// How often a request may be missed before it is forgotten: its end is told a little later.
    private static final int MISSED_MAX = 20;

    private final String id;

    /// Nanoseconds by what they went into.
    private final Map<Cause, Long> causes = new EnumMap<>(Cause.class);

    private final Map<String, Place> places = new HashMap<>();
    private int all;
    private int missed;
    private long cpuNanos;
    private long allocated;
    private String thread = "";

    /// Of the thread at the last sample, which may have worked on others before.
    private long threadId = -1;

    private long cpuBefore;
    private long allocatedBefore;

    /// @param id of the request
    Samples(String id) {
        this.id = id;
    }

    /// Where it was seen.
    private static final class Place {
        private final Cause cause;
        private final String at;
        private final List<String> frames;
        private final @Nullable About statement;
        private String lock = "";
        private long nanos;

        Place(Cause cause, StackReading stack, @Nullable About statement) {
            this.cause = cause;
            this.statement = statement;
            at = stack.place();
            frames = stack.frames();
        }
    }

    String id() {
        return id;
    }

    /// How many there are.
    int size() {
        return all;
    }

    /// Whether the request is not under way any more, and has not been for a while.
    boolean isGone(boolean there) {
        missed = there ? 0 : missed + 1;
        return missed > MISSED_MAX;
    }

    /// No thread works on it.
    void apart(long nanos) {
        causes.merge(Cause.APART, nanos, Long::sum);
        all++;
    }

    /// A thread works on it.
    ///
    /// @param nanos that the look stands for
    /// @param step what the thread has told that it is at; null = nothing
    /// @param owners what the thread of a number works on, in words; null = that is not known
    void add(
            long nanos,
            Thread worker,
            StackTraceElement[] stack,
            @Nullable Supplier<About> step,
            ThreadMXBean threads,
            LongFunction<@Nullable String> owners) {
        StackReading reading = new StackReading(stack, worker.getState());
        Cause cause = reading.cause();
        causes.merge(cause, nanos, Long::sum);
        all++;
        About about = cause == Cause.STATEMENT && step != null ? step.get() : null;
        About statement = about != null && about.kind() == Kind.STATEMENT ? about : null;
        String key = cause + reading.place() + (statement == null ? "" : statement.detail());
        Place place = places.get(key);
        if (place == null && places.size() < PLACES_MAX) {
            place = new Place(cause, reading, statement);
            places.put(key, place);
        }
        if (place != null) {
            place.nanos += nanos;
            if (cause == Cause.LOCK && place.lock.isEmpty()) {
                place.lock = lock(worker, threads, owners);
            }
        }
        use(worker, threads);
    }

    /// Which lock a platform thread waits for, and who holds it; empty when nobody can tell.
    private static String lock(
            Thread worker, ThreadMXBean threads, LongFunction<@Nullable String> owners) {
        // Without frames, no thread is stopped for it.
        ThreadInfo info = worker.isVirtual() ? null : threads.getThreadInfo(worker.threadId());
        LockInfo lock = info == null ? null : info.getLockInfo();
        if (info == null || lock == null) {
            return "";
        }
        String owner = info.getLockOwnerName();
        if (owner == null) {
            return lock.getClassName();
        }
        String busy = owners.apply(info.getLockOwnerId());
        return lock.getClassName()
                + ", which the thread "
                + owner
                + " holds"
                + (busy == null ? "" : " for the request " + busy);
    }

    /// Adds what a platform thread has used since the last sample.
    private void use(Thread worker, ThreadMXBean threads) {
        thread = worker.getName().isEmpty() ? "a virtual thread" : worker.getName();
        if (worker.isVirtual()) {
            return;
        }
        long cpu = threads.getThreadCpuTime(worker.threadId());
        long bytes = threads.getThreadAllocatedBytes(worker.threadId());
        if (threadId == worker.threadId() && cpu >= cpuBefore && bytes >= allocatedBefore) {
            cpuNanos += cpu - cpuBefore;
            allocated += bytes - allocatedBefore;
        }
        threadId = worker.threadId();
        cpuBefore = cpu;
        allocatedBefore = bytes;
    }

    /// Nanoseconds of what is no phase, by what they went into.
    Map<Cause, Long> causes() {
        Map<Cause, Long> seen = new EnumMap<>(causes);
        seen.keySet().removeIf(Cause::isPhase);
        return seen;
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f s ", nanos / 1e9);
    }

    private @Nullable Place most(Cause cause) {
        Place most = null;
        for (Place each : places.values()) {
            if (each.cause == cause && (most == null || each.nanos > most.nanos)) {
                most = each;
            }
        }
        return most;
    }

    /// What more is known of a cause, to stand behind it; empty = nothing.
    String detail(Cause cause) {
        Place place = most(cause);
        if (place == null) {
            return "";
        }
        String lock = place.lock.isEmpty() ? "" : " of " + place.lock;
        About statement = place.statement;
        String executing =
                statement == null ? "" : ", " + statement.name() + " by " + statement.of();
        return lock + executing + (place.at.isEmpty() ? "" : ", in " + place.at);
    }

    /// What stands beneath, a line each.
    List<String> evidence(Cause cause) {
        List<String> lines = new ArrayList<>();
        if (all == 0) {
            return lines;
        }
        List<String> seen = new ArrayList<>();
        causes.entrySet().stream()
                .sorted(Map.Entry.<Cause, Long>comparingByValue().reversed())
                .forEach(each -> seen.add(seconds(each.getValue()) + each.getKey().text()));
        lines.add("by " + all + " looks at its thread: " + String.join("; ", seen));
        if (threadId >= 0) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "between the looks it used %.2f s of a processor and allocated %d KB",
                            cpuNanos / 1e9,
                            allocated >> 10));
        }
        Place place = most(cause);
        if (place != null && place.statement != null) {
            lines.add("statement: " + place.statement.detail());
        }
        if (place != null) {
            lines.add("most of that in " + thread + " at");
            place.frames.forEach(frame -> lines.add("  " + frame));
        }
        return lines;
    }
}
