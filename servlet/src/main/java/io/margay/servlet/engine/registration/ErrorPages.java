package io.margay.servlet.engine.registration;

import io.margay.servlet.descriptor.WebAppDescriptor.ErrorPage;
import jakarta.servlet.ServletException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where errors are shown (Servlet 6.1 §10.9). Immutable.
public final class ErrorPages {
    /// Exceptions wrapped in each other that are looked into; a chain may be a ring.
    private static final int DEPTH_MAX = 32;

    private final Map<Integer, String> byStatus = new HashMap<>();
    private final Map<String, String> byException = new HashMap<>();
    private @Nullable String fallback;

    ErrorPages(List<ErrorPage> pages) {
        for (ErrorPage page : pages) {
            Integer status = page.status();
            String exceptionClass = page.exceptionClass();
            if (status != null) {
                byStatus.putIfAbsent(status, page.location());
            } else if (exceptionClass != null) {
                byException.putIfAbsent(exceptionClass, page.location());
            } else if (fallback == null) {
                fallback = page.location();
            }
        }
    }

    /// A page with the exception that it is for.
    public record Found(String location, @Nullable Throwable exception) {}

    /// The page for an exception: of its class or the nearest superclass; then, for a
    /// `ServletException`, of what it wraps, level by level; then of the status; then the default
    /// page.
    public @Nullable Found find(int status, @Nullable Throwable exception) {
        Throwable cause = exception;
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            String location = ofClass(cause.getClass());
            if (location != null) {
                return new Found(location, cause);
            }
            cause = cause instanceof ServletException wrapper ? wrapper.getRootCause() : null;
        }
        String location = byStatus.getOrDefault(status, fallback);
        return location == null ? null : new Found(location, exception);
    }

    private @Nullable String ofClass(Class<?> exceptionClass) {
        for (Class<?> c = exceptionClass; c != null; c = c.getSuperclass()) {
            String location = byException.get(c.getName());
            if (location != null) {
                return location;
            }
        }
        return null;
    }

    /// What a chain of `ServletException` was made of.
    public static Throwable rootCause(Throwable exception) {
        Throwable cause = exception;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            if (!(cause instanceof ServletException wrapper) || wrapper.getRootCause() == null) {
                break;
            }
            cause = wrapper.getRootCause();
        }
        return cause;
    }
}
