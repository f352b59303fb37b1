package io.margay.compat.tomcat.valve;

import io.margay.compat.tomcat.filter.InitParams;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/// Lets a number of requests into an application at once, as Tomcat's `SemaphoreValve`; others wait
/// for their turn or are refused. Written by the starting thread, then thread-safe.
public final class SemaphoreFilter implements Filter {
    private Settings settings = new Settings(10, false, true, false, -1);
    private Semaphore permits = new Semaphore(10);

    /// What the valve says.
    ///
    /// @param refusal status of a refused request; -1 = an empty response
    public record Settings(
            int concurrency, boolean fair, boolean waits, boolean interruptible, int refusal) {
        /// @throws ServletException when a parameter is wrong or unknown
        public static Settings of(InitParams params) throws ServletException {
            Settings read =
                    new Settings(
                            (int) params.number("concurrency", 10, 1, Integer.MAX_VALUE),
                            params.flag("fairness", false),
                            params.flag("block", true),
                            params.flag("interruptible", false),
                            (int) params.number("highConcurrencyStatus", -1, -1, 599));
            params.refuseUnknown();
            return read;
        }
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        settings = Settings.of(InitParams.of(config));
        permits = new Semaphore(settings.concurrency(), settings.fair());
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!enter()) {
            if (settings.refusal() > 0) {
                ((HttpServletResponse) response).sendError(settings.refusal());
            }
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            permits.release();
        }
    }

    private boolean enter() {
        if (!settings.waits()) {
            return permits.tryAcquire();
        }
        if (!settings.interruptible()) {
            permits.acquireUninterruptibly();
            return true;
        }
        try {
            permits.acquire();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
