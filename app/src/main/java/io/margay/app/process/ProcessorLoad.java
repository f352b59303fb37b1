package io.margay.app.process;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/// How busy the processors are that this process may use. Loaded with the first question: the JVM's
/// management is nothing that other servers should wait for. Thread-safe.
///
/// The JVM's value is that of the time since it was asked last, by whomever: it is kept for a tenth
/// of a second, so that those who ask at the same time get the same.
public final class ProcessorLoad {
    private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final ProcessorLoad OF_ALL = new ProcessorLoad();

    private double load = -1;
    private long readAt = System.nanoTime() - KEPT_NANOS;

    private ProcessorLoad() {}

    /// From 0 to 1; negative = not known.
    public static double now() {
        return OF_ALL.kept();
    }

    private synchronized double kept() {
        long now = System.nanoTime();
        if (now - readAt >= KEPT_NANOS) {
            readAt = now;
            load =
                    ManagementFactory.getOperatingSystemMXBean()
                                    instanceof OperatingSystemMXBean system
                            ? system.getCpuLoad()
                            : -1;
        }
        return load;
    }
}
