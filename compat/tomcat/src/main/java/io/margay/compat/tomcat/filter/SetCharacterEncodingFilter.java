package io.margay.compat.tomcat.filter;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/// Says in which encoding a request's parameters are, when the client did not or is not to be
/// believed. Written by the starting thread, then immutable.
public final class SetCharacterEncodingFilter implements Filter {
    private @Nullable Charset encoding;
    private boolean ignoreClient;

    @Override
    public void init(FilterConfig config) throws ServletException {
        InitParams params = InitParams.of(config);
        encoding = Charsets.named(params, "encoding");
        ignoreClient = params.flag("ignore", false);
        params.warnOfUnknown();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (encoding != null && (ignoreClient || request.getCharacterEncoding() == null)) {
            request.setCharacterEncoding(encoding.name());
        }
        chain.doFilter(request, response);
    }
}
