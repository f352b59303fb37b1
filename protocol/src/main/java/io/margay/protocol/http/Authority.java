package io.margay.protocol.http;

import static io.margay.protocol.http.Octets.hexValue;
import static io.margay.protocol.http.Octets.isDigit;
import static io.margay.protocol.http.Octets.isUnreserved;

import org.jspecify.annotations.Nullable;

/// The syntax of `host [ ":" port ]` in `Host`, `:authority` and request targets (RFC 9110 §7.2).
///
/// Stricter than RFC 3986: a host is made of letters, digits and `-._~`, or is an IP literal in
/// brackets. Percent-encoding and `sub-delims` never stand in a DNS name, and let commas and quotes
/// through to whatever prints the host. An empty host, empty labels and user information are
/// refused.
public final class Authority {
    private static final int PORT_MAX = 65535;

    private Authority() {}

    /// Whether `bytes[from,to)` is a valid host with an optional port.
    public static boolean isValid(byte[] bytes, int from, int to) {
        int p = from;
        if (p < to && bytes[p] == '[') {
            p = ipLiteralEnd(bytes, p + 1, to);
            if (p < 0) {
                return false;
            }
        } else {
            while (p < to && isUnreserved(bytes[p])) {
                if (bytes[p] == '.' && p > from && bytes[p - 1] == '.') {
                    return false; // an empty label; "..", too, where names become paths
                }
                p++;
            }
            if (p == from) {
                return false;
            }
        }
        return p == to || (bytes[p] == ':' && isPort(bytes, p + 1, to));
    }

    /// The port in an authority that is valid, or -1 when there is none.
    public static int port(String authority) {
        int colon = authority.lastIndexOf(':');
        if (colon < 0 || colon < authority.lastIndexOf(']') || colon == authority.length() - 1) {
            return -1;
        }
        int port = 0;
        for (int i = colon + 1; i < authority.length(); i++) {
            port = port * 10 + (authority.charAt(i) - '0');
        }
        return port;
    }

    /// The host of an authority that is valid, with the brackets of an IP literal; null for null.
    public static @Nullable String host(@Nullable String authority) {
        if (authority == null) {
            return null;
        }
        int colon = authority.lastIndexOf(':');
        return colon < 0 || colon < authority.lastIndexOf(']')
                ? authority
                : authority.substring(0, colon);
    }

    /// The offset after `]`, or -1. The literal's inside is checked for its alphabet only.
    private static int ipLiteralEnd(byte[] bytes, int from, int to) {
        int p = from;
        int colons = 0;
        while (p < to && (hexValue(bytes[p]) >= 0 || bytes[p] == ':' || bytes[p] == '.')) {
            colons += bytes[p] == ':' ? 1 : 0;
            p++;
        }
        return p < to && bytes[p] == ']' && colons >= 2 ? p + 1 : -1;
    }

    private static boolean isPort(byte[] bytes, int from, int to) {
        int port = 0;
        for (int p = from; p < to; p++) {
            if (!isDigit(bytes[p])) {
                return false;
            }
            port = port * 10 + (bytes[p] - '0');
            if (port > PORT_MAX) {
                return false;
            }
        }
        return true;
    }
}
