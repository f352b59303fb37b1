package io.margay.server.sight;

import io.margay.server.exchange.Exchange;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// The slowest requests of each minute of the last hour, and the last ones that failed: answered
/// with 5xx, or not to their end. Thread-safe; `lock` guards the lists, and a request that belongs
/// to neither does not take it.
final class NotableRequests {
    private static final Comparator<SeenRequest> SLOWEST =
            (one, other) -> Long.compare(other.micros(), one.micros());

    private final SightLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<SeenRequest> minute = new ArrayList<>();
    private final Deque<List<SeenRequest>> minutes = new ArrayDeque<>();
    private final Deque<SeenRequest> failing = new ArrayDeque<>();

    /// What a request must exceed to be one of the slowest of this minute.
    private volatile long nanosMin = -1;

    NotableRequests(SightLimits limits) {
        this.limits = limits;
    }

    /// A request has ended.
    void ended(Exchange exchange, SightKey at, long tookNanos, InstantSource clock) {
        boolean failed = exchange.status() >= 500 || exchange.failure() != null;
        if (!failed && tookNanos <= nanosMin) {
            return;
        }
        long now = exchange.startNanos() + tookNanos;
        SeenRequest seen = SeenRequest.of(exchange, at, now, clock.millis());
        lock.lock();
        try {
            if (failed) {
                failing.addFirst(seen);
                if (failing.size() > limits.failingMax()) {
                    failing.removeLast();
                }
            }
            if (tookNanos > nanosMin) {
                addSlow(seen);
            }
        } finally {
            lock.unlock();
        }
    }

    private void addSlow(SeenRequest seen) {
        minute.add(seen);
        minute.sort(SLOWEST);
        while (minute.size() > limits.slowestMax()) {
            minute.removeLast();
        }
        if (minute.size() == limits.slowestMax()) {
            nanosMin = minute.getLast().micros() * 1_000;
        }
    }

    /// A minute is over.
    void nextMinute() {
        lock.lock();
        try {
            minutes.addFirst(List.copyOf(minute));
            while (minutes.size() > LastHour.MINUTES - 1) {
                minutes.removeLast();
            }
            minute.clear();
            nanosMin = -1;
        } finally {
            lock.unlock();
        }
    }

    /// The slowest, from the slowest on.
    List<SeenRequest> slowest(int most) {
        lock.lock();
        try {
            List<SeenRequest> all = new ArrayList<>(minute);
            minutes.forEach(all::addAll);
            all.sort(SLOWEST);
            return List.copyOf(all.subList(0, Math.min(most, all.size())));
        } finally {
            lock.unlock();
        }
    }

    /// Those that failed, the last first.
    List<SeenRequest> failing() {
        lock.lock();
        try {
            return List.copyOf(failing);
        } finally {
            lock.unlock();
        }
    }

    void write(DataOutput out, long nowMillis) throws IOException {
        List<SeenRequest> slow = slowest(Integer.MAX_VALUE);
        List<SeenRequest> failed = failing();
        out.writeInt(slow.size());
        for (SeenRequest each : slow) {
            each.write(out, nowMillis);
        }
        out.writeInt(failed.size());
        for (SeenRequest each : failed) {
            each.write(out, nowMillis);
        }
    }

    /// Takes over what another process has written, as far as there is room.
    void read(DataInput in, long nowMillis) throws IOException {
        List<List<SeenRequest>> read = new ArrayList<>();
        for (int i = 0; i < LastHour.MINUTES - 1; i++) {
            read.add(new ArrayList<>());
        }
        int slow = in.readInt();
        for (int i = 0; i < slow; i++) {
            SeenRequest each = SeenRequest.read(in, nowMillis);
            long age = (nowMillis - each.atMillis()) / 60_000;
            if (age >= 0 && age < read.size()) {
                List<SeenRequest> of = read.get((int) age);
                if (of.size() < limits.slowestMax()) {
                    of.add(each);
                }
            }
        }
        int failed = in.readInt();
        lock.lock();
        try {
            read.forEach(each -> minutes.addLast(each));
            while (minutes.size() > LastHour.MINUTES - 1) {
                minutes.removeLast();
            }
            for (int i = 0; i < failed; i++) {
                SeenRequest each = SeenRequest.read(in, nowMillis);
                if (failing.size() < limits.failingMax()) {
                    failing.addLast(each);
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
