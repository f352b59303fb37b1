package io.margay.compat.tomcat.filter;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Lets through only requests that carry a nonce out of a page of the same session, so that no
/// other site can send them in a user's name. Written by the starting thread, then immutable.
///
/// Every address that a page has encoded carries the request's new nonce; the last few of a session
/// are good.
public final class CsrfPreventionFilter implements Filter {
    static final String NONCES = "org.apache.catalina.filters.CSRF_NONCE";
    static final String REQUEST_NONCE = "org.apache.catalina.filters.CSRF_REQUEST_NONCE";
    static final String PARAMETER_NAME = "org.apache.catalina.filters.CSRF_NONCE_PARAM_NAME";

    private static final System.Logger LOG = System.getLogger(CsrfPreventionFilter.class.getName());
    private static final int NONCE_BYTES = 16;

    private final RandomGenerator random;
    private Set<String> entryPoints = Set.of();
    private @Nullable NoncePaths withoutNonce;
    private String parameter = NONCES;
    private int cacheSize;
    private int denyStatus;
    private boolean enforce;

    public CsrfPreventionFilter() {
        this(new SecureRandom());
    }

    CsrfPreventionFilter(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        InitParams params = InitParams.of(config);
        entryPoints = Set.copyOf(params.list("entryPoints", ""));
        withoutNonce = NoncePaths.of(params);
        parameter = params.text("nonceRequestParameterName", NONCES);
        if (!parameter.matches("[A-Za-z0-9._~-]+")) {
            throw params.wrong("nonceRequestParameterName", "letters, digits and ._~- only");
        }
        cacheSize = (int) params.number("nonceCacheSize", 5, 1, 10_000);
        denyStatus = (int) params.number("denyStatus", HttpServletResponse.SC_FORBIDDEN, 400, 599);
        enforce = params.flag("enforce", true);
        String source = params.text("randomClass", SecureRandom.class.getName());
        if (!source.equals(SecureRandom.class.getName())) {
            LOG.log(Level.WARNING, "randomClass {0} is not used; SecureRandom is", source);
        }
        params.refuseUnknown();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest asked = (HttpServletRequest) request;
        HttpServletResponse answer = (HttpServletResponse) response;
        String path = pathOf(asked);
        boolean plain = isPlain(asked, path);
        boolean free = asked.getMethod().equals("GET") && (plain || entryPoints.contains(path));
        if (!free && !carriesNonce(asked)) {
            LOG.log(Level.DEBUG, () -> "no good nonce for " + PrintableText.of(path));
            if (enforce) {
                answer.sendError(denyStatus);
                return;
            }
        }
        if (free && plain) {
            chain.doFilter(request, response);
            return;
        }
        String nonce = newNonce();
        NonceCache.of(asked.getSession(), NONCES).add(nonce, cacheSize);
        request.setAttribute(REQUEST_NONCE, nonce);
        request.setAttribute(PARAMETER_NAME, parameter);
        chain.doFilter(
                request,
                new NonceResponse(
                        asked, answer, parameter + "=" + nonce, local -> isPlain(asked, local)));
    }

    private boolean isPlain(HttpServletRequest request, String path) {
        return withoutNonce != null && withoutNonce.contains(request.getServletContext(), path);
    }

    private static String pathOf(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : request.getServletPath() + info;
    }

    private boolean carriesNonce(HttpServletRequest request) {
        String given = request.getParameter(parameter);
        HttpSession session = given == null ? null : request.getSession(false);
        NonceCache nonces = session == null ? null : NonceCache.find(session, NONCES);
        return given != null && nonces != null && nonces.accepts(given);
    }

    private String newNonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
