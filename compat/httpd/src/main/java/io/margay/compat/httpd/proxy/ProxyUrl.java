package io.margay.compat.httpd.proxy;

import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerScheme;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A URL of mod_proxy, taken apart. Immutable.
///
/// @param scheme in lower case: http, https, h2, h2c, ajp, fcgi, ws, wss, balancer
/// @param host name or address without brackets, or name of the balancer
/// @param port 0 where none is said
/// @param path with query and back-references; where it begins with one of these, the slash that it
///   begins with may be in that
/// @param socket of `unix:…|`, or null
public record ProxyUrl(String scheme, String host, int port, String path, @Nullable String socket) {
    private static final Pattern URL =
            Pattern.compile(
                    "([A-Za-z][A-Za-z0-9+.-]*)://(\\[[0-9A-Fa-f:.]+]|[^/:?#\\[\\]@$%]*)"
                            + "(?::([0-9]{1,5}))?(\\$[0-9].*|%\\{REQUEST_URI}.*|[/?].*)?",
                    Pattern.DOTALL);

    /// Reads a URL, perhaps with `unix:/file|` before it.
    public static Optional<ProxyUrl> parse(String text) {
        String socket = null;
        String url = text;
        int bar = text.indexOf('|');
        if (text.regionMatches(true, 0, "unix:", 0, 5) && bar > 5) {
            socket = text.substring(5, bar);
            url = text.substring(bar + 1);
        }
        if (socket != null && url.matches("[A-Za-z]+:")) {
            url = url + "//localhost";
        }
        Matcher matcher = URL.matcher(url);
        if (!matcher.matches() || (matcher.group(2).isEmpty() && socket == null)) {
            return Optional.empty();
        }
        String host = matcher.group(2);
        if (host.startsWith("[")) {
            host = host.substring(1, host.length() - 1);
        }
        String port = matcher.group(3);
        String path = matcher.group(4);
        return Optional.of(
                new ProxyUrl(
                        matcher.group(1).toLowerCase(Locale.ROOT),
                        host.toLowerCase(Locale.ROOT),
                        port == null ? 0 : Integer.parseInt(port),
                        path == null ? "" : path,
                        socket));
    }

    public boolean isBalancer() {
        return scheme.equals("balancer");
    }

    /// Whether it is a URL of a WebSocket.
    public boolean isWebSocket() {
        return scheme.equals("ws") || scheme.equals("wss");
    }

    /// What the peer speaks; empty for what no peer speaks here.
    Optional<PeerScheme> peerScheme() {
        return switch (scheme) {
            case "http", "ws" -> Optional.of(PeerScheme.HTTP);
            case "https", "wss" -> Optional.of(PeerScheme.HTTPS);
            case "ajp" -> Optional.of(PeerScheme.AJP);
            case "fcgi" -> Optional.of(PeerScheme.FCGI);
            case "h2" -> Optional.of(PeerScheme.H2);
            case "h2c" -> Optional.of(PeerScheme.H2C);
            default -> Optional.empty();
        };
    }

    /// Where the peer is; empty for what is not an address.
    public Optional<PeerAddress> address() {
        Optional<PeerScheme> peer = peerScheme();
        if (peer.isEmpty()) {
            return Optional.empty();
        }
        try {
            PeerScheme speaks = peer.get();
            return Optional.of(
                    socket != null
                            ? PeerAddress.of(speaks, Path.of(socket))
                            : PeerAddress.of(
                                    speaks, host, port == 0 ? speaks.defaultPort() : port));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // InvalidPathException is one, too.
        }
    }

    /// Whether it is that of a program that speaks FastCGI.
    public boolean isProgram() {
        return scheme.equals("fcgi") && address().isPresent();
    }

    /// What stands before the name of a file that a program runs, which php-fpm takes away.
    public String scriptPrefix() {
        return scriptOrigin() + path;
    }

    /// The same without the path.
    public String scriptOrigin() {
        return "proxy:" + origin().replaceFirst("^unix:[^|]*\\|", "");
    }

    /// The host with its port as it is written, of what is reached by a socket; null = `localhost`.
    @Nullable String named() {
        String at = port == 0 ? host : host + ":" + port;
        return at.isEmpty() || at.equals("localhost") ? null : at;
    }

    /// The URL without path, as a name.
    public String origin() {
        String named = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        String at = scheme + "://" + named + (port == 0 ? "" : ":" + port);
        return socket == null ? at : "unix:" + socket + "|" + at;
    }
}
