package io.margay.compat.tomcat.filter;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Names a character set for texts whose servlet named none. Written by the starting thread, then
/// immutable.
public final class AddDefaultCharsetFilter implements Filter {
    private Charset charset = StandardCharsets.ISO_8859_1;

    @Override
    public void init(FilterConfig config) throws ServletException {
        InitParams params = InitParams.of(config);
        charset =
                switch (params.text("encoding", "default").toLowerCase(Locale.ROOT)) {
                    case "", "default" -> StandardCharsets.ISO_8859_1;
                    case "system" -> Charset.defaultCharset();
                    default -> {
                        Charset named = Charsets.named(params, "encoding");
                        yield named == null ? charset : named;
                    }
                };
        params.warnOfUnknown();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(
                request,
                response instanceof HttpServletResponse http
                        ? new NamingResponse(http, charset.name())
                        : response);
    }

    /// Confined to the request.
    private static final class NamingResponse extends HttpServletResponseWrapper {
        private final String charset;

        NamingResponse(HttpServletResponse response, String charset) {
            super(response);
            this.charset = charset;
        }

        @Override
        public void setContentType(@Nullable String type) {
            super.setContentType(type);
            nameCharset(type);
        }

        @Override
        public void setHeader(String name, @Nullable String value) {
            super.setHeader(name, value);
            if (name.equalsIgnoreCase("Content-Type")) {
                nameCharset(value);
            }
        }

        @Override
        public void addHeader(String name, @Nullable String value) {
            super.addHeader(name, value);
            if (name.equalsIgnoreCase("Content-Type")) {
                nameCharset(value);
            }
        }

        private void nameCharset(@Nullable String type) {
            if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("text/")) {
                return;
            }
            String told = getContentType();
            if (told != null && !told.toLowerCase(Locale.ROOT).contains("charset=")) {
                super.setContentType(told + ";charset=" + charset);
            }
        }
    }
}
