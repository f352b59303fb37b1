package io.margay.servlet.tomcat;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Lets clients in or keeps them out by a regular expression for their address. Written by the
/// starting thread, then immutable.
///
/// An address is tried in full and in short: `::1` and `0:0:0:0:0:0:0:1` are one.
public final class RemoteAddrFilter implements Filter {
    private @Nullable AccessRule rule;

    @Override
    public void init(FilterConfig config) throws ServletException {
        rule = AccessRule.ofPatterns(InitParams.of(config));
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
