package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import io.margay.servlet.settings.ForwardedRequests;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Shows the application the client behind a proxy, when the proxy is one that is believed. Written
/// by the starting thread, then immutable.
///
/// From any other peer the forwarding fields are taken away.
public final class RemoteIpFilter implements Filter {
    private static final String LOGGED = "org.apache.catalina.AccessLog.";

    private @Nullable ForwardingRules rules;

    @Override
    public void init(FilterConfig config) throws ServletException {
        rules = ForwardingRules.of(InitParams.of(config));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (rules == null) {
            throw new IllegalStateException("the filter has not been initialised");
        }
        if (!(request instanceof HttpServletRequest http)) {
            chain.doFilter(request, response);
            return;
        }
        HttpServletRequest seen = rules.apply(http);
        request.setAttribute(ForwardedRequests.SECURE, seen.isSecure());
        if (rules.requestAttributes()) {
            request.setAttribute(LOGGED + "RemoteAddr", seen.getRemoteAddr());
            request.setAttribute(LOGGED + "RemoteHost", seen.getRemoteHost());
            request.setAttribute(LOGGED + "Protocol", seen.getProtocol());
            request.setAttribute(LOGGED + "ServerName", seen.getServerName());
            request.setAttribute(LOGGED + "ServerPort", seen.getServerPort());
        }
        chain.doFilter(seen, response);
    }
}
