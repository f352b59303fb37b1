package io.margay.compat.tomcat.filter;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Adds fields that make browsers careful: `Strict-Transport-Security` (RFC 6797) on secure
/// requests, `X-Frame-Options` (RFC 7034) and `X-Content-Type-Options`. Written by the starting
/// thread, then immutable.
public final class HttpHeaderSecurityFilter implements Filter {
    private @Nullable String transportSecurity;
    private @Nullable String frameOptions;
    private boolean noSniffing;

    @Override
    public void init(FilterConfig config) throws ServletException {
        InitParams params = InitParams.of(config);
        boolean hsts = params.flag("hstsEnabled", true);
        long seconds = params.number("hstsMaxAgeSeconds", 0, Integer.MIN_VALUE, Integer.MAX_VALUE);
        String policy = "max-age=" + Math.max(0, seconds);
        if (params.flag("hstsIncludeSubDomains", false)) {
            policy += ";includeSubDomains";
        }
        if (params.flag("hstsPreload", false)) {
            policy += ";preload";
        }
        transportSecurity = hsts ? policy : null;
        boolean framed = params.flag("antiClickJackingEnabled", true);
        String option = frameOption(params);
        frameOptions = framed ? option : null;
        noSniffing = params.flag("blockContentTypeSniffingEnabled", true);
        params.flag("xssProtectionEnabled", false);
        params.refuseUnknown();
    }

    private static String frameOption(InitParams params) throws ServletException {
        String option = params.text("antiClickJackingOption", "DENY").toUpperCase(Locale.ROOT);
        String origin = params.text("antiClickJackingUri", "");
        try {
            String uri = new URI(origin).toASCIIString();
            return switch (option) {
                case "DENY", "SAMEORIGIN" -> option;
                case "ALLOW-FROM" -> "ALLOW-FROM " + uri;
                default ->
                        throw params.wrong(
                                "antiClickJackingOption",
                                "it must be DENY, SAMEORIGIN or ALLOW-FROM");
            };
        } catch (URISyntaxException e) {
            throw params.wrong("antiClickJackingUri", "it is not a URI: " + e.getReason());
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (response instanceof HttpServletResponse http) {
            if (transportSecurity != null && request.isSecure()) {
                http.setHeader("Strict-Transport-Security", transportSecurity);
            }
            if (frameOptions != null) {
                http.setHeader("X-Frame-Options", frameOptions);
            }
            if (noSniffing) {
                http.setHeader("X-Content-Type-Options", "nosniff");
            }
        }
        chain.doFilter(request, response);
    }
}
