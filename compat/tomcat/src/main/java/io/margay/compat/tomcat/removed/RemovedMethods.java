package io.margay.compat.tomcat.removed;

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
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the removed methods did in Tomcat 9, for receivers that do not override them: a wrapper
/// asks what it wraps. Converted classes call these for `super`. Stateless.
public final class RemovedMethods {
    private RemovedMethods() {}

    public static @Nullable Object getValue(HttpSession session, String name) {
        return session.getAttribute(name);
    }

    public static void putValue(HttpSession session, String name, Object value) {
        session.setAttribute(name, value);
    }

    public static void removeValue(HttpSession session, String name) {
        session.removeAttribute(name);
    }

    public static String[] getValueNames(HttpSession session) {
        return Collections.list(session.getAttributeNames()).toArray(String[]::new);
    }

    public static HttpSessionContext getSessionContext(HttpSession session) {
        return NoSessions.INSTANCE;
    }

    public static String encodeUrl(HttpServletResponse response, String url) {
        return response.encodeURL(url);
    }

    public static String encodeUrl(HttpServletResponseWrapper response, String url) {
        return RemovedCalls.encodeUrl((HttpServletResponse) response.getResponse(), url);
    }

    public static String encodeRedirectUrl(HttpServletResponse response, String url) {
        return response.encodeRedirectURL(url);
    }

    public static String encodeRedirectUrl(HttpServletResponseWrapper response, String url) {
        return RemovedCalls.encodeRedirectUrl((HttpServletResponse) response.getResponse(), url);
    }

    /// The message is not sent: Tomcat 9 does not send it either.
    public static void setStatus(
            HttpServletResponse response, int status, @Nullable String message) {
        response.setStatus(status);
    }

    public static void setStatus(
            HttpServletResponseWrapper response, int status, @Nullable String message) {
        RemovedCalls.setStatus((HttpServletResponse) response.getResponse(), status, message);
    }

    public static boolean isRequestedSessionIdFromUrl(HttpServletRequest request) {
        return request.isRequestedSessionIdFromURL();
    }

    public static boolean isRequestedSessionIdFromUrl(HttpServletRequestWrapper request) {
        return RemovedCalls.isRequestedSessionIdFromUrl((HttpServletRequest) request.getRequest());
    }

    public static @Nullable String getRealPath(ServletRequest request, @Nullable String path) {
        try {
            return request.getServletContext().getRealPath(path);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    public static @Nullable String getRealPath(
            ServletRequestWrapper request, @Nullable String path) {
        return RemovedCalls.getRealPath(request.getRequest(), path);
    }

    public static void log(ServletContext context, Exception failure, String message) {
        context.log(message, failure);
    }

    public static @Nullable Servlet getServlet(ServletContext context, String name) {
        return null;
    }

    public static Enumeration<Servlet> getServlets(ServletContext context) {
        return Collections.emptyEnumeration();
    }

    public static Enumeration<String> getServletNames(ServletContext context) {
        return Collections.emptyEnumeration();
    }

    public static @Nullable Servlet getServlet(UnavailableException exception) {
        return exception instanceof ServletUnavailable unavailable
                ? unavailable.getServlet()
                : null;
    }

    public static @Nullable Throwable getRootCause(JspException exception) {
        return exception.getCause();
    }

    public static ExpressionEvaluator getExpressionEvaluator(JspContext context) {
        return new PageEvaluator(context);
    }

    public static VariableResolver getVariableResolver(JspContext context) {
        return name -> PageEvaluator.variable(context, name);
    }

    public static @Nullable Iterator<?> getFeatureDescriptors(
            ELResolver resolver, ELContext context, @Nullable Object base) {
        return null;
    }

    public static boolean isParmetersProvided(MethodExpression expression) {
        return expression.isParametersProvided();
    }

    /// No session can be looked up by its identifier, since Servlet 2.1.
    private enum NoSessions implements HttpSessionContext {
        INSTANCE;

        @Override
        public @Nullable HttpSession getSession(String id) {
            return null;
        }

        @Override
        public Enumeration<String> getIds() {
            return Collections.enumeration(List.of());
        }
    }
}
