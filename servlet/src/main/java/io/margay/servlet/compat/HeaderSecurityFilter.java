package io.margay.servlet.compat;

import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Adds `Strict-Transport-Security`, `X-Frame-Options` and `X-Content-Type-Options`, with the
/// parameters of Tomcat's HttpHeaderSecurityFilter. Immutable after initialisation.
public final class HeaderSecurityFilter extends HttpFilter {
    private @Nullable String transportSecurity;
    private @Nullable String frameOptions;
    private boolean noSniffing;

    @Override
    public void init(FilterConfig config) throws ServletException {
        super.init(config);
        if (flag(config, "hstsEnabled", true)) {
            transportSecurity = transportSecurity(config);
        }
        if (flag(config, "antiClickJackingEnabled", true)) {
            frameOptions = frameOptions(config);
        }
        noSniffing = flag(config, "blockContentTypeSniffingEnabled", true);
    }

    private static String transportSecurity(FilterConfig config) throws ServletException {
        String given = config.getInitParameter("hstsMaxAgeSeconds");
        long seconds;
        try {
            seconds = given == null ? 0 : Math.max(0, Long.parseLong(given.strip()));
        } catch (NumberFormatException e) {
            throw new ServletException("hstsMaxAgeSeconds \"" + given + "\" is no number", e);
        }
        String value = "max-age=" + seconds;
        if (flag(config, "hstsIncludeSubDomains", false)) {
            value += ";includeSubDomains";
        }
        return flag(config, "hstsPreload", false) ? value + ";preload" : value;
    }

    private static String frameOptions(FilterConfig config) throws ServletException {
        String given = config.getInitParameter("antiClickJackingOption");
        String option = given == null ? "DENY" : given.strip().toUpperCase(Locale.ROOT);
        return switch (option) {
            case "DENY", "SAMEORIGIN" -> option;
            case "ALLOW-FROM" ->
                    option + " " + config.getInitParameter("antiClickJackingUri");
            default ->
                    throw new ServletException(
                            "antiClickJackingOption \"" + given
                                    + "\" is none of DENY, SAMEORIGIN and ALLOW-FROM");
        };
    }

    private static boolean flag(FilterConfig config, String name, boolean absent) {
        String value = config.getInitParameter(name);
        return value == null ? absent : Boolean.parseBoolean(value.strip());
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String security = transportSecurity;
        if (security != null && request.isSecure()) {
            response.setHeader("Strict-Transport-Security", security);
        }
        String frames = frameOptions;
        if (frames != null) {
            response.setHeader("X-Frame-Options", frames);
        }
        if (noSniffing) {
            response.setHeader("X-Content-Type-Options", "nosniff");
        }
        chain.doFilter(request, response);
    }
}
