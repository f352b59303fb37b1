package io.margay.protocol.http1;

import static io.margay.protocol.http.Octets.lower;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.RequestTarget.Form;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Takes a request target apart and checks it against method and `Host` (RFC 9112 §3.2, §3.3).
///
/// Confined to its decoder's thread.
final class TargetReader {
    /// Hosts that are remembered, a power of two.
    private static final int HOSTS = 16;

    /// The longest host that is remembered: the longest name, and a port.
    private static final int HOST_BYTES_MAX = 259;

    private final boolean secure;
    private @Nullable ProtocolError error;

    /// Hosts that were valid, each where its bytes say.
    private final String[] hosts = new String[HOSTS];

    TargetReader(boolean secure) {
        this.secure = secure;
        Arrays.fill(hosts, "");
    }

    boolean isSecure() {
        return secure;
    }

    /// The target in `bytes[from,to)`, or null when it is wrong; see [#error].
    ///
    /// @param host the line of `Host`, or -1
    @Nullable RequestTarget read(
            String method,
            byte[] bytes,
            int from,
            int to,
            FieldSection fields,
            int fieldsFrom,
            int host) {
        error = null;
        String authority = null;
        if (host >= 0) {
            int hostFrom = fieldsFrom + fields.valueFrom(host);
            int hostTo = fieldsFrom + fields.valueTo(host);
            authority = host(bytes, hostFrom, hostTo);
            if (authority == null) {
                error = Http1Error.BAD_HOST;
                return null;
            }
        }
        if (method.equals("CONNECT")) {
            return authorityForm(bytes, from, to, authority);
        }
        byte first = bytes[from];
        if (first == '/') {
            return originForm(bytes, from, to, authority);
        }
        if (first == '*' && to - from == 1) {
            return asteriskForm(method, authority);
        }
        return absoluteForm(bytes, from, to, authority);
    }

    /// The host, of which there are few, or null when it is invalid.
    private @Nullable String host(byte[] bytes, int from, int to) {
        int place = place(bytes, from, to);
        if (spells(bytes, from, to, hosts[place])) {
            return hosts[place];
        }
        if (!Authority.isValid(bytes, from, to)) {
            return null;
        }
        String host = text(bytes, from, to);
        if (to - from <= HOST_BYTES_MAX) {
            hosts[place] = host;
        }
        return host;
    }

    /// Where a host is remembered.
    private static int place(byte[] bytes, int from, int to) {
        int length = to - from;
        int some = length == 0 ? 0 : bytes[from] + 31 * bytes[(from + to) >>> 1] + bytes[to - 1];
        return (some + 7 * length) & (HOSTS - 1);
    }

    private static boolean spells(byte[] bytes, int from, int to, String text) {
        if (to - from != text.length() || from == to) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (bytes[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Why [#read] gave null.
    ProtocolError error() {
        return error == null ? Http1Error.BAD_TARGET : error;
    }

    private @Nullable RequestTarget originForm(
            byte[] bytes, int from, int to, @Nullable String authority) {
        String raw = to - from == 1 ? "/" : text(bytes, from, to);
        return withPath(Form.ORIGIN, raw, raw, scheme(), authority);
    }

    private @Nullable RequestTarget asteriskForm(String method, @Nullable String authority) {
        if (!method.equals("OPTIONS")) {
            error = Http1Error.BAD_TARGET_FORM;
            return null;
        }
        return new RequestTarget(Form.ASTERISK, "*", "*", null, scheme(), authority);
    }

    private @Nullable RequestTarget authorityForm(
            byte[] bytes, int from, int to, @Nullable String host) {
        String raw = text(bytes, from, to);
        if (!Authority.isValid(bytes, from, to) || Authority.port(raw) < 0) {
            error = Http1Error.BAD_TARGET_FORM;
            return null;
        }
        return sameAsHost(raw, host)
                ? new RequestTarget(Form.AUTHORITY, raw, "", null, null, raw)
                : null;
    }

    private @Nullable RequestTarget absoluteForm(
            byte[] bytes, int from, int to, @Nullable String host) {
        String scheme;
        int start;
        if (startsWith(bytes, from, to, "http://")) {
            scheme = "http";
            start = from + 7;
        } else if (startsWith(bytes, from, to, "https://")) {
            scheme = "https";
            start = from + 8;
        } else {
            error =
                    looksAbsolute(bytes, from, to)
                            ? Http1Error.BAD_SCHEME
                            : Http1Error.BAD_TARGET_FORM;
            return null;
        }
        int end = start;
        while (end < to && bytes[end] != '/' && bytes[end] != '?') {
            end++;
        }
        if (!Authority.isValid(bytes, start, end)) {
            error = Http1Error.BAD_AUTHORITY;
            return null;
        }
        if (!secure && scheme.equals("https")) {
            error = Http1Error.HTTPS_IN_CLEAR;
            return null;
        }
        String authority = text(bytes, start, end);
        if (!sameAsHost(authority, host)) {
            return null;
        }
        String rest = text(bytes, end, to);
        String pathAndQuery = rest.startsWith("/") ? rest : "/" + rest;
        return withPath(Form.ABSOLUTE, text(bytes, from, to), pathAndQuery, scheme, authority);
    }

    private boolean sameAsHost(String authority, @Nullable String host) {
        if (host == null || Octets.equalsIgnoreCase(authority, host)) {
            return true;
        }
        error = Http1Error.HOST_DIFFERS;
        return false;
    }

    private static RequestTarget withPath(
            Form form, String raw, String pathAndQuery, String scheme, @Nullable String authority) {
        int mark = pathAndQuery.indexOf('?');
        String path = mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
        String query = mark < 0 ? null : pathAndQuery.substring(mark + 1);
        return new RequestTarget(form, raw, path, query, scheme, authority);
    }

    private String scheme() {
        return secure ? "https" : "http";
    }

    private static boolean looksAbsolute(byte[] bytes, int from, int to) {
        for (int p = from; p + 2 < to; p++) {
            if (bytes[p] == ':' && bytes[p + 1] == '/' && bytes[p + 2] == '/') {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] bytes, int from, int to, String lowerCase) {
        if (to - from < lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            if (lower(bytes[from + i] & 0xff) != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
