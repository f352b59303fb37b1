package io.margay.compat.tomcat.filter;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Logs what is asked and what is answered, one fact a line, for debugging. Immutable.
///
/// Its side effect is documented: it reads the parameters. What proves who a client is does not get
/// into the log, and no client can forge a line.
public final class RequestDumperFilter implements Filter {
    private static final Set<String> SECRET =
            Set.of("authorization", "proxy-authorization", "cookie", "set-cookie");

    /// The name by which operators know it, wherever the class stands.
    private static final String LOGGER = "io.margay.servlet.tomcat.RequestDumperFilter";

    private final System.Logger log;

    public RequestDumperFilter() {
        this(System.getLogger(LOGGER));
    }

    RequestDumperFilter(System.Logger log) {
        this.log = log;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        InitParams.of(config).warnOfUnknown();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!log.isLoggable(Level.INFO)
                || !(request instanceof HttpServletRequest asked)
                || !(response instanceof HttpServletResponse answered)) {
            chain.doFilter(request, response);
            return;
        }
        dump(asked);
        chain.doFilter(request, response);
        dump(asked, answered);
    }

    private void dump(HttpServletRequest request) {
        line("START", request.getMethod() + " " + request.getRequestURI());
        line("queryString", request.getQueryString());
        line("protocol", request.getProtocol());
        line("scheme", request.getScheme() + (request.isSecure() ? " (secure)" : ""));
        line("serverName", request.getServerName() + ":" + request.getServerPort());
        line("contextPath", request.getContextPath());
        line("servletPath", request.getServletPath());
        line("pathInfo", request.getPathInfo());
        line("remoteAddr", request.getRemoteAddr());
        line("remoteHost", request.getRemoteHost());
        line("contentType", request.getContentType());
        line("contentLength", String.valueOf(request.getContentLengthLong()));
        line("characterEncoding", request.getCharacterEncoding());
        line("locale", String.valueOf(request.getLocale()));
        for (String name : Collections.list(request.getHeaderNames())) {
            header(name, Collections.list(request.getHeaders(name)));
        }
        for (Map.Entry<String, String[]> parameter : request.getParameterMap().entrySet()) {
            line("parameter " + parameter.getKey(), Arrays.toString(parameter.getValue()));
        }
    }

    private void dump(HttpServletRequest request, HttpServletResponse response) {
        line("status", String.valueOf(response.getStatus()));
        line("contentType", response.getContentType());
        for (String name : Set.copyOf(response.getHeaderNames())) {
            header(name, response.getHeaders(name));
        }
        line("authType", request.getAuthType());
        line("remoteUser", request.getRemoteUser());
        line("END", request.getMethod() + " " + request.getRequestURI());
    }

    private void header(String name, Collection<String> values) {
        boolean secret = SECRET.contains(name.toLowerCase(Locale.ROOT));
        for (String value : values) {
            line("header " + name, secret ? "(" + value.length() + " characters)" : value);
        }
    }

    private void line(String name, @Nullable String value) {
        log.log(Level.INFO, PrintableText.of(name) + "=" + PrintableText.of(value));
    }
}
