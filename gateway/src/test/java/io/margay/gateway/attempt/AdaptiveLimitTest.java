package io.margay.gateway.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.AdaptiveConfig;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A member with four workers, in virtual time, to which more or less is sent than it can do.
final class AdaptiveLimitTest {
    private static final int WORKERS = 4;
    private static final double WORK_MILLIS = 50;
    private static final double NANOS = 1e6;

    /// One that waits, or is worked on.
    private record Request(double came, double begun, double ends) {}

    /// A member under a limit.
    private static final class Member {
        private final SplittableRandom random = new SplittableRandom(1);
        private final PriorityQueue<Request> running =
                new PriorityQueue<>(Comparator.comparingDouble(Request::ends));
        private final Deque<Request> queue = new ArrayDeque<>();
        private final AdaptiveLimit limit;
        private final boolean says;
        private double work = WORK_MILLIS;
        private double now;
        private int answered;
        private int refused;
        private double slowest;

        Member(AdaptiveConfig config) {
            limit = new AdaptiveLimit(config, 0);
            says = config.told();
        }

        /// @param load 1 = as much as it can do
        void run(double seconds, double load) {
            answered = 0;
            refused = 0;
            slowest = 0;
            double end = now + seconds * 1_000;
            while (now < end) {
                double next = now + exponential(work / WORKERS / load);
                while (!running.isEmpty() && running.peek().ends <= next) {
                    finish(running.remove());
                }
                now = next;
                if (running.size() + queue.size() >= limit.limit()) {
                    refused++;
                } else {
                    queue.add(new Request(now, 0, 0));
                    begin();
                }
            }
        }

        private void begin() {
            while (running.size() < WORKERS && !queue.isEmpty()) {
                running.add(new Request(queue.remove().came, now, now + exponential(work)));
            }
        }

        private void finish(Request done) {
            now = done.ends;
            answered++;
            double took = done.ends - done.came;
            slowest = Math.max(slowest, took);
            limit.answered(
                    (long) (took * NANOS),
                    says ? (long) ((done.begun - done.came) * NANOS) : -1,
                    running.size() + queue.size() + 1,
                    (long) (now * NANOS));
            begin();
        }

        private double exponential(double mean) {
            return -mean * Math.log(1 - random.nextDouble());
        }

        /// Answers, as a part of what it can do.
        double busy(double seconds) {
            return answered / (seconds * 1_000 / work * WORKERS);
        }
    }

    private static Member member(boolean told) {
        return new Member(new AdaptiveConfig(4, 1_000, 2, told));
    }

    /// Without a limit a queue would grow by twenty requests a second.
    @ParameterizedTest
    @CsvSource({"1.25, false", "2, false", "10, false", "2, true"})
    void overload_isRefused_andWhatIsTakenIsAnsweredSoon(double load, boolean told) {
        Member member = member(told);
        member.run(20, 0.7);
        member.run(10, load);
        member.run(60, load);
        assertTrue(member.busy(60) > 0.9, () -> member.busy(60) + " of what it can do");
        assertTrue(member.slowest < 1_500, () -> "one took " + member.slowest + " ms");
        assertTrue(member.limit.limit() <= 25, () -> member.limit.limit() + " at one time");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void usualLoad_isHardlyEverRefused(boolean told) {
        Member member = member(told);
        member.run(20, 0.6);
        member.run(60, 0.6);
        double part = (double) member.refused / (member.answered + member.refused);
        assertTrue(part < 0.005, () -> part + " refused");
    }

    /// What takes four times as long from now on is not taken for a queue for good.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void slowerWork_isLearnt(boolean told) {
        Member member = member(told);
        member.run(20, 0.7);
        member.work = 4 * WORK_MILLIS;
        member.run(30, 0.7);
        member.run(60, 0.7);
        assertTrue(member.busy(60) > 0.6, () -> member.busy(60) + " of what it can do");
    }

    @Test
    void failures_narrowIt_downToTheLeast() {
        AdaptiveLimit limit = new AdaptiveLimit(AdaptiveConfig.defaults(), 0);
        long now = 0;
        for (int round = 0; round < 50; round++) {
            limit.failed();
            for (int i = 0; i < 10; i++) {
                now += 50_000_000L;
                limit.answered(10_000_000L, -1, 20, now);
            }
        }
        assertEquals(4, limit.limit());
    }

    /// A member that lies gets the greatest limit, and no more.
    @Test
    void limit_isNeverAboveTheGreatest() {
        AdaptiveLimit limit = new AdaptiveLimit(new AdaptiveConfig(4, 30, 2, true), 0);
        for (int i = 0; i < 10_000; i++) {
            limit.answered(1_000_000L * (1 + i / 100), 0, 1_000, i * 50_000_000L);
        }
        assertEquals(30, limit.limit());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "none | -1",
                "'' | -1",
                "db;dur=3 | -1",
                "total;dur=12.003 | 0",
                "total;dur=12.003, queued;dur=3.100 | 3100000",
                "queued;dur=3 | 3000000",
                "queued;dur=0.001, client;dur=5 | 1000",
                "queued;dur=3.1234567 | 3123000",
                "queued;dur= | -1",
                "queued;dur=-5 | -1",
                "queued;dur=12345678901234567890 | -1",
                "total;dur=1, queued;dur=+5 | -1",
                "queued;dur=\u0661 | -1"
            })
    void queueTime_isReadOfTheField(String field, long nanos) {
        assertEquals(nanos, QueueTime.nanos(field));
    }
}
