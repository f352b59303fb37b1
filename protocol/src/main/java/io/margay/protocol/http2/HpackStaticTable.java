package io.margay.protocol.http2;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// The static table of HPACK (RFC 7541 Appendix A). Immutable.
final class HpackStaticTable {
    /// The highest index.
    static final int SIZE = 61;

    private static final String[] LINES = {
        ":authority",
        "",
        ":method",
        "GET",
        ":method",
        "POST",
        ":path",
        "/",
        ":path",
        "/index.html",
        ":scheme",
        "http",
        ":scheme",
        "https",
        ":status",
        "200",
        ":status",
        "204",
        ":status",
        "206",
        ":status",
        "304",
        ":status",
        "400",
        ":status",
        "404",
        ":status",
        "500",
        "accept-charset",
        "",
        "accept-encoding",
        "gzip, deflate",
        "accept-language",
        "",
        "accept-ranges",
        "",
        "accept",
        "",
        "access-control-allow-origin",
        "",
        "age",
        "",
        "allow",
        "",
        "authorization",
        "",
        "cache-control",
        "",
        "content-disposition",
        "",
        "content-encoding",
        "",
        "content-language",
        "",
        "content-length",
        "",
        "content-location",
        "",
        "content-range",
        "",
        "content-type",
        "",
        "cookie",
        "",
        "date",
        "",
        "etag",
        "",
        "expect",
        "",
        "expires",
        "",
        "from",
        "",
        "host",
        "",
        "if-match",
        "",
        "if-modified-since",
        "",
        "if-none-match",
        "",
        "if-range",
        "",
        "if-unmodified-since",
        "",
        "last-modified",
        "",
        "link",
        "",
        "location",
        "",
        "max-forwards",
        "",
        "proxy-authenticate",
        "",
        "proxy-authorization",
        "",
        "range",
        "",
        "referer",
        "",
        "refresh",
        "",
        "retry-after",
        "",
        "server",
        "",
        "set-cookie",
        "",
        "strict-transport-security",
        "",
        "transfer-encoding",
        "",
        "user-agent",
        "",
        "vary",
        "",
        "via",
        "",
        "www-authenticate",
        ""
    };

    private static final byte[][] NAMES = new byte[SIZE][];
    private static final byte[][] VALUES = new byte[SIZE][];
    private static final Map<String, Integer> FIRST = new HashMap<>();

    static {
        for (int i = 0; i < SIZE; i++) {
            NAMES[i] = LINES[2 * i].getBytes(StandardCharsets.US_ASCII);
            VALUES[i] = LINES[2 * i + 1].getBytes(StandardCharsets.US_ASCII);
            FIRST.putIfAbsent(LINES[2 * i], i + 1);
        }
    }

    private HpackStaticTable() {}

    /// The name of an index from 1.
    static byte[] name(int index) {
        return NAMES[index - 1];
    }

    /// The value of an index from 1.
    static byte[] value(int index) {
        return VALUES[index - 1];
    }

    /// The first index of a name in lower case, or 0.
    static int indexOf(String name) {
        return FIRST.getOrDefault(name, 0);
    }

    /// The index of a whole field, given the first of its name; or 0.
    static int indexOf(int first, String value) {
        for (int i = first; i <= SIZE && LINES[2 * i - 2].equals(LINES[2 * first - 2]); i++) {
            if (LINES[2 * i - 1].equals(value)) {
                return i;
            }
        }
        return 0;
    }
}
