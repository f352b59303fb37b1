package io.margay.compat.tomcat.filter;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/// Begins a session before the request is served, for WebSocket end points that want one at their
/// handshake. Stateless.
public final class SessionInitializerFilter implements Filter {
    @Override
    public void init(FilterConfig config) throws ServletException {
        InitParams.of(config).warnOfUnknown();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http) {
            http.getSession();
        }
        chain.doFilter(request, response);
    }
}
