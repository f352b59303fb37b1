package io.margay.servlet.tomcat;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Lets clients in or keeps them out by blocks of addresses. Written by the starting thread, then
/// immutable.
public final class RemoteCidrFilter implements Filter {
    private @Nullable AccessRule rule;

    @Override
    public void init(FilterConfig config) throws ServletException {
        rule = AccessRule.ofBlocks(InitParams.of(config));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (rule == null) {
            throw new IllegalStateException("the filter has not been initialised");
        }
        rule.apply(AddressSpellings.of(request.getRemoteAddr()), request, response, chain);
    }
}
