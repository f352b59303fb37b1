package io.margay.compat.tomcat.removed;

import static java.util.Objects.requireNonNull;

import jakarta.el.ELContext;
import jakarta.el.ELResolver;
import jakarta.el.MethodExpression;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.jsp.JspContext;
import jakarta.servlet.jsp.JspException;
import java.lang.reflect.Method;
import java.util.Enumeration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Calls of removed methods: those of the receiver's own class, if it overrides them, else what
/// they did in Tomcat 9. Converted classes call these in place of `receiver.method(...)`.
/// Stateless.
public final class RemovedCalls {
    private RemovedCalls() {}

    public static @Nullable Object getValue(HttpSession session, String name) {
        Method own = OwnMethods.of(session, "getValue", String.class);
        return own == null
                ? RemovedMethods.getValue(session, name)
                : OwnMethods.call(own, session, name);
    }

    public static void putValue(HttpSession session, String name, Object value) {
        Method own = OwnMethods.of(session, "putValue", String.class, Object.class);
        if (own == null) {
            RemovedMethods.putValue(session, name, value);
        } else {
            OwnMethods.call(own, session, name, value);
        }
    }

    public static void removeValue(HttpSession session, String name) {
        Method own = OwnMethods.of(session, "removeValue", String.class);
        if (own == null) {
            RemovedMethods.removeValue(session, name);
        } else {
            OwnMethods.call(own, session, name);
        }
    }

    public static String @Nullable [] getValueNames(HttpSession session) {
        Method own = OwnMethods.of(session, "getValueNames");
        return own == null
                ? RemovedMethods.getValueNames(session)
                : (String[]) OwnMethods.call(own, session);
    }

    public static @Nullable HttpSessionContext getSessionContext(HttpSession session) {
        Method own = OwnMethods.of(session, "getSessionContext");
        return own == null
                ? RemovedMethods.getSessionContext(session)
                : (HttpSessionContext) OwnMethods.call(own, session);
    }

    public static String encodeUrl(HttpServletResponse response, String url) {
        Method own = OwnMethods.of(response, "encodeUrl", String.class);
        if (own != null) {
            return (String) requireNonNull(OwnMethods.call(own, response, url));
        }
        return response instanceof HttpServletResponseWrapper wrapper
                ? RemovedMethods.encodeUrl(wrapper, url)
                : RemovedMethods.encodeUrl(response, url);
    }

    public static String encodeRedirectUrl(HttpServletResponse response, String url) {
        Method own = OwnMethods.of(response, "encodeRedirectUrl", String.class);
        if (own != null) {
            return (String) requireNonNull(OwnMethods.call(own, response, url));
        }
        return response instanceof HttpServletResponseWrapper wrapper
                ? RemovedMethods.encodeRedirectUrl(wrapper, url)
                : RemovedMethods.encodeRedirectUrl(response, url);
    }

    public static void setStatus(
            HttpServletResponse response, int status, @Nullable String message) {
        Method own = OwnMethods.of(response, "setStatus", int.class, String.class);
        if (own != null) {
            OwnMethods.call(own, response, status, message);
        } else if (response instanceof HttpServletResponseWrapper wrapper) {
            RemovedMethods.setStatus(wrapper, status, message);
        } else {
            RemovedMethods.setStatus(response, status, message);
        }
    }

    public static boolean isRequestedSessionIdFromUrl(HttpServletRequest request) {
        Method own = OwnMethods.of(request, "isRequestedSessionIdFromUrl");
        if (own != null) {
            return (Boolean) requireNonNull(OwnMethods.call(own, request));
        }
        return request instanceof HttpServletRequestWrapper wrapper
                ? RemovedMethods.isRequestedSessionIdFromUrl(wrapper)
                : RemovedMethods.isRequestedSessionIdFromUrl(request);
    }

    public static @Nullable String getRealPath(ServletRequest request, @Nullable String path) {
        Method own = OwnMethods.of(request, "getRealPath", String.class);
        if (own != null) {
            return (String) OwnMethods.call(own, request, path);
        }
        return request instanceof ServletRequestWrapper wrapper
                ? RemovedMethods.getRealPath(wrapper, path)
                : RemovedMethods.getRealPath(request, path);
    }

    public static void log(ServletContext context, Exception failure, String message) {
        Method own = OwnMethods.of(context, "log", Exception.class, String.class);
        if (own == null) {
            RemovedMethods.log(context, failure, message);
        } else {
            OwnMethods.call(own, context, failure, message);
        }
    }

    public static @Nullable Servlet getServlet(ServletContext context, String name) {
        Method own = OwnMethods.of(context, "getServlet", String.class);
        return own == null
                ? RemovedMethods.getServlet(context, name)
                : (Servlet) OwnMethods.call(own, context, name);
    }

    public static @Nullable Enumeration<?> getServlets(ServletContext context) {
        Method own = OwnMethods.of(context, "getServlets");
        return own == null
                ? RemovedMethods.getServlets(context)
                : (Enumeration<?>) OwnMethods.call(own, context);
    }

    public static @Nullable Enumeration<?> getServletNames(ServletContext context) {
        Method own = OwnMethods.of(context, "getServletNames");
        return own == null
                ? RemovedMethods.getServletNames(context)
                : (Enumeration<?>) OwnMethods.call(own, context);
    }

    public static @Nullable Servlet getServlet(UnavailableException exception) {
        Method own = OwnMethods.of(exception, "getServlet");
        return own == null
                ? RemovedMethods.getServlet(exception)
                : (Servlet) OwnMethods.call(own, exception);
    }

    public static @Nullable Throwable getRootCause(JspException exception) {
        Method own = OwnMethods.of(exception, "getRootCause");
        return own == null
                ? RemovedMethods.getRootCause(exception)
                : (Throwable) OwnMethods.call(own, exception);
    }

    public static @Nullable ExpressionEvaluator getExpressionEvaluator(JspContext context) {
        Method own = OwnMethods.of(context, "getExpressionEvaluator");
        return own == null
                ? RemovedMethods.getExpressionEvaluator(context)
                : (ExpressionEvaluator) OwnMethods.call(own, context);
    }

    public static @Nullable VariableResolver getVariableResolver(JspContext context) {
        Method own = OwnMethods.of(context, "getVariableResolver");
        return own == null
                ? RemovedMethods.getVariableResolver(context)
                : (VariableResolver) OwnMethods.call(own, context);
    }

    public static @Nullable Iterator<?> getFeatureDescriptors(
            ELResolver resolver, ELContext context, @Nullable Object base) {
        Method own =
                OwnMethods.of(resolver, "getFeatureDescriptors", ELContext.class, Object.class);
        return own == null
                ? RemovedMethods.getFeatureDescriptors(resolver, context, base)
                : (Iterator<?>) OwnMethods.call(own, resolver, context, base);
    }

    public static boolean isParmetersProvided(MethodExpression expression) {
        return RemovedMethods.isParmetersProvided(expression);
    }
}
