package io.margay.compat.tomcat;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// A request and a response made of maps, and a filter between them. What a test does not set
/// answers null, 0 or false; what is not known here fails the test.
public final class FakeExchange {
    public String method = "GET";
    public String uri = "/app/page";
    String contextPath = "/app";
    public String servletPath = "/page";
    String scheme = "http";
    String serverName = "shop.example";
    int serverPort = 80;
    public int localPort = 8080;
    public boolean secure;
    public String remoteAddr = "192.0.2.7";
    public String remoteHost = "192.0.2.7";
    public String contentType;
    public String requestEncoding;
    public boolean badParameters;
    final Map<String, List<String>> requestFields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    public final Map<String, String> parameters = new LinkedHashMap<>();
    public final Map<String, Object> attributes = new HashMap<>();
    public Map<String, Object> session;

    public int status = 200;
    public int error;
    boolean committed;
    public final Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    public final List<Cookie> cookies = new ArrayList<>();
    final ByteArrayOutputStream body = new ByteArrayOutputStream();
    public final StringWriter text = new StringWriter();

    public HttpServletRequest seen;
    public HttpServletResponse given;

    public FakeExchange header(String name, String... values) {
        requestFields.put(name, List.of(values));
        return this;
    }

    public static FilterConfig config(Map<String, String> params) {
        return new FilterConfig() {
            @Override
            public String getFilterName() {
                return "tested";
            }

            @Override
            public ServletContext getServletContext() {
                return proxy(
                        ServletContext.class,
                        (_, called, _) -> {
                            if (called.getName().equals("setAttribute")) {
                                return null;
                            }
                            throw new UnsupportedOperationException(called.toString());
                        });
            }

            @Override
            public String getInitParameter(String name) {
                return params.get(name);
            }

            @Override
            public java.util.Enumeration<String> getInitParameterNames() {
                return Collections.enumeration(params.keySet());
            }
        };
    }

    public static <F extends Filter> F started(F filter, Map<String, String> params)
            throws ServletException {
        filter.init(config(params));
        return filter;
    }

    /// Whether the filter let the request through.
    public boolean passes(Filter filter) throws IOException, ServletException {
        return passes(filter, (request, response) -> {});
    }

    public boolean passes(Filter filter, FilterChain servlet) throws IOException, ServletException {
        seen = null;
        given = null;
        filter.doFilter(
                request(),
                response(),
                (request, response) -> {
                    seen = (HttpServletRequest) request;
                    given = (HttpServletResponse) response;
                    servlet.doFilter(request, response);
                });
        return seen != null;
    }

    public String field(String name) {
        List<String> values = fields.get(name);
        return values == null ? null : String.join(" | ", values);
    }

    HttpServletRequest request() {
        return proxy(HttpServletRequest.class, this::onRequest);
    }

    HttpServletResponse response() {
        return proxy(HttpServletResponse.class, this::onResponse);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private Object onRequest(Object proxy, Method called, Object[] args) {
        return switch (called.getName()) {
            case "getMethod" -> method;
            case "getRequestURI" -> uri;
            case "getRequestURL" -> new StringBuffer(scheme + "://" + serverName + uri);
            case "getContextPath" -> contextPath;
            case "getServletPath" -> servletPath;
            case "getScheme" -> scheme;
            case "getServerName" -> serverName;
            case "getServerPort" -> serverPort;
            case "getLocalPort" -> localPort;
            case "getLocalName" -> "local.example";
            case "isSecure" -> secure;
            case "isAsyncStarted" -> false;
            case "getRemoteAddr" -> remoteAddr;
            case "getRemoteHost" -> remoteHost;
            case "getContentType" -> contentType;
            case "getContentLengthLong" -> -1L;
            case "getProtocol" -> "HTTP/1.1";
            case "getLocale" -> Locale.ENGLISH;
            case "getPathInfo", "getQueryString", "getAuthType", "getRemoteUser" -> null;
            case "getCharacterEncoding" -> requestEncoding;
            case "setCharacterEncoding" -> requestEncoding = (String) args[0];
            case "getAttribute" -> attributes.get((String) args[0]);
            case "setAttribute" -> attributes.put((String) args[0], args[1]);
            case "getHeader" -> first(requestFields, args);
            case "getHeaders" -> Collections.enumeration(all(requestFields, args));
            case "getHeaderNames" -> Collections.enumeration(requestFields.keySet());
            case "getIntHeader", "getDateHeader" -> throw new IllegalArgumentException("none");
            case "getParameter" -> parameters.get((String) args[0]);
            case "getParameterMap" -> parameterMap();
            case "getSession" -> session(args == null || (Boolean) args[0]);
            case "getServletContext" ->
                    proxy(ServletContext.class, (self, method, values) -> mimeType(method, values));
            default -> throw new UnsupportedOperationException(called.toString());
        };
    }

    private static Object mimeType(Method called, Object[] args) {
        if (called.getName().equals("getMimeType")) {
            return ((String) args[0]).endsWith(".webp") ? "image/webp" : null;
        }
        throw new UnsupportedOperationException(called.toString());
    }

    private Map<String, String[]> parameterMap() {
        if (badParameters) {
            throw new IllegalStateException("malformed");
        }
        Map<String, String[]> all = new LinkedHashMap<>();
        parameters.forEach((name, value) -> all.put(name, new String[] {value}));
        return all;
    }

    private HttpSession session(boolean create) {
        if (session == null && !create) {
            return null;
        }
        if (session == null) {
            session = new HashMap<>();
        }
        Map<String, Object> held = session;
        return proxy(
                HttpSession.class,
                (proxy, called, args) ->
                        switch (called.getName()) {
                            case "getAttribute" -> held.get((String) args[0]);
                            case "setAttribute" -> held.put((String) args[0], args[1]);
                            default -> throw new UnsupportedOperationException(called.toString());
                        });
    }

    private Object onResponse(Object proxy, Method called, Object[] args) {
        switch (called.getName()) {
            case "setHeader" -> fields.put((String) args[0], List.of((String) args[1]));
            case "addHeader" -> {
                List<String> values = new ArrayList<>(all(fields, args));
                values.add((String) args[1]);
                fields.put((String) args[0], values);
            }
            case "setContentType" -> fields.put("Content-Type", List.of((String) args[0]));
            case "setStatus" -> status = (Integer) args[0];
            case "sendError" -> {
                status = (Integer) args[0];
                error = status;
            }
            case "addCookie" -> cookies.add((Cookie) args[0]);
            case "resetBuffer" -> {}
            case "reset" -> fields.clear();
            case "flushBuffer" -> committed = true;
            default -> {
                return responseValue(called, args);
            }
        }
        return null;
    }

    private Object responseValue(Method called, Object[] args) {
        return switch (called.getName()) {
            case "getHeader" -> first(fields, args);
            case "getHeaders" -> all(fields, args);
            case "getHeaderNames" -> fields.keySet();
            case "containsHeader" -> fields.containsKey((String) args[0]);
            case "getContentType" -> field("Content-Type");
            case "getStatus" -> status;
            case "isCommitted" -> committed;
            case "encodeURL", "encodeRedirectURL" -> args[0];
            case "getWriter" -> new PrintWriter(text);
            case "getOutputStream" -> output();
            default -> throw new UnsupportedOperationException(called.toString());
        };
    }

    private ServletOutputStream output() {
        return new ServletOutputStream() {
            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void write(int b) {
                body.write(b);
            }
        };
    }

    public String bodyText() {
        return body.toString(StandardCharsets.UTF_8);
    }

    private static String first(Map<String, List<String>> map, Object[] args) {
        List<String> values = all(map, args);
        return values.isEmpty() ? null : values.getFirst();
    }

    private static List<String> all(Map<String, List<String>> map, Object[] args) {
        return map.getOrDefault((String) args[0], List.of());
    }
}
