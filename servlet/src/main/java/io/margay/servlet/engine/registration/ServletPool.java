package io.margay.servlet.engine.registration;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Instances of one servlet, each with one request at a time. Beyond the bound a request waits
/// until an instance is free. Thread-safe.
final class ServletPool implements Servlet {
    /// Makes a further instance.
    @FunctionalInterface
    interface Maker {
        Servlet make() throws ServletException;
    }

    private final Servlet first;
    private final Maker maker;
    private final Semaphore free;
    private final Deque<Servlet> idle = new ConcurrentLinkedDeque<>();

    /// Guarded by itself.
    private final List<Servlet> all = new ArrayList<>();

    private volatile @Nullable ServletConfig config;

    ServletPool(Servlet first, Maker maker, ServletPoolLimits limits) {
        this.first = first;
        this.maker = maker;
        free = new Semaphore(limits.instancesMax());
        all.add(first);
        idle.add(first);
    }

    @Override
    public void init(ServletConfig given) throws ServletException {
        config = given;
        first.init(given);
    }

    @Override
    public void service(ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        free.acquireUninterruptibly();
        try {
            Servlet servlet = idle.pollFirst();
            if (servlet == null) {
                servlet = further();
            }
            try {
                servlet.service(request, response);
            } finally {
                idle.addFirst(servlet);
            }
        } finally {
            free.release();
        }
    }

    private Servlet further() throws ServletException {
        Servlet servlet = maker.make();
        servlet.init(Objects.requireNonNull(config));
        synchronized (all) {
            all.add(servlet);
        }
        return servlet;
    }

    @Override
    public void destroy() {
        List<Servlet> those;
        synchronized (all) {
            those = List.copyOf(all);
        }
        those.forEach(Servlet::destroy);
    }

    @Override
    public @Nullable ServletConfig getServletConfig() {
        return first.getServletConfig();
    }

    @Override
    public @Nullable String getServletInfo() {
        return first.getServletInfo();
    }
}
