package io.margay.servlet.tomcat;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets clients in or keeps them out by a regular expression for their host name, which is their
/// address where names are not looked up. Written by the starting thread, then immutable.
public final class RemoteHostFilter implements Filter {
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
        rule.apply(hostOf(request), request, response, chain);
    }

    private static List<String> hostOf(ServletRequest request) {
        String host = request.getRemoteHost();
        return host == null || host.isEmpty() ? List.of() : List.of(host);
    }
}
