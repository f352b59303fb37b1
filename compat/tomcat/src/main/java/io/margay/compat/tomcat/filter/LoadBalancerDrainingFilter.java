package io.margay.compat.tomcat.filter;

import io.margay.servlet.settings.LoadBalancerDraining;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Sends clients without a live session to another server while the load balancer says that this
/// one is disabled. Written by the starting thread, then immutable.
public final class LoadBalancerDrainingFilter implements Filter {
    private LoadBalancerDraining draining = LoadBalancerDraining.EVERYONE;

    public static LoadBalancerDraining read(InitParams params) throws ServletException {
        LoadBalancerDraining read =
                new LoadBalancerDraining(
                        (int) params.number("redirectStatusCode", 307, 300, 399),
                        params.optional("ignoreCookieName"),
                        params.optional("ignoreCookieValue"));
        params.refuseUnknown();
        return read;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        draining = read(InitParams.of(config));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!draining.sendsOn((HttpServletRequest) request, (HttpServletResponse) response)) {
            chain.doFilter(request, response);
        }
    }
}
