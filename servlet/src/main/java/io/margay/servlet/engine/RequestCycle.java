package io.margay.servlet.engine;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.Status;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.RequestBodyException;
import io.margay.servlet.security.AccessRequirement;
import io.margay.servlet.security.Authenticator;
import io.margay.servlet.tomcat.LoadBalancerDraining;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.UnavailableException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One exchange on its way through an application, from the first call to the end of the response.
///
/// Everything the container does for a request is a turn: the first call of the servlet, callbacks,
/// asynchronous dispatches, the end. Turns run one at a time, in order, each on a thread that may
/// wait. `lock` guards the queue of turns and is not held while one runs.
final class RequestCycle implements Runnable {
    private final Application app;
    private final Exchange exchange;
    private final ServerRequest request;
    private final ServerResponse response;

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Queue<Runnable> turns;
    private boolean running = true;

    /// Whether a thread has been asked to run turns and has not begun.
    private boolean due;

    /// Who runs a turn now. Only compared with the thread that reads it, which alone writes that
    /// value: so it needs no order among threads.
    private @Nullable Thread turning;

    private volatile @Nullable AsyncCycle async;
    private @Nullable Upgrade upgrade;
    private volatile boolean exchangeEnded;
    private volatile boolean over;
    private boolean listenersTold;
    private @Nullable UnavailableException unavailable;

    RequestCycle(Application app, Exchange exchange) {
        this.app = app;
        this.exchange = exchange;
        this.request = new ServerRequest(this, exchange);
        this.response = new ServerResponse(this, exchange, app);
    }

    // Turns

    /// The first turn, on the thread that the exchange gave.
    @Override
    public void run() {
        take(this::serve);
        drain();
    }

    /// Runs a task after the turns before it.
    void turn(Runnable task) {
        lock.lock();
        try {
            if (turns == null) {
                turns = new ArrayDeque<>(2);
            }
            turns.add(task);
            if (running) {
                return;
            }
            running = true;
            due = true;
        } finally {
            lock.unlock();
        }
        if (exchangeEnded) {
            drainElsewhere();
            return;
        }
        try {
            exchange.dispatch(this::drainDue);
        } catch (IllegalStateException e) {
            app.logger().log(Level.DEBUG, "the exchange ended before its request", e);
            drainElsewhere();
        }
    }

    /// An exchange that has ended runs no tasks, not even those it has accepted.
    private void drainElsewhere() {
        Thread.ofVirtual().name("margay-turn").start(this::drainDue);
    }

    private void drainDue() {
        if (takeDue()) {
            drain();
        }
    }

    private boolean takeDue() {
        lock.lock();
        try {
            boolean mine = due;
            due = false;
            return mine;
        } finally {
            lock.unlock();
        }
    }

    private boolean isDue() {
        lock.lock();
        try {
            return due;
        } finally {
            lock.unlock();
        }
    }

    private void drain() {
        Runnable next = nextTurn();
        while (next != null) {
            take(next);
            next = nextTurn();
        }
    }

    private @Nullable Runnable nextTurn() {
        lock.lock();
        try {
            Runnable next = turns == null ? null : turns.poll();
            running = next != null;
            return next;
        } finally {
            lock.unlock();
        }
    }

    /// One turn, and what follows from it. The catch ladder of the container.
    private void take(Runnable task) {
        ClassLoader before = app.enter();
        turning = Thread.currentThread();
        try {
            task.run();
            settle();
        } catch (RuntimeException | Error e) {
            app.log("a request ended abnormally", e);
            abort();
            if (e instanceof VirtualMachineError) {
                throw e;
            }
        } finally {
            turning = null;
            app.leave(before);
        }
    }

    /// Whether the calling thread runs a turn.
    boolean inTurn() {
        return Thread.currentThread().equals(turning);
    }

    /// Runs a task when the exchange has ended, after the turn that may be running.
    void lastTurn(Runnable task) {
        exchangeEnded = true;
        turn(task);
        if (isDue()) {
            drainElsewhere();
        }
    }

    /// Decides after each turn whether the request goes on.
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
            upgrade.start();
        } else {
            complete();
        }
    }

    private void complete() {
        AsyncCycle asynchronous = async;
        if (asynchronous != null) {
            asynchronous.tellComplete();
        }
        tellDestroyed();
        try {
            if (exchange.failure() != null || exchangeEnded) {
                exchange.abort();
            } else {
                response.finish();
            }
        } catch (IOException e) {
            app.logger().log(Level.DEBUG, "the client left before the response was sent", e);
            exchange.abort();
        } finally {
            end();
        }
    }

    private void tellDestroyed() {
        List<ServletRequestListener> listeners = app.listeners().requests();
        if (!listenersTold || listeners.isEmpty()) {
            return;
        }
        listenersTold = false;
        ServletRequestEvent event = new ServletRequestEvent(app.facade(), request);
        for (int i = listeners.size() - 1; i >= 0; i--) {
            try {
                listeners.get(i).requestDestroyed(event);
            } catch (RuntimeException | LinkageError e) {
                app.log("a request listener failed in requestDestroyed", e);
            }
        }
    }

    private void abort() {
        exchange.abort();
        if (!over) {
            end();
        }
    }

    /// Lets go of everything; the request's objects are of no use from now on.
    void end() {
        lock.lock();
        try {
            if (over) {
                return;
            }
            over = true;
        } finally {
            lock.unlock();
        }
        request.release();
        response.release();
    }

    // The first call

    private void serve() {
        try {
            route();
        } catch (Exception | Error e) {
            failed(survivable(e));
        }
    }

    /// What a request may throw without harm to others; the rest is thrown on.
    private static Throwable survivable(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal
                && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
        return thrown;
    }

    private void route() throws IOException, ServletException {
        RequestTarget target = exchange.request().target();
        CanonicalPath canonical = exchange.path();
        if (!app.isRunning()) {
            response.sendError(503);
            return;
        }
        if (target.form() == RequestTarget.Form.ASTERISK) {
            response.setHeader("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS");
            return;
        }
        if (canonical.error() != null) {
            response.sendError(400);
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
        if (path.isEmpty()) {
            redirectToRoot(target);
            return;
        }
        Application.Target found = app.target(path);
        if (found == null) {
            response.sendError(404);
            return;
        }
        Route route =
                new Route(app, target.rawPath(), found.path(), found.mapped(), target.rawQuery());
        request.firstRoute(route);
        request.findSession(canonical);
        if (app.settings().sessions().drainDisabled()
                && LoadBalancerDraining.EVERYONE.sendsOn(request, response)) {
            return;
        }
        tellInitialised();
        if (isPermitted(path, route)) {
            Dispatcher.invoke(
                    route.servlet(),
                    route.path(),
                    DispatcherType.REQUEST,
                    request,
                    request,
                    response);
        }
    }

    /// What the request's getters answer before there is a route.
    Route fallbackRoute() {
        RequestTarget target = exchange.request().target();
        var mapped = java.util.Objects.requireNonNull(app.servlets().find("/margay"));
        return new Route(app, target.rawPath(), "/", mapped, target.rawQuery());
    }

    private void redirectToRoot(RequestTarget target) throws IOException {
        String query = target.rawQuery() == null ? "" : "?" + target.rawQuery();
        response.sendRedirect(app.contextPath() + "/" + query, 302, true);
    }

    private void tellInitialised() {
        List<ServletRequestListener> listeners = app.listeners().requests();
        if (listeners.isEmpty()) {
            return;
        }
        listenersTold = true;
        ServletRequestEvent event = new ServletRequestEvent(app.facade(), request);
        for (ServletRequestListener listener : listeners) {
            listener.requestInitialized(event);
        }
    }

    private boolean isPermitted(String path, Route route) throws IOException, ServletException {
        Authenticator authenticator = app.authenticator();
        if (authenticator != null) {
            authenticator.recall(request, request.identity());
        }
        String method = request.getMethod();
        AccessRequirement requirement = app.constraints().requirement(method, path);
        if (!path.equals(route.path())) {
            requirement = requirement.and(app.constraints().requirement(method, route.path()));
        }
        if (requirement.confidential() && !requirement.denied() && !request.isSecure()) {
            toSecure(method);
            return false;
        }
        if (authenticator != null) {
            return authenticator.authorize(request, response, request.identity(), requirement)
                    == Authenticator.Decision.PROCEED;
        }
        boolean refused = requirement.denied() || requirement.needsUser();
        if (refused) {
            response.sendError(403);
        }
        return !refused;
    }

    /// Sends the client where it can have confidentially what it asked for in the clear. What it
    /// posted has been read on the way, and is not sent twice.
    private void toSecure(String method) throws IOException {
        int port = app.settings().securePort();
        if (port == 0 || !(method.equals("GET") || method.equals("HEAD"))) {
            response.sendError(403);
            return;
        }
        String query = request.getQueryString();
        response.sendRedirect(
                "https://"
                        + request.getServerName()
                        + (port == 443 ? "" : ":" + port)
                        + request.getRequestURI()
                        + (query == null ? "" : "?" + query),
                302,
                true);
    }

    // Later calls

    /// Runs an asynchronous dispatch; called within a turn.
    void serveAsync(Dispatcher dispatcher, ServletRequest with, ServletResponse and) {
        try {
            dispatcher.async(request, with, and);
        } catch (Exception | Error e) {
            failed(survivable(e));
        }
    }

    /// A callback failed; called within a turn.
    void asyncFailed(Throwable cause) {
        AsyncCycle asynchronous = async;
        if (asynchronous != null) {
            asynchronous.failed(cause);
        } else if (upgrade != null) {
            upgrade.close();
        }
    }

    // Errors

    private void failed(Throwable thrown) {
        AsyncCycle asynchronous = async;
        boolean dispatched = request.getDispatcherType() == DispatcherType.ASYNC;
        if (asynchronous != null && (dispatched || asynchronous.isStarted())) {
            asynchronous.failed(thrown);
            return;
        }
        showError(statusOf(thrown), null, thrown);
    }

    private int statusOf(Throwable thrown) {
        Throwable cause = ErrorPages.rootCause(thrown);
        return switch (cause) {
            case BadRequestException bad -> bad.status();
            case RequestBodyException bad -> bad.error().status();
            case UnavailableException u when u.isPermanent() -> 404;
            case UnavailableException u -> {
                if (!exchange.committed()) {
                    exchange.fields()
                            .set("Retry-After", "" + Math.max(1, u.getUnavailableSeconds()));
                }
                yield 503;
            }
            default -> 500;
        };
    }

    /// Answers with an error page (Servlet 6.1 §10.9), or breaks off when the head has left. What
    /// the application had ended is left as it is.
    void showError(int status, @Nullable String message, @Nullable Throwable thrown) {
        if (thrown != null) {
            report(status, thrown);
        }
        if (exchange.committed()) {
            app.logger().log(Level.DEBUG, "an error came after the response was committed");
            if (!response.output().isClosed()) {
                exchange.abort();
            }
            return;
        }
        response.prepareError(status);
        ErrorPages.Found page = app.errorPages().find(status, thrown);
        if (page != null && showPage(page, status, message)) {
            return;
        }
        showDefaultPage(status, message, thrown);
    }

    private void report(int status, Throwable thrown) {
        String servlet = request.route().servlet().getName();
        Throwable cause = ErrorPages.rootCause(thrown);
        Level level = status < 500 ? Level.DEBUG : levelOf(cause);
        app.logger().log(level, "servlet " + servlet + " failed", cause);
    }

    /// What a client brings about, by leaving or by what it sends, is no matter for operators.
    Level levelOf(Throwable thrown) {
        boolean left = exchangeEnded || exchange.failure() != null;
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < 32; depth++) {
            boolean sent =
                    cause instanceof RequestBodyException || cause instanceof BadRequestException;
            if (sent || (left && cause instanceof IOException)) {
                return Level.DEBUG;
            }
            cause = cause.getCause();
        }
        return Level.ERROR;
    }

    private boolean showPage(ErrorPages.Found page, int status, @Nullable String message) {
        Dispatcher dispatcher = app.dispatcher(page.location());
        if (dispatcher == null) {
            app.logger().log(Level.WARNING, "error page {0} leads nowhere", page.location());
            return false;
        }
        Route failed = request.firstRoute();
        Map<String, @Nullable Object> shown = new HashMap<>();
        shown.put(RequestDispatcher.ERROR_STATUS_CODE, status);
        shown.put(RequestDispatcher.ERROR_MESSAGE, errorText(message, page.exception()));
        shown.put(RequestDispatcher.ERROR_REQUEST_URI, failed.uri());
        shown.put(RequestDispatcher.ERROR_QUERY_STRING, failed.query());
        shown.put(RequestDispatcher.ERROR_METHOD, exchange.request().method());
        shown.put(RequestDispatcher.ERROR_SERVLET_NAME, failed.servlet().getName());
        Throwable exception = page.exception();
        if (exception != null) {
            shown.put(RequestDispatcher.ERROR_EXCEPTION, exception);
            shown.put(RequestDispatcher.ERROR_EXCEPTION_TYPE, exception.getClass());
        }
        try {
            dispatcher.error(request, response, shown);
            if (!response.errorPending()) {
                return true;
            }
        } catch (Exception | Error e) {
            app.log("error page " + page.location() + " failed", survivable(e));
        }
        if (exchange.committed()) {
            exchange.abort();
            return true;
        }
        response.prepareError(status);
        return false;
    }

    private static String errorText(@Nullable String message, @Nullable Throwable exception) {
        if (message != null) {
            return message;
        }
        String text = exception == null ? null : exception.getMessage();
        return text == null ? "" : text;
    }

    private void showDefaultPage(int status, @Nullable String message, @Nullable Throwable thrown) {
        if (status < 400 || exchange.committed()) {
            return;
        }
        Throwable details = app.settings().errorDetails() ? thrown : null;
        byte[] page = DefaultErrorPage.render(status, Status.reason(status), message, details);
        response.setContentType("text/html;charset=utf-8");
        response.setHeader("Content-Language", "en");
        try {
            response.getOutputStream().write(page);
        } catch (IOException e) {
            app.logger().log(Level.DEBUG, "the client left before the error page was sent", e);
        }
    }

    // Parts

    Application app() {
        return app;
    }

    Exchange exchange() {
        return exchange;
    }

    ServerRequest request() {
        return request;
    }

    ServerResponse response() {
        return response;
    }

    boolean isOver() {
        return over;
    }

    void requireOpen() {
        if (over) {
            throw new IllegalStateException("the request has ended");
        }
    }

    /// Whether an outer dispatch sees what an inner one has dealt with already.
    @SuppressWarnings("ReferenceEquality")
    boolean isKnown(UnavailableException thrown) {
        return unavailable == thrown;
    }

    void unavailable(UnavailableException thrown) {
        unavailable = thrown;
    }

    @Nullable AsyncCycle async() {
        return async;
    }

    /// The asynchronous side, made when it is first needed.
    AsyncCycle openAsync() {
        AsyncCycle existing = async;
        if (existing != null) {
            return existing;
        }
        AsyncCycle created = new AsyncCycle(this);
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
            turn(() -> {
                if (!over) {
                    asynchronous.failed(
                            failure != null ? failure : new IOException("client is gone"));
                }
            });
            if (isDue()) {
                drainElsewhere();
            }
        }
    }

    void requireAsync() {
        AsyncCycle asynchronous = async;
        boolean started = asynchronous != null && asynchronous.isStarted();
        if (!started && upgrade == null) {
            throw new IllegalStateException("neither asynchronous nor upgraded");
        }
    }

    /// Whether the connection is to be handed over, which sends the response 101.
    boolean isUpgrading() {
        return upgrade != null;
    }

    void upgrade(Upgrade wanted) {
        upgrade = wanted;
    }
}
