package io.margay.servlet.engine;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.PercentEncoding;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.LogFacts;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.RequestId;
import io.margay.server.steps.Steps;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.application.Paths;
import io.margay.servlet.engine.application.Route;
import io.margay.servlet.engine.async.AsyncCycle;
import io.margay.servlet.engine.async.AsyncScope;
import io.margay.servlet.engine.async.Upgrade;
import io.margay.servlet.engine.dispatch.AccessCheck;
import io.margay.servlet.engine.dispatch.Dispatcher;
import io.margay.servlet.engine.dispatch.ErrorDispatch;
import io.margay.servlet.engine.dispatch.FilterPipeline;
import io.margay.servlet.engine.registration.Registrations;
import io.margay.servlet.engine.registration.ServletCounts;
import io.margay.servlet.engine.request.RequestScope;
import io.margay.servlet.engine.request.ServerRequest;
import io.margay.servlet.engine.response.ServerResponse;
import io.margay.servlet.session.SessionStore;
import io.margay.servlet.settings.LoadBalancerDraining;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One exchange on its way through an application, from the first call to the end of the response.
///
/// Everything the container does for a request is a task of the exchange: the first call of the
/// servlet, callbacks, asynchronous dispatches, the end. The exchange runs them one at a time, in
/// order, each on a thread that may wait ([Exchange#dispatch]), also after its own end.
final class RequestCycle implements Runnable, RequestScope, AsyncScope {
    private static final String METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS";

    private final Application app;
    private final Exchange exchange;
    private final ServerRequest request;
    private final ServerResponse response;

    /// The thread that runs a task now. Only compared with the thread that reads it, which alone
    /// writes that value: so it needs no order among threads.
    private @Nullable Thread worker;

    private volatile @Nullable AsyncCycle async;
    private @Nullable Upgrade upgrade;
    private volatile boolean exchangeEnded;
    private volatile boolean over;
    private boolean listenersTold;

    RequestCycle(Application app, Exchange exchange) {
        this.app = app;
        this.exchange = exchange;
        this.request = new ServerRequest(this, app, exchange);
        this.response = new ServerResponse(this, request, exchange);
    }

    // Tasks

    /// The first task, on the thread that the exchange gave.
    @Override
    public void run() {
        take(this::serve);
    }

    /// Runs a task after the tasks before it.
    @Override
    public void enqueue(Runnable task) {
        exchange.dispatch(() -> take(task));
    }

    /// One task, and what follows from it. The catch ladder of the container.
    private void take(Runnable task) {
        ClassLoader before = app.runtime().enter();
        worker = Thread.currentThread();
        boolean followed = Steps.enter(exchange);
        try {
            task.run();
            settle();
        } catch (RuntimeException | Error e) {
            app.failures().log("a request ended abnormally", exchange, e);
            abort();
            if (e instanceof VirtualMachineError) {
                throw e;
            }
        } finally {
            if (followed) {
                Steps.leave();
            }
            worker = null;
            app.runtime().leave(before);
        }
    }

    /// Whether the calling thread runs a task.
    @Override
    public boolean inTask() {
        return Thread.currentThread().equals(worker);
    }

    /// Decides after each task whether the request goes on.
    private void settle() {
        if (over || (upgrade != null && upgrade.isStarted())) {
            return;
        }
        AsyncCycle asynchronous = async;
        boolean holding = asynchronous != null && asynchronous.isHolding();
        if (!holding && response.errorPending()) {
            showError(exchange.status(), response.errorMessage(), null);
            asynchronous = async;
            holding = asynchronous != null && asynchronous.isHolding();
        }
        if (asynchronous != null && holding) {
            asynchronous.armTimeout();
        } else if (upgrade != null) {
            boolean _ = request.saveSessions();
            response.release();
            upgrade.start(request.handOver());
        } else {
            checkLength();
            complete();
        }
    }

    /// A servlet that has written less than it announced has failed: nothing has been sent yet, as
    /// a rule, so that the client gets an error page. Otherwise the end aborts the response.
    private void checkLength() {
        String mistake = clientLeft() ? null : response.lengthMistake();
        if (mistake == null) {
            return;
        }
        app.logger()
                .log(
                        Level.ERROR,
                        "servlet {0} failed: {1}: {2}",
                        request.route().servlet().getName(),
                        RequestId.describe(exchange),
                        mistake);
        if (!exchange.committed()) {
            showError(500, mistake, null);
        }
    }

    private void complete() {
        AsyncCycle asynchronous = async;
        if (asynchronous != null) {
            asynchronous.tellComplete();
        }
        LogFacts asked = exchange.notes().logFacts();
        if (asked != null) {
            RequestFacts.tell(request, asked);
        }
        tellDestroyed();
        try {
            if (exchangeEnded || isLost(exchange.failure())) {
                exchange.abort();
            } else {
                boolean saved = request.saveSessions() && !response.isRefused();
                if (!saved && !exchange.committed()) {
                    response.unsaved();
                }
                response.finish();
            }
        } catch (IOException e) {
            app.logger().log(Level.DEBUG, "the client left before the response was sent", e);
            exchange.abort();
        } finally {
            end();
        }
    }

    /// Whether nothing can be answered: content that could not be read has an answer, as long as
    /// the head has not left.
    private boolean isLost(@Nullable IOException failure) {
        return failure != null
                && (exchange.committed() || !(failure instanceof RequestBodyException));
    }

    private void tellDestroyed() {
        List<ServletRequestListener> listeners = app.registrations().listeners().requests();
        if (!listenersTold || listeners.isEmpty()) {
            return;
        }
        listenersTold = false;
        request.returnToStart();
        ServletRequestEvent event = new ServletRequestEvent(app.context(), request);
        for (int i = listeners.size() - 1; i >= 0; i--) {
            try {
                listeners.get(i).requestDestroyed(event);
            } catch (RuntimeException | LinkageError e) {
                app.failures().log("a request listener failed in requestDestroyed", exchange, e);
            }
        }
    }

    private void abort() {
        exchange.abort();
        if (!over) {
            end();
        }
    }

    /// Lets go of everything; the request's objects are unusable from now on.
    @Override
    public void end() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        request.release();
        response.release();
    }

    // The first call

    private void serve() {
        try {
            route();
        } catch (Exception | Error e) {
            failed(ErrorDispatch.survivable(e));
        }
    }

    private void route() throws IOException, ServletException {
        RequestTarget target = exchange.request().target();
        CanonicalPath canonical = exchange.path();
        if (!app.runtime().isRunning()) {
            response.sendError(503);
            return;
        }
        if (target.form() == RequestTarget.Form.ASTERISK) {
            response.setHeader("Allow", METHODS);
            return;
        }
        if (exchange.request().method().equals("TRACE") && !app.settings().trace()) {
            response.setHeader("Allow", METHODS);
            response.sendError(405);
            return;
        }
        if (canonical.error() != null) {
            response.sendError(canonical.error().status());
            return;
        }
        String contextPath = app.contextPath();
        String whole = canonical.path();
        boolean below = whole.startsWith(contextPath);
        String path = below ? whole.substring(contextPath.length()) : "";
        if (!below || (!path.isEmpty() && path.charAt(0) != '/')) {
            response.sendError(404);
            return;
        }
        if (Paths.isPrivate(path)) {
            response.sendError(404);
            return;
        }
        if (path.isEmpty() && !app.registrations().servesContextPath()) {
            redirectToRoot(target);
            return;
        }
        Registrations.Target found = app.registrations().target(path);
        if (found == null) {
            response.sendError(404);
            return;
        }
        Route route =
                new Route(app, target.rawPath(), found.path(), found.mapped(), target.rawQuery());
        request.firstRoute(route);
        try {
            request.findSession(canonical);
        } catch (SessionStore.UnknownException e) {
            askAgain();
            return;
        }
        if (app.settings().sessions().drainDisabled()
                && LoadBalancerDraining.EVERYONE.sendsOn(request, response)) {
            return;
        }
        tellInitialised();
        if (AccessCheck.permits(app, request, response, path.isEmpty() ? "/" : path)) {
            ServletCounts counts = route.servlet().counts();
            if (counts == null) {
                invoke(route);
            } else {
                invokeCounted(route, counts);
            }
        }
    }

    /// Sends the client, or a gateway, on to who may know the session. The application sees nothing
    /// of it: its error page might begin a session in place of the one that is only not found yet.
    private void askAgain() throws IOException {
        response.setStatus(503);
        response.setHeader("Retry-After", "1");
        response.setHeader(SessionStore.UNKNOWN_FIELD, "unknown");
        response.setContentType("text/plain;charset=UTF-8");
        response.getOutputStream().print("The session cannot be looked up now.\n");
    }

    private void invoke(Route route) throws IOException, ServletException {
        FilterPipeline.invoke(
                route.servlet(), route.path(), DispatcherType.REQUEST, request, request, response);
    }

    private void invokeCounted(Route route, ServletCounts counts)
            throws IOException, ServletException {
        long start = System.nanoTime();
        boolean failed = true;
        try {
            invoke(route);
            failed = response.errorPending();
        } finally {
            counts.add(System.nanoTime() - start, failed);
        }
    }

    /// What the request's getters answer before there is a route.
    @Override
    public Route fallbackRoute() {
        RequestTarget target = exchange.request().target();
        var mapped =
                java.util.Objects.requireNonNull(app.registrations().servlets().find("/margay"));
        return new Route(app, target.rawPath(), "/", mapped, target.rawQuery());
    }

    private void redirectToRoot(RequestTarget target) throws IOException {
        String query =
                target.rawQuery() == null ? "" : "?" + PercentEncoding.target(target.rawQuery());
        response.sendRedirect(app.contextPath() + "/" + query, 302, true);
    }

    private void tellInitialised() {
        List<ServletRequestListener> listeners = app.registrations().listeners().requests();
        if (listeners.isEmpty()) {
            return;
        }
        listenersTold = true;
        ServletRequestEvent event = new ServletRequestEvent(app.context(), request);
        for (ServletRequestListener listener : listeners) {
            listener.requestInitialized(event);
        }
    }

    // Later calls

    /// Runs an asynchronous dispatch; called within a task.
    @Override
    public void serveAsync(Dispatcher dispatcher, ServletRequest with, ServletResponse and) {
        try {
            dispatcher.async(request, with, and);
        } catch (Exception | Error e) {
            failed(ErrorDispatch.survivable(e));
        }
    }

    /// A callback failed; called within a task.
    @Override
    public void asyncFailed(Throwable cause) {
        AsyncCycle asynchronous = async;
        if (asynchronous != null) {
            asynchronous.failed(cause);
        }
    }

    // Errors

    private void failed(Throwable thrown) {
        if (response.isRefused()) {
            return; // the answer is made at the end
        }
        AsyncCycle asynchronous = async;
        boolean dispatched = request.getDispatcherType() == DispatcherType.ASYNC;
        if (asynchronous != null && (dispatched || asynchronous.isStarted())) {
            asynchronous.thrown(thrown);
            return;
        }
        showFailure(thrown);
    }

    @Override
    public void showError(int status, @Nullable String message, @Nullable Throwable thrown) {
        errors().show(status, message, thrown, clientLeft());
    }

    @Override
    public void showFailure(Throwable thrown) {
        errors().show(thrown, clientLeft());
    }

    private ErrorDispatch errors() {
        return new ErrorDispatch(app, exchange, request, response);
    }

    private boolean clientLeft() {
        return exchangeEnded || exchange.failure() != null;
    }

    @Override
    public void logFailure(String what, Throwable thrown) {
        Level level = ErrorDispatch.levelOf(thrown, clientLeft());
        app.failures().log(level, what, exchange, thrown);
    }

    // For request and response

    @Override
    public boolean isCommitted() {
        return response.isCommitted();
    }

    @Override
    public boolean maySendSession() {
        return !exchange.committed() && !response.output().isFulfilled();
    }

    @Override
    public void sendSession(Cookie cookie) {
        response.setSessionCookie(cookie);
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void requireOpen() {
        if (over) {
            throw new IllegalStateException("the request has ended");
        }
    }

    @Override
    public boolean isAsync() {
        return async != null;
    }

    @Override
    public boolean isAsyncStarted() {
        AsyncCycle asynchronous = async;
        return asynchronous != null && asynchronous.isStarted();
    }

    @Override
    public @Nullable AsyncContext async() {
        return async;
    }

    @Override
    public AsyncContext startAsync() {
        AsyncCycle asynchronous = openAsync();
        asynchronous.start(request, response, request.firstRoute(), null);
        return asynchronous;
    }

    @Override
    public AsyncContext startAsync(ServletRequest with, ServletResponse and) {
        AsyncCycle asynchronous = openAsync();
        Route target = AsyncCycle.routeOf(with, request);
        String query = target.equals(request.route()) ? request.dispatchQuery() : null;
        asynchronous.start(with, and, target, query);
        return asynchronous;
    }

    /// The asynchronous side, made when it is first needed.
    private AsyncCycle openAsync() {
        if (response.output().isClosed()) {
            throw new IllegalStateException("the response has been closed");
        }
        AsyncCycle existing = async;
        if (existing != null) {
            return existing;
        }
        AsyncCycle created = new AsyncCycle(this, request, response);
        async = created;
        request.share();
        exchange.onEnd(this::exchangeEnded);
        return created;
    }

    private void exchangeEnded() {
        exchangeEnded = true;
        AsyncCycle asynchronous = async;
        if (!over && asynchronous != null) {
            IOException failure = exchange.failure();
            enqueue(() -> {
                if (!over) {
                    asynchronous.failed(
                            failure != null ? failure : new IOException("client is gone"));
                }
            });
        }
    }

    @Override
    public void requireAsync() {
        if (!isAsyncStarted()) {
            throw new IllegalStateException("not asynchronous");
        }
    }

    /// Whether the connection is to be handed over, which sends the response 101.
    @Override
    public boolean isUpgrading() {
        return upgrade != null;
    }

    @Override
    public void upgrade(HttpUpgradeHandler handler) {
        upgrade = new Upgrade(app, exchange, handler);
    }
}
