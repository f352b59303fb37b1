package io.margay.app.site;

import io.margay.app.bots.HttpKeyDirectory;
import io.margay.gateway.shield.Shield;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigInteger;
import java.security.SecureRandom;

/// The time and chance of shields. Loaded with the first shield: the JVM's management, and a
/// secret, are nothing that a server without one should wait for. Stateless.
final class ShieldMeans {
    private static final int SECRET_BITS = 256;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /// Those of all shields of the process, so that cookies hold over a reload.
    static final Shield.Means OF_PROCESS =
            new Shield.Means(
                    System::nanoTime,
                    System::currentTimeMillis,
                    ShieldMeans::threadNanos,
                    RANDOM,
                    new BigInteger(SECRET_BITS, RANDOM).toString(Character.MAX_RADIX),
                    new HttpKeyDirectory(),
                    null);

    private ShieldMeans() {}

    /// Processor time of the thread that calls; of a virtual one, which the JVM does not tell, the
    /// time of day.
    private static long threadNanos() {
        long used = Thread.currentThread().isVirtual() ? -1 : THREADS.getCurrentThreadCpuTime();
        return used < 0 ? System.nanoTime() : used;
    }
}
