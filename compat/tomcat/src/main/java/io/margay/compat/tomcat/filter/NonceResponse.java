package io.margay.compat.tomcat.filter;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A response whose encoded addresses carry a nonce, when they lead to this application. Confined
/// to the request.
final class NonceResponse extends HttpServletResponseWrapper {
    private final HttpServletRequest request;
    private final String assignment;
    private final Predicate<String> plain;

    /// @param assignment `name=nonce`
    /// @param plain which paths within the application carry none
    NonceResponse(
            HttpServletRequest request,
            HttpServletResponse response,
            String assignment,
            Predicate<String> plain) {
        super(response);
        this.request = request;
        this.assignment = assignment;
        this.plain = plain;
    }

    @Override
    public String encodeURL(String url) {
        return withNonce(super.encodeURL(url));
    }

    @Override
    public String encodeRedirectURL(String url) {
        return withNonce(super.encodeRedirectURL(url));
    }

    private String withNonce(String url) {
        if (url.startsWith("#")) {
            return url;
        }
        String path = localPath(url);
        if (path == null || plain.test(path)) {
            return url;
        }
        int hash = url.indexOf('#');
        String address = hash < 0 ? url : url.substring(0, hash);
        String fragment = hash < 0 ? "" : url.substring(hash);
        return address + (address.indexOf('?') < 0 ? '?' : '&') + assignment + fragment;
    }

    /// The path within the application; null when the address leads elsewhere, which must not learn
    /// a nonce.
    private @Nullable String localPath(String url) {
        String path = url;
        int colon = url.indexOf(':');
        int end = endOfPath(url);
        int slash = url.indexOf('/');
        boolean scheme = colon >= 0 && colon < end && (slash < 0 || colon < slash);
        if (scheme || url.startsWith("//") || url.indexOf('\\') >= 0) {
            String own = request.getScheme() + "://" + authority();
            String given = url.toLowerCase(Locale.ROOT);
            if (!given.startsWith(own.toLowerCase(Locale.ROOT))) {
                return null;
            }
            path = url.substring(own.length());
            if (!path.isEmpty() && "/?#".indexOf(path.charAt(0)) < 0) {
                return null;
            }
        }
        path = path.substring(0, endOfPath(path));
        int semicolon = path.indexOf(';');
        path = semicolon < 0 ? path : path.substring(0, semicolon);
        String context = request.getContextPath();
        return path.startsWith(context + "/") ? path.substring(context.length()) : path;
    }

    private static int endOfPath(String url) {
        for (int i = 0; i < url.length(); i++) {
            if (url.charAt(i) == '?' || url.charAt(i) == '#') {
                return i;
            }
        }
        return url.length();
    }

    private String authority() {
        int port = request.getServerPort();
        boolean usual = port == (request.getScheme().equals("https") ? 443 : 80);
        return request.getServerName() + (usual ? "" : ":" + port);
    }
}
