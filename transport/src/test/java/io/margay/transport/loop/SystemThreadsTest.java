package io.margay.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Eventually;
import io.margay.transport.libc.Libc;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What Linux says of a thread that works and of one that waits.
@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class SystemThreadsTest {
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    static Stream<SystemThreads> ways() {
        Libc libc = new Libc();
        MemorySegment time = libc.allocate(16);
        return Stream.of(
                SystemThreads.ofJvm(),
                new SystemThreads((_, number) -> libc.threadTime(number, time)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void threadThatWorks_isRunnable_andItsTimeGrows(SystemThreads threads) throws Exception {
        AtomicBoolean ends = new AtomicBoolean();
        AtomicInteger number = new AtomicInteger();
        Thread spinning =
                new Thread(() -> {
                    number.set(threads.number());
                    while (!ends.get()) {
                        Thread.onSpinWait();
                    }
                });
        spinning.start();
        try {
            Eventually.holds("it has a number", () -> number.get() > 0);
            long before = threads.workedNanos(spinning, number.get());
            assertTrue(before > 0);
            Eventually.holds(
                    "it works",
                    () -> threads.workedNanos(spinning, number.get()) - before > WORK_NANOS);
            assertTrue(threads.isRunnable(number.get()));
        } finally {
            ends.set(true);
            spinning.join();
        }
        Eventually.holds("it has gone", () -> threads.workedNanos(spinning, number.get()) == -1);
        Eventually.holds("the system has it no more", () -> !threads.isRunnable(number.get()));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void threadThatWaits_isNotRunnable_andItsTimeStands(SystemThreads threads) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger number = new AtomicInteger();
        Thread waiting =
                new Thread(() -> {
                    number.set(threads.number());
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
        waiting.start();
        try {
            Eventually.holds("it has a number", () -> number.get() > 0);
            Eventually.holds("it waits", () -> !threads.isRunnable(number.get()));
            long before = threads.workedNanos(waiting, number.get());
            long until = System.nanoTime() + WORK_NANOS;
            while (System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
            assertEquals(before, threads.workedNanos(waiting, number.get()));
        } finally {
            end.countDown();
            waiting.join();
        }
    }
}
