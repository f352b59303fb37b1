package io.margay.app.process;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// How busy the processors are that this process may use. Loaded with the first question: the JVM's
/// management is nothing that other servers should wait for. Stateless.
public final class ProcessorLoad {
    private ProcessorLoad() {}

    /// Since the last question, from 0 to 1; negative = not known.
    public static double now() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getCpuLoad()
                : -1;
    }
}
