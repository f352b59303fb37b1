package io.margay.servlet.engine.async;

import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.application.Route;
import io.margay.servlet.engine.dispatch.Dispatcher;
import io.margay.servlet.engine.request.ServerRequest;
import io.margay.servlet.engine.response.ServerResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The asynchronous side of one request (Servlet 6.1 §2.3.3.3). Any thread may call it; `lock`
/// guards its state and is never held while application code runs.
///
/// What follows from a call (a dispatch, the end, a timeout) is a task of its `RequestCycle`. Tasks
/// run one after the other, the first one being the container's own call of the servlet, so that
/// nothing takes effect before the dispatch that started it has returned.
///
/// ```
/// state      | startAsync | dispatch()  | complete()  | task                     | timeout, error
/// -----------+------------+-------------+-------------+--------------------------+---------------
/// IDLE       | STARTED    | refused     | refused     |                          | TELLING
/// STARTED    | refused    | DISPATCHED  | COMPLETED   | its end arms the timeout | TELLING
/// TELLING    | refused    | DISPATCHED  | COMPLETED   | listeners, error page,   | logged
///            |            |             |             |   then COMPLETED         |
/// DISPATCHED | refused    | refused     | refused     | runs the target as IDLE  | logged
/// COMPLETED  | refused    | refused     | refused     | ends the response        | logged
/// ```
public final class AsyncCycle implements AsyncContext {
    private enum State {
        /// Not asynchronous now: a dispatch runs that may start it.
        IDLE,
        STARTED,
        /// Listeners are being told of a timeout or an error.
        TELLING,
        DISPATCHED,
        COMPLETED
    }

    private final AsyncScope cycle;
    private final ServerRequest ownRequest;
    private final ServerResponse ownResponse;
    private final Application app;
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.IDLE;
    private List<Registered> listeners = new ArrayList<>();
    private long timeoutMillis;
    private @Nullable ScheduledFuture<?> timer;
    private int starts;

    /// Whether the dispatch that started it has returned.
    private boolean returned;

    private ServletRequest request;
    private ServletResponse response;
    private @Nullable Route dispatchRoute;
    private @Nullable String dispatchQuery;
    private @Nullable Dispatcher target;

    private record Registered(
            AsyncListener listener,
            @Nullable ServletRequest request,
            @Nullable ServletResponse response) {}

    /// One of the four notifications.
    @FunctionalInterface
    private interface Telling {
        void tell(AsyncListener listener, AsyncEvent event) throws IOException;
    }

    public AsyncCycle(AsyncScope cycle, ServerRequest request, ServerResponse response) {
        this.cycle = cycle;
        this.ownRequest = request;
        this.ownResponse = response;
        this.app = request.home();
        this.request = request;
        this.response = response;
    }

    // For the engine

    /// Begins a cycle with these objects; `route` is where `dispatch()` goes, and `query` what the
    /// dispatches on the way there have added to the parameters.
    public void start(
            ServletRequest with, ServletResponse and, Route route, @Nullable String query) {
        List<Registered> before;
        lock.lock();
        try {
            if (state != State.IDLE) {
                throw new IllegalStateException("the request is asynchronous already");
            }
            state = State.STARTED;
            before = listeners;
            listeners = new ArrayList<>();
            timeoutMillis = app.settings().limits().asyncTimeout().toMillis();
            request = with;
            response = and;
            dispatchRoute = route;
            dispatchQuery = query;
            returned = false;
            starts++;
        } finally {
            lock.unlock();
        }
        tell(before, null, AsyncListener::onStartAsync);
    }

    /// Whether the request goes on after the current task.
    public boolean isHolding() {
        lock.lock();
        try {
            return state == State.STARTED || state == State.DISPATCHED;
        } finally {
            lock.unlock();
        }
    }

    /// Whether it has been started and its dispatch not begun.
    public boolean isStarted() {
        lock.lock();
        try {
            return state != State.IDLE;
        } finally {
            lock.unlock();
        }
    }

    /// The dispatch that started it has returned: from now on it may time out.
    public void armTimeout() {
        lock.lock();
        try {
            if (state == State.STARTED && !returned) {
                returned = true;
                if (timeoutMillis > 0) {
                    int mine = starts;
                    timer =
                            app.runtime()
                                    .timer()
                                    .after(
                                            timeoutMillis,
                                            () -> cycle.enqueue(() -> timedOut(mine)));
                }
            }
        } catch (java.util.concurrent.RejectedExecutionException e) {
            app.log("no timeout for a request while the application stops", e);
        } finally {
            lock.unlock();
        }
    }

    /// A dispatch has thrown, perhaps after it had asked for another one or for the end, neither of
    /// which has begun: the failure takes its place. Runs in a task.
    public void thrown(Throwable cause) {
        lock.lock();
        try {
            if (!returned && (state == State.DISPATCHED || state == State.COMPLETED)) {
                state = State.STARTED;
                target = null;
            }
        } finally {
            lock.unlock();
        }
        failed(cause);
    }

    /// Something failed: in a dispatch, in a callback, or below. Runs in a task.
    public void failed(Throwable cause) {
        lock.lock();
        try {
            if (state != State.STARTED && state != State.IDLE) {
                cycle.logFailure("an asynchronous request failed", cause);
                return;
            }
            state = State.TELLING;
            cancelTimer();
        } finally {
            lock.unlock();
        }
        tell(listeners, cause, AsyncListener::onError);
        concludeTelling(cause);
    }

    private void timedOut(int start) {
        lock.lock();
        try {
            if (state != State.STARTED || starts != start) {
                return;
            }
            state = State.TELLING;
        } finally {
            lock.unlock();
        }
        tell(listeners, null, AsyncListener::onTimeout);
        concludeTelling(null);
    }

    private void concludeTelling(@Nullable Throwable cause) {
        if (!isTelling()) {
            return;
        }
        if (cause == null && ownResponse.errorPending()) {
            cycle.showError(ownResponse.getStatus(), ownResponse.errorMessage(), null);
        } else if (cause == null) {
            cycle.showError(500, null, null);
        } else {
            cycle.showFailure(cause);
        }
        lock.lock();
        try {
            if (state == State.TELLING) {
                state = State.COMPLETED;
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isTelling() {
        lock.lock();
        try {
            return state == State.TELLING;
        } finally {
            lock.unlock();
        }
    }

    /// The response is about to end.
    public void tellComplete() {
        tell(listeners, null, AsyncListener::onComplete);
    }

    private void tell(List<Registered> told, @Nullable Throwable cause, Telling telling) {
        for (Registered registered : List.copyOf(told)) {
            AsyncEvent event =
                    new AsyncEvent(this, registered.request(), registered.response(), cause);
            try {
                telling.tell(registered.listener(), event);
            } catch (IOException | RuntimeException | LinkageError e) {
                app.log("an asynchronous listener failed", e);
            }
        }
    }

    private void cancelTimer() {
        ScheduledFuture<?> pending = timer;
        if (pending != null) {
            pending.cancel(false);
            timer = null;
        }
    }

    private void runDispatch() {
        Dispatcher dispatcher;
        lock.lock();
        try {
            dispatcher = target;
            target = null;
            if (state != State.DISPATCHED || dispatcher == null) {
                return;
            }
            state = State.IDLE;
        } finally {
            lock.unlock();
        }
        cycle.serveAsync(dispatcher, request, response);
    }

    // AsyncContext

    @Override
    public ServletRequest getRequest() {
        requireAlive();
        return request;
    }

    @Override
    public ServletResponse getResponse() {
        requireAlive();
        return response;
    }

    private void requireAlive() {
        lock.lock();
        try {
            if (state == State.DISPATCHED || state == State.COMPLETED) {
                throw new IllegalStateException("dispatched or completed already");
            }
        } finally {
            lock.unlock();
        }
        cycle.requireOpen();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return request == ownRequest && response == ownResponse;
    }

    @Override
    public void dispatch() {
        Route route = dispatchRoute;
        if (route == null) {
            throw new IllegalStateException("the request is not asynchronous");
        }
        go(Dispatcher.again(route, dispatchQuery));
    }

    @Override
    public void dispatch(String path) {
        dispatch(ownRequest.getServletContext(), path);
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        if (path == null || !path.startsWith("/")) {
            throw new IllegalArgumentException("path '" + path + "' does not start with '/'");
        }
        if (context.getRequestDispatcher(path) instanceof Dispatcher dispatcher) {
            go(dispatcher);
        } else {
            throw new IllegalArgumentException("no resource to dispatch to");
        }
    }

    private void go(Dispatcher dispatcher) {
        lock.lock();
        try {
            if (state != State.STARTED && state != State.TELLING) {
                throw new IllegalStateException("not started, or dispatched or completed already");
            }
            state = State.DISPATCHED;
            target = dispatcher;
            cancelTimer();
        } finally {
            lock.unlock();
        }
        cycle.enqueue(this::runDispatch);
    }

    @Override
    public void complete() {
        lock.lock();
        try {
            if (state != State.STARTED && state != State.TELLING) {
                throw new IllegalStateException("not started, or dispatched or completed already");
            }
            state = State.COMPLETED;
            cancelTimer();
        } finally {
            lock.unlock();
        }
        // The end of any task ends a completed request.
        cycle.enqueue(() -> {});
    }

    @Override
    public void start(Runnable task) {
        requireAlive();
        Thread.ofVirtual().name("margay-async").start(() -> run(task));
    }

    private void run(Runnable task) {
        ClassLoader before = app.runtime().enter();
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            cycle.enqueue(() -> failed(e));
        } finally {
            app.runtime().leave(before);
        }
    }

    @Override
    public void addListener(AsyncListener listener) {
        add(new Registered(listener, null, null));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest req, ServletResponse res) {
        add(new Registered(listener, req, res));
    }

    private void add(Registered registered) {
        lock.lock();
        try {
            requireNotReturned();
            listeners.add(registered);
        } finally {
            lock.unlock();
        }
    }

    private void requireNotReturned() {
        cycle.requireOpen();
        boolean callable =
                switch (state) {
                    case IDLE -> false;
                    case TELLING -> true;
                    // What a dispatch has already asked for begins when it returns.
                    case STARTED, DISPATCHED, COMPLETED -> !returned;
                };
        if (!callable) {
            throw new IllegalStateException("the dispatch that called startAsync has returned");
        }
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return app.runtime().create(type);
    }

    @Override
    public void setTimeout(long millis) {
        lock.lock();
        try {
            requireNotReturned();
            timeoutMillis = millis;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long getTimeout() {
        return timeoutMillis;
    }

    /// Where `dispatch()` goes when the request was started with objects of the application's own.
    public static Route routeOf(ServletRequest given, ServerRequest base) {
        if (!(given instanceof HttpServletRequest http)) {
            return base.firstRoute();
        }
        Route now = base.route();
        String uri = http.getRequestURI();
        String prefix = now.app().contextPath();
        if (uri == null || uri.equals(now.uri()) || !uri.startsWith(prefix)) {
            return now;
        }
        Dispatcher dispatcher = Dispatcher.of(now.app(), uri.substring(prefix.length()));
        Route route = dispatcher == null ? null : dispatcher.route();
        return route == null ? now : route.withQuery(http.getQueryString());
    }
}
