package io.margay.servlet.websocket;

import io.margay.servlet.settings.ContainerFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Answers handshakes behind the application's own filters; requests of an application without
/// endpoints do not pass it. Thread-safe. Its life is that of the endpoints.
final class WebSocketFilter implements ContainerFilter {
    private final EndpointRegistry endpoints;

    WebSocketFilter(EndpointRegistry endpoints) {
        this.endpoints = endpoints;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        endpoints.start();
    }

    @Override
    public boolean isNeeded() {
        return endpoints.isNeeded();
    }

    @Override
    public void leave() {
        endpoints.sessions().leave();
    }

    @Override
    public void rejoin() {
        endpoints.sessions().rejoin();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean answered =
                request instanceof HttpServletRequest asked
                        && response instanceof HttpServletResponse answer
                        && Handshake.isAskedFor(asked)
                        && answer(asked, answer);
        if (!answered) {
            chain.doFilter(request, response);
        }
    }

    private boolean answer(HttpServletRequest asked, HttpServletResponse answer)
            throws IOException, ServletException {
        if (endpoints.sessions().areEnding()) {
            answer.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return true;
        }
        return endpoints.tyrus().upgrade(asked, answer);
    }

    @Override
    public void destroy() {
        endpoints.stop();
    }
}
