package io.margay.compat.tomcat.filter;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;

/// Answers 400 when the parameters of a request cannot be read, instead of leaving it to the first
/// servlet that asks for one (Servlet 6.1 §3.1). Stateless.
public final class FailedRequestFilter implements Filter {
    private static final System.Logger LOG = System.getLogger(FailedRequestFilter.class.getName());

    @Override
    public void init(FilterConfig config) throws ServletException {
        InitParams.of(config).refuseUnknown();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (parametersCanBeRead(request)) {
            chain.doFilter(request, response);
        } else {
            ((HttpServletResponse) response).sendError(HttpServletResponse.SC_BAD_REQUEST);
        }
    }

    private static boolean parametersCanBeRead(ServletRequest request) {
        try {
            request.getParameterMap();
            return true;
        } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "the parameters cannot be read", e);
            return false;
        }
    }
}
