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
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Answers browsers that ask whether a page from elsewhere may use this application (Fetch, "CORS
/// protocol"). What the policy does not allow is answered 403. Written by the starting thread, then
/// immutable.
public final class CorsFilter implements Filter {
    private static final System.Logger LOG = System.getLogger(CorsFilter.class.getName());

    private @Nullable CorsPolicy policy;
    private boolean decorate;

    @Override
    public void init(FilterConfig config) throws ServletException {
        InitParams params = InitParams.of(config);
        policy = CorsPolicy.of(params);
        decorate = params.flag("cors.request.decorate", true);
        params.refuseUnknown();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (policy == null) {
            throw new IllegalStateException("the filter has not been initialised");
        }
        HttpServletRequest asked = (HttpServletRequest) request;
        HttpServletResponse answer = (HttpServletResponse) response;
        CorsRequest kind = CorsRequest.of(asked);
        if (decorate) {
            decorate(asked, kind);
        }
        policy.vary(answer);
        switch (kind) {
            case NOT_CORS -> chain.doFilter(request, response);
            case SIMPLE, ACTUAL -> {
                if (policy.admits(asked)) {
                    policy.allow(asked, answer);
                    chain.doFilter(request, response);
                } else {
                    refuse(asked, answer);
                }
            }
            case PRE_FLIGHT -> {
                if (policy.admitsPreflight(asked)) {
                    policy.allowPreflight(asked, answer);
                } else {
                    refuse(asked, answer);
                }
            }
            case INVALID_CORS -> refuse(asked, answer);
        }
    }

    private static void decorate(HttpServletRequest request, CorsRequest kind) {
        boolean cors = kind != CorsRequest.NOT_CORS && kind != CorsRequest.INVALID_CORS;
        request.setAttribute("cors.isCorsRequest", cors);
        if (cors) {
            request.setAttribute("cors.request.origin", request.getHeader(CorsRequest.ORIGIN));
            request.setAttribute("cors.request.type", kind.name().toLowerCase(Locale.ROOT));
        }
        if (kind == CorsRequest.PRE_FLIGHT) {
            String headers = request.getHeader(CorsRequest.HEADERS);
            request.setAttribute("cors.request.headers", headers == null ? "" : headers);
        }
    }

    private static void refuse(HttpServletRequest request, HttpServletResponse response) {
        LOG.log(
                Level.DEBUG,
                () ->
                        "refused origin "
                                + PrintableText.of(request.getHeader(CorsRequest.ORIGIN))
                                + ", method "
                                + PrintableText.of(request.getMethod()));
        response.setContentType("text/plain");
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        response.resetBuffer();
    }
}
