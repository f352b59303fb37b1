package io.margay.servlet.engine.dispatch;

import io.margay.protocol.http.CanonicalPath;
import io.margay.server.meter.InFlight;
import io.margay.server.steps.Steps;
import io.margay.server.steps.Steps.About;
import io.margay.server.steps.Steps.Kind;
import io.margay.server.steps.Steps.Step;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.application.Paths;
import io.margay.servlet.engine.application.Route;
import io.margay.servlet.engine.registration.Registrations;
import io.margay.servlet.engine.registration.ServletHolder;
import io.margay.servlet.engine.request.DispatchScope;
import io.margay.servlet.engine.request.ServerRequest;
import io.margay.servlet.engine.response.ServerResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
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
public final class Dispatcher implements RequestDispatcher {
    private static final List<String> FORWARD_ATTRIBUTES =
            List.of(
                    FORWARD_REQUEST_URI,
                    FORWARD_CONTEXT_PATH,
                    FORWARD_SERVLET_PATH,
                    FORWARD_PATH_INFO,
                    FORWARD_QUERY_STRING,
                    FORWARD_MAPPING);

    private static final List<String> INCLUDE_ATTRIBUTES =
            List.of(
                    INCLUDE_REQUEST_URI,
                    INCLUDE_CONTEXT_PATH,
                    INCLUDE_SERVLET_PATH,
                    INCLUDE_PATH_INFO,
                    INCLUDE_QUERY_STRING,
                    INCLUDE_MAPPING);

    private final Application app;
    private final @Nullable Route route;
    private final @Nullable ServletHolder named;

    /// Whether the query is the dispatcher's own, or the request's.
    private final boolean ownQuery;

    /// What it adds to the parameters of the request.
    private final @Nullable String addedQuery;

    private Dispatcher(
            Application app,
            @Nullable Route route,
            @Nullable ServletHolder named,
            boolean ownQuery,
            @Nullable String addedQuery) {
        this.app = app;
        this.route = route;
        this.named = named;
        this.ownQuery = ownQuery;
        this.addedQuery = addedQuery;
    }

    /// To a path within the context, percent-encoded, with an optional query, which adds to the
    /// parameters of the request; null when the path is no path or leads nowhere.
    public static @Nullable Dispatcher of(Application app, String pathAndQuery) {
        int question = pathAndQuery.indexOf('?');
        String rawPath = question < 0 ? pathAndQuery : pathAndQuery.substring(0, question);
        String query = question < 0 ? null : pathAndQuery.substring(question + 1);
        CanonicalPath canonical = CanonicalPath.of(Paths.encode(rawPath));
        if (canonical.error() != null) {
            return null;
        }
        Registrations.Target target = app.registrations().target(canonical.path());
        if (target == null) {
            return null;
        }
        String uri = app.contextPath() + canonical.raw();
        Route route = new Route(app, uri, target.path(), target.mapped(), query);
        return new Dispatcher(app, route, null, true, query);
    }

    /// Again to where a request has been, with the parameters that dispatches added on its way.
    public static Dispatcher again(Route route, @Nullable String addedQuery) {
        return new Dispatcher(route.app(), route, null, false, addedQuery);
    }

    /// To a servlet by its name, which leaves path and query as they are.
    public static Dispatcher toServlet(Application app, ServletHolder servlet) {
        return new Dispatcher(app, null, servlet, false, null);
    }

    public @Nullable Route route() {
        return route;
    }

    private ServletHolder servlet() {
        return route != null ? route.servlet() : java.util.Objects.requireNonNull(named);
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
            shown.put(FORWARD_CONTEXT_PATH, from.contextPath());
            shown.put(FORWARD_SERVLET_PATH, from.servletPath());
            shown.put(FORWARD_PATH_INFO, from.pathInfo());
            shown.put(FORWARD_QUERY_STRING, from.query());
            shown.put(FORWARD_MAPPING, from.mapping());
        }
        hide(INCLUDE_ATTRIBUTES, shown);
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
        InFlight visitors = beginVisit(base);
        DispatchScope before = base.enter(effectiveRoute(base), addedQuery, type, shown);
        ClassLoader loader = app.runtime().enter();
        try {
            invoke(type, base, request, response);
        } finally {
            app.runtime().leave(loader);
            if (visitors != null) {
                if (base.isAsyncStarted()) {
                    base.onEnd(visitors);
                } else {
                    visitors.end();
                }
            }
            if (!base.isAsyncStarted() && type != DispatcherType.ASYNC) {
                base.leave(before);
            }
        }
    }

    private void invoke(
            DispatcherType type,
            ServerRequest base,
            ServletRequest request,
            ServletResponse response)
            throws IOException, ServletException {
        String path = route == null ? null : route.path();
        Step step =
                type == DispatcherType.ASYNC || !Steps.areTold()
                        ? Steps.NONE
                        : Steps.begin(Kind.DISPATCH, () -> about(type));
        Throwable failure = null;
        try {
            FilterPipeline.invoke(servlet(), path, type, base, request, response);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            step.end(failure);
        }
    }

    private About about(DispatcherType type) {
        String name = servlet().getName();
        String path = name;
        if (route != null) {
            path = route.path();
            name =
                    switch (route.mapped().pattern().kind()) {
                        case CONTEXT_ROOT, EXACT -> path;
                        case PATH -> route.mapped().pattern().text();
                        case EXTENSION, DEFAULT -> servlet().nameFor(path);
                    };
        }
        return new About(Kind.DISPATCH, name, type.name(), path, "");
    }

    /// Counts the request as one in flight here, if it is one of another application.
    private @Nullable InFlight beginVisit(ServerRequest base) {
        if (app == base.home()) {
            return null;
        }
        app.visitors().begin();
        return app.visitors();
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
        } else {
            hide(INCLUDE_ATTRIBUTES, shown);
        }
        InFlight visitors = beginVisit(base);
        DispatchScope before = base.include(addedQuery, shown);
        ClassLoader loader = app.runtime().enter();
        baseResponse.enterInclude();
        try {
            invoke(DispatcherType.INCLUDE, base, request, response);
        } finally {
            baseResponse.leaveInclude();
            app.runtime().leave(loader);
            base.leave(before);
            if (visitors != null) {
                visitors.end();
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
    public void async(ServerRequest base, ServletRequest request, ServletResponse response)
            throws IOException, ServletException {
        Map<String, @Nullable Object> shown = new HashMap<>();
        Route first = base.firstRoute();
        if (route != null) {
            shown.put(AsyncContext.ASYNC_REQUEST_URI, first.uri());
            shown.put(AsyncContext.ASYNC_CONTEXT_PATH, first.contextPath());
            shown.put(AsyncContext.ASYNC_SERVLET_PATH, first.servletPath());
            shown.put(AsyncContext.ASYNC_PATH_INFO, first.pathInfo());
            shown.put(AsyncContext.ASYNC_QUERY_STRING, first.query());
            shown.put(AsyncContext.ASYNC_MAPPING, first.mapping());
        }
        // A forward that went asynchronous is over now.
        hide(FORWARD_ATTRIBUTES, shown);
        run(base, request, response, DispatcherType.ASYNC, shown);
    }

    /// What tells of an earlier dispatch does not hold during this one.
    private static void hide(List<String> names, Map<String, @Nullable Object> shown) {
        for (String name : names) {
            shown.put(name, null);
        }
    }
}
