package io.margay.servlet.engine.dispatch;

import io.margay.server.steps.Steps;
import io.margay.server.steps.Steps.About;
import io.margay.server.steps.Steps.Kind;
import io.margay.server.steps.Steps.Step;
import io.margay.servlet.engine.registration.FilterHolder;
import io.margay.servlet.engine.registration.ServletHolder;
import io.margay.servlet.engine.request.ServerRequest;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One pass through the filters to a servlet (Servlet 6.1 §6). Confined to the thread of its
/// dispatch; each filter may go on as often as it likes, always from its own place.
public final class FilterPipeline implements FilterChain {
    private final FilterHolder[] filters;
    private final ServletHolder holder;
    private final Servlet servlet;
    private final ServerRequest base;
    private int next;

    FilterPipeline(
            FilterHolder[] filters, ServletHolder holder, Servlet servlet, ServerRequest base) {
        this.filters = filters;
        this.holder = holder;
        this.servlet = servlet;
        this.base = base;
    }

    /// Runs the filters of a dispatcher type and the servlet.
    ///
    /// @param path null = a named servlet
    public static void invoke(
            ServletHolder holder,
            @Nullable String path,
            DispatcherType type,
            ServerRequest base,
            ServletRequest request,
            ServletResponse response)
            throws IOException, ServletException {
        FilterHolder[] filters = holder.plan(type).filters(path);
        try {
            var servlet = holder.servlet();
            if (filters.length == 0 && holder.asyncSupported()) {
                service(holder, servlet, request, response);
            } else {
                new FilterPipeline(filters, holder, servlet, base).doFilter(request, response);
            }
        } catch (UnavailableException e) {
            if (!base.isKnown(e)) {
                holder.unavailable(e);
                base.known(e);
            }
            throw e;
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response)
            throws IOException, ServletException {
        int at = next;
        if (at == filters.length) {
            serve(request, response);
            return;
        }
        FilterHolder filter = filters[at];
        boolean asyncBefore = base.asyncAllowed();
        if (!filter.asyncSupported()) {
            base.asyncAllowed(false);
        }
        next = at + 1;
        try {
            filter.filter().doFilter(request, response, this);
        } finally {
            next = at;
            base.asyncAllowed(asyncBefore);
        }
    }

    private void serve(ServletRequest request, ServletResponse response)
            throws IOException, ServletException {
        boolean asyncBefore = base.asyncAllowed();
        if (!holder.asyncSupported()) {
            base.asyncAllowed(false);
        }
        try {
            service(holder, servlet, request, response);
        } finally {
            base.asyncAllowed(asyncBefore);
        }
    }

    private static void service(
            ServletHolder holder, Servlet servlet, ServletRequest request, ServletResponse response)
            throws IOException, ServletException {
        if (!Steps.areTold() || !holder.rendersPages()) {
            servlet.service(request, response);
            return;
        }
        String path = page(holder, request);
        Step step =
                Steps.begin(
                        Kind.RENDER,
                        () ->
                                new About(
                                        Kind.RENDER,
                                        path.equals(holder.jspFile()) ? path : holder.nameFor(path),
                                        "",
                                        path,
                                        ""));
        Throwable failure = null;
        try {
            servlet.service(request, response);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            step.end(failure);
        }
    }

    /// The page that a request is for: the one that is included, if one is.
    private static String page(ServletHolder holder, ServletRequest request) {
        String file = holder.jspFile();
        if (file != null) {
            return file;
        }
        try {
            Object included = request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH);
            return included instanceof String path
                    ? path
                    : request instanceof HttpServletRequest http
                            ? Objects.requireNonNullElse(http.getServletPath(), "")
                            : "";
        } catch (RuntimeException _) { // A wrapper of the application's that must not be asked.
            return "";
        }
    }
}
