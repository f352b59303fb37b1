package io.margay.server.meter;

import io.margay.server.timing.RequestPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// What becomes of requests that something answers, such as a route or a member: how many, how long
/// they took by class of status, and how much of that went into which phase. Durations are counted
/// while its [RecentDurations] are watched. Thread-safe; a reading is not a snapshot of one
/// instant, and counting makes no object but for the first of a class or phase.
public final class TrafficCounts {
    /// Classes from 1xx on; the first is of what got no answer.
    private static final int CLASSES = 6;

    private static final List<RequestPhase> PHASES = List.of(RequestPhase.values());

    /// Bytes that one holds at most.
    public static final int BYTES_MAX =
            RecentDurations.bytes() + (CLASSES + PHASES.size()) * (Stripes.FEW * 128 + 96) + 1_024;

    private final RecentDurations recent = new RecentDurations();
    private final boolean always;

    /// Null until a request begins: of thousands of routes many have none.
    private volatile @Nullable Counted counted;

    /// What there is once a request has begun.
    private static final class Counted {
        private final LongAdder begun = new LongAdder();
        private final LongAdder ended = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder received = new LongAdder();
        private final LongAdder sent = new LongAdder();
        private final AtomicReferenceArray<Durations> byClass = new AtomicReferenceArray<>(CLASSES);
        private final AtomicReferenceArray<Durations> byPhase =
                new AtomicReferenceArray<>(PHASES.size());
    }

    private TrafficCounts(boolean always) {
        this.always = always;
    }

    /// Of what counts durations while it is watched.
    public TrafficCounts() {
        this(false);
    }

    /// Of what counts durations whether it is watched or not.
    public static TrafficCounts always() {
        return new TrafficCounts(true);
    }

    private Counted counted() {
        Counted known = counted;
        return known == null ? made() : known;
    }

    private synchronized Counted made() {
        Counted known = counted;
        if (known == null) {
            known = new Counted();
            counted = known;
        }
        return known;
    }

    /// One begins.
    public void begin() {
        counted().begun.increment();
    }

    /// One has ended that [began][#begin].
    ///
    /// @param failure whether the client left, stalled or broke the protocol, or it was given up
    public void end(int status, boolean failure, long tookNanos) {
        end(status, failure, tookNanos, null);
    }

    /// The same.
    ///
    /// @param mark the trace of it; null = it has none
    public void end(int status, boolean failure, long tookNanos, @Nullable TraceMark mark) {
        Counted to = counted();
        to.ended.increment();
        if (failure) {
            to.failed.increment();
        }
        if (recent.count(tookNanos) || always) {
            int place = status / 100;
            of(to.byClass, place > 0 && place < CLASSES ? place : 0).count(tookNanos, mark);
        }
    }

    /// So many bytes came and went with one.
    public void bytes(long in, long out) {
        Counted to = counted();
        to.received.add(in);
        to.sent.add(out);
    }

    /// So much of its time went into a phase; nothing is counted where there was none.
    @SuppressWarnings("EnumOrdinal") // a place in an array
    public void phase(RequestPhase phase, long nanos) {
        if (nanos > 0 && (always || recent.isWatched())) {
            of(counted().byPhase, phase.ordinal()).count(nanos);
        }
    }

    private static Durations of(AtomicReferenceArray<Durations> all, int place) {
        Durations known = all.get(place);
        if (known != null) {
            return known;
        }
        Durations made = Durations.ofOne();
        Durations other = all.compareAndExchange(place, null, made);
        return other == null ? made : other;
    }

    /// How long they took of late.
    public RecentDurations recent() {
        return recent;
    }

    /// Those that have begun and not ended.
    public long active() {
        Counted known = counted;
        if (known == null) {
            return 0;
        }
        long before = known.ended.sum();
        return Math.max(0, known.begun.sum() - before);
    }

    /// Answers by class of status, from 1xx to 5xx.
    public List<Long> statuses() {
        Counted of = counted;
        List<Long> all = new ArrayList<>(CLASSES - 1);
        for (int i = 1; i < CLASSES; i++) {
            Durations known = of == null ? null : of.byClass.get(i);
            all.add(known == null ? 0 : known.count());
        }
        return all;
    }

    /// How long those took together that were answered, nanoseconds.
    public long nanos() {
        Counted of = counted;
        long all = 0;
        for (int i = 1; of != null && i < CLASSES; i++) {
            Durations known = of.byClass.get(i);
            all += known == null ? 0 : known.nanos();
        }
        return all;
    }

    /// Those of them that have failed.
    public long failed() {
        Counted known = counted;
        return known == null ? 0 : known.failed.sum();
    }

    /// Bytes that came.
    public long received() {
        Counted known = counted;
        return known == null ? 0 : known.received.sum();
    }

    /// Bytes that went.
    public long sent() {
        Counted known = counted;
        return known == null ? 0 : known.sent.sum();
    }

    /// How long they took, with the label `status`, and the phases of which there were any, with
    /// the label `phase`.
    ///
    /// @param prefix of the names, as `margay_route_`
    /// @param of what they are of, as in `requests of a route`
    public List<Meter> meters(String prefix, String of) {
        Counted counts = counted;
        if (counts == null) {
            return List.of();
        }
        List<Meter> all = new ArrayList<>();
        for (int i = 1; i < CLASSES; i++) {
            Durations known = counts.byClass.get(i);
            if (known != null) {
                all.add(
                        Meter.distribution(
                                        prefix + "request_seconds",
                                        "How long " + of + " took, by class of status.",
                                        known::read)
                                .with("status", i + "xx"));
            }
        }
        for (RequestPhase phase : PHASES) {
            Durations known = counts.byPhase.get(PHASES.indexOf(phase));
            if (known != null) {
                all.add(
                        Meter.distribution(
                                        prefix + "phase_seconds",
                                        "How long " + of + " were in a phase.",
                                        known::read)
                                .with("phase", phase.label().toLowerCase(Locale.ROOT)));
            }
        }
        return all;
    }
}
