package io.margay.servlet.compat;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;

/// Logs the line of each request and the status of its answer for debugging, in the place of
/// Tomcat's RequestDumperFilter, which writes out credentials too. Thread-safe.
public final class RequestLogFilter extends HttpFilter {
    private static final System.Logger LOG = System.getLogger(RequestLogFilter.class.getName());

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        LOG.log(
                Level.DEBUG,
                "{0} {1} from {2}: {3}",
                request.getMethod(),
                request.getRequestURI(),
                request.getRemoteAddr(),
                response.getStatus());
    }
}
