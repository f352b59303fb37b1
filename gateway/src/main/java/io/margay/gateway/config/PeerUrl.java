package io.margay.gateway.config;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// The URL of a peer: `http://host:8080/path`, `h2c://host`, `ajp://[::1]:8009`,
/// `fcgi+unix:/run/php.sock`. Immutable.
///
/// @param path empty or `/…`, without a slash at its end (the path of a `BalancerMember`)
public record PeerUrl(PeerAddress address, String path) {
    private static final int PORT_MAX = 65_535;

    public PeerUrl {
        if (!path.isEmpty() && (path.charAt(0) != '/' || path.endsWith("/"))) {
            throw new IllegalArgumentException("a member's path is empty or /…, not " + path);
        }
    }

    /// Reads a URL.
    ///
    /// @throws IllegalArgumentException saying what is wrong with it
    public static PeerUrl parse(String text) {
        int colon = text.indexOf(':');
        String word = colon < 0 ? text : text.substring(0, colon);
        boolean unix = word.endsWith("+unix");
        PeerScheme scheme = scheme(unix ? word.substring(0, word.length() - 5) : word);
        String rest = text.substring(colon + 1);
        if (unix) {
            if (!rest.startsWith("/") || rest.length() < 2) {
                throw new IllegalArgumentException(
                        "after \"+unix:\" it needs the absolute path of a socket");
            }
            return new PeerUrl(PeerAddress.of(scheme, Path.of(rest)), "");
        }
        if (!rest.startsWith("//")) {
            throw new IllegalArgumentException("it needs \"//\" after \"" + word + ":\"");
        }
        int slash = rest.indexOf('/', 2);
        String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
        String path = slash < 0 ? "" : rest.substring(slash);
        while (path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            throw new IllegalArgumentException("it must not contain \"?\" or \"#\"");
        }
        return new PeerUrl(address(scheme, authority), path);
    }

    /// As it is parsed.
    @Override
    public String toString() {
        return address + path;
    }

    private static PeerScheme scheme(String word) {
        for (PeerScheme scheme : PeerScheme.values()) {
            if (scheme.word().equals(word)) {
                return scheme;
            }
        }
        List<String> words = Arrays.stream(PeerScheme.values()).map(PeerScheme::word).toList();
        throw new IllegalArgumentException(
                "it must begin with one of " + String.join("://, ", words) + "://");
    }

    private static PeerAddress address(PeerScheme scheme, String authority) {
        if (authority.indexOf('@') >= 0) {
            throw new IllegalArgumentException(
                    "it must not have a name and a password before the host");
        }
        int bracket = authority.lastIndexOf(']');
        int colon = authority.indexOf(':', Math.max(bracket, 0));
        String host = colon < 0 ? authority : authority.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty() || host.indexOf(' ') >= 0) {
            throw new IllegalArgumentException("it needs a host after \"//\"");
        }
        int port = colon < 0 ? scheme.defaultPort() : port(authority.substring(colon + 1));
        return PeerAddress.of(scheme, host, port);
    }

    private static int port(String text) {
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("its port must be 1 to " + PORT_MAX);
        }
        return port;
    }
}
