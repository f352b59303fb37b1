package io.margay.server.sight;

import io.margay.server.meter.RecentDurations;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// What listeners, routes and members have served in each minute of the last hour. What counts goes
/// on counting by itself; the difference is taken once a minute, and when somebody asks.
/// Thread-safe; `lock` guards everything, and no request takes it.
public final class LastHour {
    /// Minutes that are shown, the one that has not ended among them.
    public static final int MINUTES = 60;

    private static final long MINUTE_NANOS = 60_000_000_000L;

    /// Between two looks at what is to be watched, while nobody looks and nothing is configured.
    private static final long FOLLOW_NANOS = 10_000_000_000L;

    /// Bytes that an entry of a minute takes apart from its numbers.
    private static final int ENTRY_BYTES = 72;

    private final SightLimits limits;
    private final Supplier<List<Watched>> sources;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final IdentityHashMap<RecentDurations, Known> known = new IdentityHashMap<>();

    /// Minutes that are over, the last one first: numbers as [Tally] writes them.
    private final Deque<Map<SightKey, byte[]>> minutes = new ArrayDeque<>();

    /// Of this minute what is no longer watched.
    private final Map<SightKey, byte[]> gone = new HashMap<>();

    private long bytes;
    private long minuteNanos;
    private long followedNanos;
    private int unwatched;

    /// @param sources those that count now
    LastHour(SightLimits limits, Supplier<List<Watched>> sources, LongSupplier nanos) {
        this.limits = limits;
        this.sources = sources;
        this.nanos = nanos;
        minuteNanos = nanos.getAsLong();
        followedNanos = minuteNanos;
    }

    /// What is watched, and what it had counted when the minute began.
    private static final class Known {
        private Watched watched;
        private long[] before;

        /// Whether it is still there, as far as this look has come.
        private boolean followed;

        /// How it has done since the minute began.
        private @Nullable HealthSpan health;

        Known(Watched watched, long[] before) {
            this.watched = watched;
            this.before = before;
        }

        /// Looks at how it does.
        ///
        /// @return null = nobody can say
        private @Nullable HealthSpan look() {
            Supplier<MemberHealth> asked = watched.health();
            if (asked != null) {
                health = HealthSpan.of(asked.get()).and(health);
            }
            return health;
        }
    }

    /// How something did, minute by minute. Immutable.
    ///
    /// @param minutes the oldest first; null = it was not there
    public record Health(SightKey key, List<@Nullable HealthSpan> minutes) {
        public Health {
            minutes = Collections.unmodifiableList(new ArrayList<>(minutes));
        }
    }

    /// What was served. Immutable.
    ///
    /// @param seconds of the time that was looked at
    /// @param active requests under way
    /// @param statuses answers by class, from 1xx to 5xx
    /// @param quantiles p50, p90, p99 and p99.9, in seconds; 0 = there were no requests
    /// @param plot by minute, the oldest first
    public record Row(
            SightKey key,
            double seconds,
            long requests,
            long active,
            List<Long> statuses,
            long failed,
            Bytes bytes,
            List<Double> quantiles,
            List<Point> plot) {}

    /// Bytes that came and went.
    public record Bytes(long received, long sent) {}

    /// A minute of something.
    ///
    /// @param errors answers with 5xx, and requests that failed
    /// @param p50 in seconds, as `p99`
    public record Point(long requests, long errors, double p50, double p99) {}

    /// Begins to watch what is new and ends to watch what has gone.
    void follow() {
        lock.lock();
        try {
            followedNanos = nanos.getAsLong();
            for (Known each : known.values()) {
                each.followed = false;
            }
            List<Watched> others = new ArrayList<>();
            for (Watched one : sources.get()) {
                Known before = known.get(one.recent());
                if (before == null) {
                    others.add(one);
                } else if (!before.followed) {
                    before.watched = one;
                    before.followed = true;
                }
            }
            for (Iterator<Map.Entry<RecentDurations, Known>> old = known.entrySet().iterator();
                    old.hasNext(); ) {
                Map.Entry<RecentDurations, Known> each = old.next();
                if (!each.getValue().followed) {
                    keep(gone, each.getValue());
                    each.getKey().watch(false);
                    old.remove();
                }
            }
            watch(others);
        } finally {
            lock.unlock();
        }
    }

    /// Begins to watch as many as there is room for.
    private void watch(List<Watched> others) {
        IdentityHashMap<RecentDurations, Watched> left = new IdentityHashMap<>(others.size());
        for (Watched one : others) {
            if (hasRoom(known.size(), one.key())) {
                if (!known.containsKey(one.recent())) { // Two hosts of one name have the same.
                    known.put(one.recent(), new Known(one, one.counts()));
                    one.recent().watch(true);
                }
            } else if (!known.containsKey(one.recent())) {
                left.put(one.recent(), one);
            }
        }
        unwatched = left.size();
    }

    /// Listeners are few, and have a place though routes have taken all.
    private boolean hasRoom(int taken, SightKey key) {
        return taken < limits.seriesMax() || key.kind() == SightKey.Kind.LISTENER;
    }

    /// Takes what has been counted into the minute of `into`, and has the next one begin.
    private void keep(Map<SightKey, byte[]> into, Known from) {
        Tally tally = new Tally();
        long[] now = from.watched.counts();
        tally.addSince(from.before, now);
        from.watched.recent().read(tally.steps, true);
        from.before = now;
        tally.health = from.look();
        from.health = null;
        SightKey key = from.watched.key();
        if (!tally.isEmpty() && (into.containsKey(key) || hasRoom(into.size(), key))) {
            add(tally, into.get(key));
            into.put(key, tally.bytes());
        }
    }

    private static void add(Tally to, byte @Nullable [] bytes) {
        try {
            if (bytes != null) {
                to.add(bytes);
            }
        } catch (IOException e) {
            throw new IllegalStateException("numbers of our own that cannot be read", e);
        }
    }

    /// How long [#tick] has nothing to do, in nanoseconds; none below 1 = it has, as always where
    /// there are members: what is wrong with them for seconds alone is to be seen.
    long restNanos() {
        lock.lock();
        try {
            if (known.values().stream().anyMatch(each -> each.watched.health() != null)) {
                return 0;
            }
            long time = nanos.getAsLong();
            return Math.min(minuteNanos + MINUTE_NANOS - time, followedNanos + FOLLOW_NANOS - time);
        } finally {
            lock.unlock();
        }
    }

    /// Has the next minute begin, if this one is over.
    ///
    /// @return how many minutes are over
    int tick() {
        lock.lock();
        try {
            long time = nanos.getAsLong();
            long passed = (time - minuteNanos) / MINUTE_NANOS;
            if (passed > 0 || time - followedNanos >= FOLLOW_NANOS) {
                follow();
            }
            if (passed <= 0) {
                known.values().forEach(Known::look);
                return 0;
            }
            known.values().forEach(each -> keep(gone, each));
            addMinute(Map.copyOf(gone), true);
            gone.clear();
            for (long i = 1; i < Math.min(passed, MINUTES); i++) {
                addMinute(Map.of(), true); // The machine has slept.
            }
            minuteNanos += passed * MINUTE_NANOS;
            return (int) Math.min(passed, MINUTES);
        } finally {
            lock.unlock();
        }
    }

    private void addMinute(Map<SightKey, byte[]> minute, boolean last) {
        if (last) {
            minutes.addFirst(minute);
        } else {
            minutes.addLast(minute);
        }
        bytes += size(minute);
        while (minutes.size() > MINUTES - 1 || bytes > limits.hourBytesMax()) {
            bytes -= size(minutes.removeLast());
        }
    }

    private static long size(Map<SightKey, byte[]> minute) {
        return minute.values().stream().mapToLong(each -> each.length + ENTRY_BYTES).sum();
    }

    /// Routes, members and listeners that are not watched, because there are too many.
    int unwatched() {
        lock.lock();
        try {
            return unwatched;
        } finally {
            lock.unlock();
        }
    }

    /// Bytes that the minutes take that are over.
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /// What was served, those with most requests first.
    ///
    /// @param wanted minutes to look at, with this one: 1 to [#MINUTES]
    List<Row> rows(SightKey.By by, int wanted) {
        lock.lock();
        try {
            follow();
            int looked = Math.min(wanted, minutes.size() + 1);
            List<Map<SightKey, byte[]>> shown = new ArrayList<>(looked);
            shown.add(current());
            minutes.stream().limit(looked - 1L).forEach(shown::addFirst);
            Map<SightKey, Set<SightKey>> parts = parts(by, shown);
            Map<SightKey, Long> active = new HashMap<>();
            for (Known each : known.values()) {
                SightKey key = each.watched.key();
                if (by.takes(key)) {
                    active.merge(by.of(key), each.watched.numbers().get().active(), Long::sum);
                }
            }
            double seconds = (looked - 1) * 60.0 + (nanos.getAsLong() - minuteNanos) / 1e9;
            List<Row> rows = new ArrayList<>();
            parts.forEach((key, of) ->
                    rows.add(
                            row(
                                    key,
                                    Math.max(1, seconds),
                                    active.getOrDefault(key, 0L),
                                    shown,
                                    of)));
            rows.removeIf(row -> row.requests() == 0 && row.active() == 0);
            rows.sort(
                    Comparator.comparingLong(Row::requests)
                            .reversed()
                            .thenComparing(row -> row.key().toString()));
            return rows;
        } finally {
            lock.unlock();
        }
    }

    /// How everything did of which that is known, by upstream and member.
    List<Health> health() {
        lock.lock();
        try {
            follow();
            List<Map<SightKey, byte[]>> shown = new ArrayList<>();
            shown.add(current());
            minutes.forEach(shown::addFirst);
            Map<SightKey, List<@Nullable HealthSpan>> found = new HashMap<>();
            Tally minute = new Tally();
            for (int i = 0; i < shown.size(); i++) {
                for (Map.Entry<SightKey, byte[]> each : shown.get(i).entrySet()) {
                    minute.clear();
                    if (each.getKey().kind() == SightKey.Kind.MEMBER) {
                        add(minute, each.getValue());
                    }
                    if (minute.health != null) {
                        found.computeIfAbsent(each.getKey(), _ -> unknown(shown.size()))
                                .set(i, minute.health);
                    }
                }
            }
            return found.entrySet().stream()
                    .map(each -> new Health(each.getKey(), each.getValue()))
                    .sorted(
                            Comparator.comparing(
                                    each -> each.key().of() + "\n" + each.key().name()))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private static List<@Nullable HealthSpan> unknown(int minutes) {
        return new ArrayList<>(Collections.<@Nullable HealthSpan>nCopies(minutes, null));
    }

    /// This minute until now.
    private Map<SightKey, byte[]> current() {
        Map<SightKey, byte[]> current = new HashMap<>(gone);
        for (Known each : known.values()) {
            Tally tally = new Tally();
            tally.addSince(each.before, each.watched.counts());
            each.watched.recent().read(tally.steps, false);
            tally.health = each.look();
            add(tally, current.get(each.watched.key()));
            current.put(each.watched.key(), tally.bytes());
        }
        return current;
    }

    /// What each row is made of.
    private static Map<SightKey, Set<SightKey>> parts(
            SightKey.By by, List<Map<SightKey, byte[]>> shown) {
        Map<SightKey, Set<SightKey>> parts = new HashMap<>();
        Set<SightKey> known = new HashSet<>();
        for (Map<SightKey, byte[]> minute : shown) {
            for (SightKey key : minute.keySet()) {
                if (by.takes(key) && known.add(key)) {
                    parts.computeIfAbsent(by.of(key), _ -> new HashSet<>()).add(key);
                }
            }
        }
        return parts;
    }

    /// Adds up one row, minute by minute, so that no two minutes are unpacked at a time.
    private static Row row(
            SightKey key,
            double seconds,
            long active,
            List<Map<SightKey, byte[]>> shown,
            Set<SightKey> of) {
        Tally all = new Tally();
        Tally minute = new Tally();
        List<Point> plot = new ArrayList<>(shown.size());
        for (Map<SightKey, byte[]> each : shown) {
            minute.clear();
            of.forEach(part -> add(minute, each.get(part)));
            all.add(minute);
            plot.add(
                    new Point(
                            minute.requests(),
                            minute.counts[Tally.CLASSES - 1] + minute.counts[Tally.FAILED],
                            RecentDurations.quantile(minute.steps, 0.5),
                            RecentDurations.quantile(minute.steps, 0.99)));
        }
        return new Row(
                key,
                seconds,
                all.requests(),
                active,
                LongStream.of(all.counts).limit(Tally.CLASSES).boxed().toList(),
                all.counts[Tally.FAILED],
                new Bytes(all.counts[Tally.RECEIVED], all.counts[Tally.SENT]),
                DoubleStream.of(0.5, 0.9, 0.99, 0.999)
                        .map(share -> RecentDurations.quantile(all.steps, share))
                        .boxed()
                        .toList(),
                plot);
    }

    /// Writes all minutes, this one as if it were over.
    void write(DataOutput out) throws IOException {
        lock.lock();
        try {
            Map<SightKey, byte[]> current = current();
            out.writeInt(minutes.size() + 1);
            write(out, current);
            for (Map<SightKey, byte[]> minute : minutes) {
                write(out, minute);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void write(DataOutput out, Map<SightKey, byte[]> minute) throws IOException {
        out.writeInt(minute.size());
        for (Map.Entry<SightKey, byte[]> each : minute.entrySet()) {
            SightKey key = each.getKey();
            out.writeUTF(key.kind().name());
            out.writeUTF(key.of());
            out.writeUTF(key.name());
            out.writeUTF(key.application());
            out.writeShort(each.getValue().length);
            out.write(each.getValue());
        }
    }

    /// Takes over the minutes of the process before, which are older than those known here.
    ///
    /// @param ago whole minutes since they were written
    void read(DataInput in, long ago) throws IOException {
        List<Map<SightKey, byte[]>> read = new ArrayList<>();
        Map<SightKey, SightKey> same = new HashMap<>();
        Tally checked = new Tally();
        int count = in.readInt();
        if (count < 0 || count > MINUTES) {
            throw new IOException("there are " + count + " minutes");
        }
        for (int i = 0; i < count; i++) {
            Map<SightKey, byte[]> minute = new HashMap<>();
            int series = in.readInt();
            for (int k = 0; k < series; k++) {
                SightKey key =
                        new SightKey(kind(in.readUTF()), in.readUTF(), in.readUTF(), in.readUTF());
                byte[] numbers = new byte[in.readUnsignedShort()];
                in.readFully(numbers);
                checked.clear();
                checked.add(numbers);
                if (minute.size() < limits.seriesMax()) {
                    minute.put(same.computeIfAbsent(key, _ -> key), numbers);
                }
            }
            read.add(minute);
        }
        lock.lock();
        try {
            for (long i = 0; i < Math.min(ago, MINUTES); i++) {
                read.addFirst(Map.of());
            }
            for (Map<SightKey, byte[]> minute : read) {
                if (minutes.size() < MINUTES - 1 && bytes + size(minute) <= limits.hourBytesMax()) {
                    addMinute(minute, false);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private static SightKey.Kind kind(String name) throws IOException {
        for (SightKey.Kind kind : SightKey.Kind.values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        throw new IOException("there is no kind " + name);
    }

    /// Watches nothing any more.
    void close() {
        lock.lock();
        try {
            known.keySet().forEach(recent -> recent.watch(false));
            known.clear();
        } finally {
            lock.unlock();
        }
    }
}
