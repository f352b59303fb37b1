package io.margay.compat.tomcat.removed;

import jakarta.servlet.http.HttpSession;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/// `HttpSessionContext` of Servlet 2.0.
public interface HttpSessionContext {
    @Nullable HttpSession getSession(String id);

    Enumeration<String> getIds();
}
