package io.margay.compat.tomcat.filter;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/// Gives an application's cookies the attributes that its context.xml wants for all of them, unless
/// a cookie has its own. Init-params are the attributes. Written by the starting thread, then
/// immutable.
public final class CookieAttributesFilter implements Filter {
    private Map<String, String> attributes = Map.of();

    @Override
    public void init(FilterConfig config) {
        Map<String, String> given = new TreeMap<>();
        config.getInitParameterNames()
                .asIterator()
                .forEachRemaining(name -> given.put(name, config.getInitParameter(name)));
        attributes = Map.copyOf(given);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(
                request,
                response instanceof HttpServletResponse http
                        ? new AttributingResponse(http, attributes)
                        : response);
    }

    /// Confined to the request.
    private static final class AttributingResponse extends HttpServletResponseWrapper {
        private final Map<String, String> attributes;

        AttributingResponse(HttpServletResponse response, Map<String, String> attributes) {
            super(response);
            this.attributes = attributes;
        }

        @Override
        public void addCookie(Cookie cookie) {
            Cookie own = (Cookie) cookie.clone();
            attributes.forEach((name, value) -> {
                if (own.getAttribute(name) == null) {
                    own.setAttribute(name, value);
                }
            });
            super.addCookie(own);
        }
    }
}
