package io.margay.server.sight;

import io.margay.server.meter.RecentDurations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What requests of some time came to. Confined to one thread.
///
/// As bytes, each number in groups of seven bits, the lowest first: the counts, then of each step
/// of durations with requests how many steps it is from the one before, and how many they were. A
/// step behind the last one of durations says how something did.
final class Tally {
    static final int CLASSES = 5;
    static final int FAILED = 5;
    static final int RECEIVED = 6;
    static final int SENT = 7;
    static final int COUNTS = 8;

    final long[] counts = new long[COUNTS];
    final long[] steps = new long[RecentDurations.STEPS];

    /// How it did; null = nobody can say.
    @Nullable HealthSpan health;

    /// How many requests there were.
    long requests() {
        long all = 0;
        for (long step : steps) {
            all += step;
        }
        return all;
    }

    /// Forgets everything.
    void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(steps, 0);
        health = null;
    }

    /// Adds what is of another one.
    void add(Tally other) {
        health = other.health == null ? health : other.health.and(health);
        Arrays.setAll(counts, i -> counts[i] + other.counts[i]);
        Arrays.setAll(steps, i -> steps[i] + other.steps[i]);
    }

    /// Whether there was nothing.
    boolean isEmpty() {
        for (long count : counts) {
            if (count != 0) {
                return false;
            }
        }
        return requests() == 0 && health == null;
    }

    /// Adds what has come since another reading of the counts; what begins anew is less than that.
    void addSince(long[] before, long[] now) {
        for (int i = 0; i < COUNTS; i++) {
            counts[i] += now[i] >= before[i] ? now[i] - before[i] : now[i];
        }
    }

    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (long count : counts) {
            write(out, count);
        }
        int before = 0;
        for (int step = 0; step < steps.length; step++) {
            if (steps[step] != 0) {
                write(out, step - before);
                write(out, steps[step]);
                before = step;
            }
        }
        if (health != null) {
            write(out, steps.length + health.code() - before);
            write(out, 1);
        }
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, long number) {
        long left = number;
        while (left > 0x7f) {
            out.write((int) (left & 0x7f) | 0x80);
            left >>>= 7;
        }
        out.write((int) left);
    }

    /// Adds what [#bytes] has written.
    ///
    /// @throws IOException when nothing like that was written
    void add(byte[] bytes) throws IOException {
        Numbers in = new Numbers(bytes);
        for (int i = 0; i < COUNTS; i++) {
            counts[i] += in.next();
        }
        long step = 0;
        while (in.at < bytes.length) {
            step += in.next();
            long count = in.next();
            if (step < 0 || step >= steps.length + HealthSpan.CODES) {
                throw new IOException("there is no step " + step);
            }
            if (step < steps.length) {
                steps[(int) step] += count;
            } else {
                health = HealthSpan.of((int) step - steps.length).and(health);
            }
        }
    }

    /// Reads numbers.
    private static final class Numbers {
        private final byte[] bytes;
        private int at;

        Numbers(byte[] bytes) {
            this.bytes = bytes;
        }

        long next() throws IOException {
            long number = 0;
            for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
                if (at == bytes.length) {
                    throw new IOException("a number is cut off");
                }
                byte group = bytes[at++];
                number |= (group & 0x7fL) << shift;
                if (group >= 0) {
                    return number;
                }
            }
            throw new IOException("a number is too large");
        }
    }
}
