package io.margay.servlet.compat;

import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Sets the encoding of requests, with the parameters of Tomcat's SetCharacterEncodingFilter:
/// `encoding`, and `ignore` to override what the client says. Immutable after initialisation.
public final class EncodingFilter extends HttpFilter {
    private @Nullable String encoding;
    private boolean overriding;

    @Override
    public void init(FilterConfig config) throws ServletException {
        super.init(config);
        encoding = config.getInitParameter("encoding");
        overriding = Boolean.parseBoolean(config.getInitParameter("ignore"));
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String wanted = encoding;
        if (wanted != null && (overriding || request.getCharacterEncoding() == null)) {
            request.setCharacterEncoding(wanted);
        }
        chain.doFilter(request, response);
    }
}
