package io.margay.compat.tomcat.valve;

import io.margay.compat.tomcat.filter.InitParams;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Warns of requests that take very long, as Tomcat's `StuckThreadDetectionValve`. A request costs
/// an entry in a set; one virtual thread looks at that set, until the application stops. Written by
/// the starting thread, then thread-safe.
public final class StuckThreadFilter implements Filter {
    /// Attribute of the context: an `IntSupplier` that counts the requests that are stuck.
    public static final String STUCK = "io.margay.requests.stuck";

    private static final int SECONDS_MAX = 7 * 86_400;

    private @Nullable StuckRequests requests;
    private @Nullable Thread watcher;

    /// What the valve says.
    ///
    /// @param thresholdSeconds after which a request is told; 0 = nothing is watched
    /// @param interruptSeconds after which its thread is interrupted; 0 = never
    public record Settings(long thresholdSeconds, long interruptSeconds) {
        /// @throws ServletException when a parameter is wrong or unknown
        public static Settings of(InitParams params) throws ServletException {
            long threshold = params.number("threshold", 600, -1, SECONDS_MAX);
            long interrupt = params.number("interruptThreadThreshold", -1, -1, SECONDS_MAX);
            params.refuseUnknown();
            return new Settings(
                    Math.max(0, threshold), interrupt <= 0 ? 0 : Math.max(interrupt, threshold));
        }

        /// Between two looks: a tenth of the threshold, and ten seconds at most.
        private long pauseNanos() {
            return Math.min(
                    TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(thresholdSeconds) / 10);
        }
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        Settings settings = Settings.of(InitParams.of(config));
        if (settings.thresholdSeconds() == 0) {
            return;
        }
        StuckRequests watched =
                new StuckRequests(
                        TimeUnit.SECONDS.toNanos(settings.thresholdSeconds()),
                        TimeUnit.SECONDS.toNanos(settings.interruptSeconds()),
                        System::nanoTime);
        IntSupplier stuck = watched::stuck;
        config.getServletContext().setAttribute(STUCK, stuck);
        requests = watched;
        watcher =
                Thread.ofVirtual()
                        .name("margay-stuck-requests")
                        .inheritInheritableThreadLocals(false)
                        .start(() -> watch(watched, settings.pauseNanos()));
    }

    private static void watch(StuckRequests watched, long pauseNanos) {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(pauseNanos);
            watched.look();
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        StuckRequests watched = requests;
        if (watched == null || !(request instanceof HttpServletRequest asked)) {
            chain.doFilter(request, response);
            return;
        }
        StuckRequests.Work work = watched.enter(asked.getMethod(), asked.getRequestURI());
        try {
            chain.doFilter(request, response);
        } finally {
            watched.leave(work);
        }
    }

    @Override
    public void destroy() {
        Thread looking = watcher;
        if (looking != null) {
            looking.interrupt();
        }
    }
}
