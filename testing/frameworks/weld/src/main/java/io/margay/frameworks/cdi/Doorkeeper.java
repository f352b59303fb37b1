package io.margay.frameworks.cdi;

import jakarta.inject.Inject;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Asks a bean who may come in.
@WebFilter("/greet")
public class Doorkeeper extends HttpFilter {
    private static final long serialVersionUID = 1L;

    private transient @Nullable Rights rights;

    @Inject
    void rights(Rights given) {
        rights = given;
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (Objects.requireNonNull(rights).mayEnter(request.getParameter("name"))) {
            chain.doFilter(request, response);
        } else {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        }
    }
}
