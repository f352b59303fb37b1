package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets clients in or keeps them out by a rule. Written by the starting thread, then immutable.
abstract sealed class AccessFilter implements Filter
        permits RemoteAddrFilter, RemoteCidrFilter, RemoteHostFilter {
    private @Nullable AccessRule rule;

    @Override
    public final void init(FilterConfig config) throws ServletException {
        rule = rule(InitParams.of(config));
    }

    abstract AccessRule rule(InitParams params) throws ServletException;

    @Override
    public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (rule == null) {
            throw new IllegalStateException("the filter has not been initialised");
        }
        rule.apply(spellings(request), request, response, chain);
    }

    /// What the client is known by, as the rule may have it.
    List<String> spellings(ServletRequest request) {
        return AddressSpellings.of(request.getRemoteAddr());
    }
}
