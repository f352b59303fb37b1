package io.margay.servlet.engine.request;

import io.margay.servlet.engine.application.Route;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpUpgradeHandler;
import org.jspecify.annotations.Nullable;

/// What a request and its response ask of the cycle that both are part of.
public interface RequestScope extends RequestLife {
    /// What the request's getters answer before there is a route.
    Route fallbackRoute();

    /// Whether the response has been committed.
    boolean isCommitted();

    // Sessions

    /// Whether the response can still tell the client of a new session.
    boolean maySendSession();

    /// Tells the client the identifier of its session.
    void sendSession(Cookie cookie);

    // Asynchronous processing and upgrade

    /// Whether the request has been asynchronous, so that several threads may know it.
    boolean isAsync();

    /// Whether it has been made asynchronous, and has not been dispatched since.
    boolean isAsyncStarted();

    /// The asynchronous side, or null when there was none.
    @Nullable AsyncContext async();

    /// Makes it asynchronous with its own request and response.
    AsyncContext startAsync();

    /// Makes it asynchronous with these objects.
    AsyncContext startAsync(ServletRequest with, ServletResponse and);

    /// Hands the connection over to a handler at the end of the servlet's call.
    void upgrade(HttpUpgradeHandler handler);

    /// Whether the connection is to be handed over, which sends the response 101.
    boolean isUpgrading();
}
