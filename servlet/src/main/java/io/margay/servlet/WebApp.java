package io.margay.servlet;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.engine.ContextFacade;
import io.margay.servlet.engine.Lifecycle;
import io.margay.servlet.engine.ServletEngine;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.files.DefaultServlet;
import io.margay.servlet.resource.WebResources;
import io.margay.servlet.session.SessionStore;
import io.margay.servlet.session.SessionTotals;
import io.margay.servlet.settings.WebAppSettings;
import io.margay.servlet.websocket.WebSocketInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One web application: created from its descriptor and files, started, asked, stopped.
///
/// Starting and stopping are for one thread at a time; the handler serves any number of requests at
/// once, and answers 503 while the application does not run.
public final class WebApp {
    private final Application application;
    private final Lifecycle lifecycle;
    private final ServletEngine engine;

    private WebApp(Application application) {
        this.application = application;
        this.lifecycle = new Lifecycle(application);
        this.engine = new ServletEngine(application);
    }

    /// Creates an application that does not run yet.
    ///
    /// @throws WebAppException when the descriptor contradicts itself
    public static WebApp create(
            WebAppDescriptor descriptor,
            WebResources resources,
            ClassLoader loader,
            WebAppSettings settings) {
        Application application =
                new Application(
                        descriptor,
                        resources,
                        loader,
                        settings,
                        new DefaultServlet(resources, settings.listings()));
        application.runtime().context(new ContextFacade(application));
        return new WebApp(application);
    }

    /// What gives an application its WebSocket container, and deploys these endpoints in it. An
    /// application that is deployed from its files has it without being asked.
    public static WebAppSettings.Initializer webSockets(Set<Class<?>> endpoints) {
        return new WebAppSettings.Initializer(new WebSocketInitializer(), endpoints);
    }

    /// Runs initializers, listeners, filters, and the servlets that load on start-up.
    ///
    /// @throws WebAppException when a part of the application refuses to start
    public void start() {
        prepare();
        lifecycle.load(false);
    }

    /// The first part of the start: initializers, listeners and filters. Requests are answered with
    /// 503 until [#load].
    ///
    /// @throws WebAppException when a part of the application refuses to start
    public void prepare() {
        lifecycle.prepare();
    }

    /// The other part: the servlets that load on start-up, all of which must, unlike with [#start],
    /// which leaves one that refuses unavailable. Does nothing where they are there.
    ///
    /// @throws WebAppException when one refuses to start; the application has been stopped then
    public void load() {
        lifecycle.load(true);
    }

    /// Ends what clients would keep up for as long as they like: WebSocket sessions. To be called
    /// before the end of running requests is waited for; from any thread.
    public void leave() {
        lifecycle.leave();
    }

    /// Goes on after [#leave], where the application was not stopped.
    public void rejoin() {
        lifecycle.rejoin();
    }

    /// Waits until no request of another application is in this one by a dispatch.
    ///
    /// @return whether that came before the deadline
    public boolean awaitNoVisitors(Duration deadline) {
        return application.visitors().awaitNone(deadline);
    }

    /// Stops everything in the opposite order. The files and the class loader stay open: they
    /// belong to whoever created them.
    public void stop() {
        lifecycle.stop();
    }

    /// Answers the requests below the context path.
    public Handler handler() {
        return engine;
    }

    /// The application as its own code sees it.
    public ServletContext context() {
        return application.context();
    }

    /// The path below which the application lives; empty for the root.
    public String contextPath() {
        return context().getContextPath();
    }

    /// Takes over the sessions of the previous application of this name: each when a request asks
    /// for it here, while the other goes on with the requests that it has begun. Called before the
    /// first request.
    public void follow(WebApp before) {
        application.follow(before.application);
    }

    /// Takes over the sessions of this application in another process in the same way.
    public void follow(SessionStore.Elsewhere before) {
        application.follow(before);
    }

    /// Gives a session to another process in which this application follows; see
    /// [SessionStore#give].
    public byte @Nullable [] giveSession(String id) throws IOException {
        return application.give(id);
    }

    /// Takes over what is left of the sessions of the application that it follows; called before
    /// that is stopped, or after its process has ended.
    public void followed() {
        application.followed();
    }

    /// Whether a request carries the identifier of a live session of this application. Never waits.
    public boolean knowsSessionOf(Exchange exchange) {
        return application.knowsSessionOf(exchange);
    }

    /// The live sessions, those not yet taken over excepted.
    public Collection<HttpSession> liveSessions() {
        return application.liveSessions();
    }

    /// The number of live sessions.
    public int sessions() {
        return application.sessionCount();
    }

    /// How many sessions there have been.
    public SessionTotals sessionTotals() {
        return application.sessionTotals();
    }

    /// The servlets, and what requests to them have come to. Their requests are counted from the
    /// first call on, for nobody pays for what nobody reads.
    public List<ServletReading> servlets() {
        return application.registrations().servlets().all().stream()
                .map(ServletReading::of)
                .toList();
    }
}
