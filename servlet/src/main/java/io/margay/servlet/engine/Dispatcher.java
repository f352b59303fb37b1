package io.margay.servlet.engine;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.UnavailableException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Hands a request on to another resource (Servlet 6.1 §9). Immutable: one dispatcher may serve
/// many requests.
///
/// The request object stays the same. A dispatch changes where it says it is, and puts that back
/// when it returns, unless the target went asynchronous and so still needs it.
final class Dispatcher implements RequestDispatcher {
    private static final List<String> FORWARD_ATTRIBUTES =
            List.of(
                    FORWARD_REQUEST_URI,
                    FORWARD_CONTEXT_PATH,
                    FORWARD_SERVLET_PATH,
                    FORWARD_PATH_INFO,
                    FORWARD_QUERY_STRING,
                    FORWARD_MAPPING);

    private final @Nullable Route route;
    private final @Nullable ServletHolder named;

    /// Whether the query is the dispatcher's own, or the request's.
    private final boolean ownQuery;

    /// What it adds to the parameters of the request.
    private final @Nullable String addedQuery;

    private Dispatcher(
            @Nullable Route route,
            @Nullable ServletHolder named,
            boolean ownQuery,
            @Nullable String addedQuery) {
        this.route = route;
        this.named = named;
        this.ownQuery = ownQuery;
        this.addedQuery = addedQuery;
    }

    /// To a path; its query, if any, adds to the parameters of the request.
    static Dispatcher to(Route route) {
        return new Dispatcher(route, null, true, route.query());
    }

    /// Again to where a request has been, with the parameters that dispatches added on its way.
    static Dispatcher again(Route route, @Nullable String addedQuery) {
        return new Dispatcher(route, null, false, addedQuery);
    }

    /// To a servlet by its name, which leaves path and query as they are.
    static Dispatcher toServlet(ServletHolder servlet) {
        return new Dispatcher(null, servlet, false, null);
    }

    @Nullable Route route() {
        return route;
    }

    private ServletHolder servlet() {
        return route != null ? route.servlet() : java.util.Objects.requireNonNull(named);
    }

    /// Runs the filters of a dispatcher type and the servlet.
    ///
    /// @param path null = a named servlet
    static void invoke(
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
                servlet.service(request, response);
            } else {
                new FilterPipeline(filters, holder, servlet, base).doFilter(request, response);
            }
        } catch (UnavailableException e) {
            if (!base.cycle().isKnown(e)) {
                holder.unavailable(e);
                base.cycle().unavailable(e);
            }
            throw e;
        }
    }

    static ServerRequest unwrap(ServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        if (inner instanceof ServerRequest server) {
            return server;
        }
        throw new IllegalArgumentException("not a request of this container, nor a wrapper of one");
    }

    static ServerResponse unwrap(ServletResponse response) {
        ServletResponse inner = response;
        while (inner instanceof ServletResponseWrapper wrapper) {
            inner = wrapper.getResponse();
        }
        if (inner instanceof ServerResponse server) {
            return server;
        }
        throw new IllegalArgumentException(
                "not a response of this container, nor a wrapper of one");
    }

    // Forward

    @Override
    public void forward(ServletRequest request, ServletResponse response)
            throws IOException, ServletException {
        ServerRequest base = unwrap(request);
        ServerResponse baseResponse = unwrap(response);
        if (baseResponse.isCommitted()) {
            throw new IllegalStateException("the response has been committed");
        }
        response.resetBuffer();
        Map<String, @Nullable Object> shown = new HashMap<>();
        if (route != null && base.attributeOf(FORWARD_REQUEST_URI) == null) {
            Route from = base.route();
            shown.put(FORWARD_REQUEST_URI, from.uri());
            shown.put(FORWARD_CONTEXT_PATH, from.app().contextPath());
            shown.put(FORWARD_SERVLET_PATH, from.servletPath());
            shown.put(FORWARD_PATH_INFO, from.pathInfo());
            shown.put(FORWARD_QUERY_STRING, from.query());
            shown.put(FORWARD_MAPPING, from.mapping());
        }
        run(base, request, response, DispatcherType.FORWARD, shown);
        if (!base.isAsyncStarted() && !baseResponse.errorPending()) {
            close(response, baseResponse);
        }
    }

    private static void close(ServletResponse response, ServerResponse base) throws IOException {
        if (response == base) {
            base.closeByForward();
            return;
        }
        try {
            response.getWriter().close();
        } catch (IllegalStateException e) {
            try {
                response.getOutputStream().close();
            } catch (IllegalStateException none) {
                base.closeByForward();
            }
        }
    }

    /// Runs the target as if the request were for it.
    private void run(
            ServerRequest base,
            ServletRequest request,
            ServletResponse response,
            DispatcherType type,
            Map<String, @Nullable Object> shown)
            throws IOException, ServletException {
        Visits visits = visitsOf(base);
        DispatchScope before = base.enter(effectiveRoute(base), addedQuery, type, shown);
        ClassLoader loader = servlet().app().enter();
        try {
            String path = route == null ? null : route.path();
            invoke(servlet(), path, type, base, request, response);
        } finally {
            servlet().app().leave(loader);
            if (visits != null) {
                if (base.isAsyncStarted()) {
                    base.cycle().exchange().onEnd(visits);
                } else {
                    visits.run();
                }
            }
            if (!base.isAsyncStarted() && type != DispatcherType.ASYNC) {
                base.leave(before);
            }
        }
    }

    /// Begins a visit, if the request is one of another application.
    private @Nullable Visits visitsOf(ServerRequest base) {
        Application app = servlet().app();
        if (app == base.cycle().app()) {
            return null;
        }
        app.visits().begin();
        return app.visits();
    }

    /// A dispatch without a query keeps the one of the request.
    private @Nullable Route effectiveRoute(ServerRequest base) {
        if (route == null || !ownQuery || route.query() != null) {
            return route;
        }
        return route.withQuery(base.route().query());
    }

    // Include

    @Override
    public void include(ServletRequest request, ServletResponse response)
            throws IOException, ServletException {
        ServerRequest base = unwrap(request);
        ServerResponse baseResponse = unwrap(response);
        Map<String, @Nullable Object> shown = new HashMap<>();
        if (route != null) {
            shown.put(INCLUDE_REQUEST_URI, route.uri());
            shown.put(INCLUDE_CONTEXT_PATH, route.app().contextPath());
            shown.put(INCLUDE_SERVLET_PATH, route.servletPath());
            shown.put(INCLUDE_PATH_INFO, route.pathInfo());
            shown.put(INCLUDE_QUERY_STRING, route.query());
            shown.put(INCLUDE_MAPPING, route.mapping());
        }
        Visits visits = visitsOf(base);
        DispatchScope before = base.include(addedQuery, shown);
        ClassLoader loader = servlet().app().enter();
        baseResponse.enterInclude();
        try {
            String path = route == null ? null : route.path();
            invoke(servlet(), path, DispatcherType.INCLUDE, base, request, response);
        } finally {
            baseResponse.leaveInclude();
            servlet().app().leave(loader);
            base.leave(before);
            if (visits != null) {
                visits.run();
            }
        }
    }

    // Error and async

    /// Shows an error page; the attributes about the error stay with the request.
    void error(ServerRequest base, ServerResponse response, Map<String, @Nullable Object> shown)
            throws IOException, ServletException {
        run(base, base, response, DispatcherType.ERROR, shown);
    }

    /// Runs an asynchronous dispatch.
    void async(ServerRequest base, ServletRequest request, ServletResponse response)
            throws IOException, ServletException {
        Map<String, @Nullable Object> shown = new HashMap<>();
        Route first = base.firstRoute();
        if (route != null) {
            shown.put(AsyncContext.ASYNC_REQUEST_URI, first.uri());
            shown.put(AsyncContext.ASYNC_CONTEXT_PATH, first.app().contextPath());
            shown.put(AsyncContext.ASYNC_SERVLET_PATH, first.servletPath());
            shown.put(AsyncContext.ASYNC_PATH_INFO, first.pathInfo());
            shown.put(AsyncContext.ASYNC_QUERY_STRING, first.query());
            shown.put(AsyncContext.ASYNC_MAPPING, first.mapping());
        }
        // A forward that went asynchronous is over now.
        for (String name : FORWARD_ATTRIBUTES) {
            shown.put(name, null);
        }
        run(base, request, response, DispatcherType.ASYNC, shown);
    }
}
