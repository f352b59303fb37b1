package io.margay.transport.loop;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Threads as Linux schedules them, by its files of processes; elsewhere nothing is known of them.
/// Thread-safe, but for what a clock is.
public final class SystemThreads implements ThreadTimes {
    private static final Path SELF = Path.of("/proc/thread-self");

    private final Clock clock;

    /// Says how long threads have worked. Need not be thread-safe.
    @FunctionalInterface
    public interface Clock {
        /// As [ThreadTimes#workedNanos].
        long workedNanos(Thread thread, int number);
    }

    public SystemThreads(Clock clock) {
        this.clock = clock;
    }

    /// With the times that the JVM gives, if its module `java.management` is there.
    public static SystemThreads ofJvm() {
        return new SystemThreads((thread, _) -> ofJvm(thread));
    }

    private static long ofJvm(Thread thread) {
        try {
            return JvmTimes.of(thread);
        } catch (LinkageError e) {
            return -1;
        }
    }

    /// Loaded with the first question.
    private static final class JvmTimes {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private JvmTimes() {}

        static long of(Thread thread) {
            return THREADS.isThreadCpuTimeSupported()
                    ? THREADS.getThreadCpuTime(thread.threadId())
                    : -1;
        }
    }

    @Override
    public int number() {
        try {
            return Integer.parseInt(Files.readSymbolicLink(SELF).getFileName().toString());
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }

    @Override
    public long workedNanos(Thread thread, int number) {
        return clock.workedNanos(thread, number);
    }

    /// By the letter after the name of the thread, which is in parentheses (proc_pid_stat(5)).
    @Override
    public boolean isRunnable(int number) {
        try {
            byte[] line = Files.readAllBytes(Path.of("/proc/self/task/" + number + "/stat"));
            String text = new String(line, StandardCharsets.ISO_8859_1);
            return text.startsWith(") R", text.lastIndexOf(')'));
        } catch (IOException e) {
            return false;
        }
    }
}
