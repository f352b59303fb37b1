package io.margay.compat.tomcat.removed;

import jakarta.servlet.Servlet;
import jakarta.servlet.UnavailableException;
import org.jspecify.annotations.Nullable;

/// `UnavailableException` with the constructors that name the servlet. Immutable.
public class ServletUnavailable extends UnavailableException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Servlet servlet;

    public ServletUnavailable(@Nullable Servlet servlet, @Nullable String message) {
        super(message);
        this.servlet = servlet;
    }

    public ServletUnavailable(int seconds, @Nullable Servlet servlet, @Nullable String message) {
        super(message, seconds);
        this.servlet = servlet;
    }

    public ServletUnavailable(@Nullable String message) {
        super(message);
        servlet = null;
    }

    public ServletUnavailable(@Nullable String message, int seconds) {
        super(message, seconds);
        servlet = null;
    }

    public @Nullable Servlet getServlet() {
        return servlet;
    }
}
