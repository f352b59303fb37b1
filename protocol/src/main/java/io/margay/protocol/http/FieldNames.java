package io.margay.protocol.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The names that fields usually have, in their usual spellings, each as one string that is not
/// made anew for every message. Immutable.
public final class FieldNames {
    /// Fields of one connection that no message needs beyond it, in lower case (RFC 9110 §7.6.1).
    public static final Set<String> OF_CONNECTION =
            Set.of(
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    /// More than four times the spellings, so that few lookups meet two of them.
    private static final int SLOTS = 1024;

    private static final String[] NAMES = {
        "Accept",
        "Accept-Charset",
        "Accept-Encoding",
        "Accept-Language",
        "Accept-Ranges",
        "Access-Control-Allow-Origin",
        "Age",
        "Allow",
        "Alt-Svc",
        "Authorization",
        "Cache-Control",
        "Connection",
        "Content-Disposition",
        "Content-Encoding",
        "Content-Language",
        "Content-Length",
        "Content-Location",
        "Content-Range",
        "Content-Security-Policy",
        "Content-Type",
        "Cookie",
        "Date",
        "DNT",
        "ETag",
        "Expect",
        "Expires",
        "Forwarded",
        "From",
        "Host",
        "If-Match",
        "If-Modified-Since",
        "If-None-Match",
        "If-Range",
        "If-Unmodified-Since",
        "Keep-Alive",
        "Last-Modified",
        "Link",
        "Location",
        "Max-Forwards",
        "Origin",
        "Pragma",
        "Priority",
        "Proxy-Authenticate",
        "Proxy-Authorization",
        "Range",
        "Referer",
        "Referrer-Policy",
        "Refresh",
        "Retry-After",
        "Sec-Ch-Ua",
        "Sec-Ch-Ua-Mobile",
        "Sec-Ch-Ua-Platform",
        "Sec-Fetch-Dest",
        "Sec-Fetch-Mode",
        "Sec-Fetch-Site",
        "Sec-Fetch-User",
        "Sec-WebSocket-Accept",
        "Sec-WebSocket-Extensions",
        "Sec-WebSocket-Key",
        "Sec-WebSocket-Protocol",
        "Sec-WebSocket-Version",
        "Server",
        "Set-Cookie",
        "Strict-Transport-Security",
        "TE",
        "Trailer",
        "Transfer-Encoding",
        "Upgrade",
        "Upgrade-Insecure-Requests",
        "User-Agent",
        "Vary",
        "Via",
        "WWW-Authenticate",
        "X-Content-Type-Options",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Port",
        "X-Forwarded-Proto",
        "X-Forwarded-Server",
        "X-Frame-Options",
        "X-Powered-By",
        "X-Real-IP",
        "X-Request-ID",
        "X-Request-Id",
        "X-Requested-With",
    };

    private static final @Nullable String[] TEXTS = new @Nullable String[SLOTS];
    private static final byte[][] SPELLINGS = new byte[SLOTS][];

    /// Each of the spellings, to lower case.
    private static final Map<String, String> LOWER = new HashMap<>();

    static {
        for (String name : NAMES) {
            put(name);
            String lower = name.toLowerCase(Locale.ROOT);
            if (LOWER.put(lower, lower) == null) {
                put(lower);
            }
            LOWER.put(name, lower);
        }
    }

    private FieldNames() {}

    private static void put(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
        int slot = slot(bytes, 0, bytes.length);
        while (TEXTS[slot] != null) {
            slot = next(slot);
        }
        TEXTS[slot] = name;
        SPELLINGS[slot] = bytes;
    }

    /// Whether this is one of the names, in a usual spelling, and so a token.
    public static boolean isUsual(String name) {
        return LOWER.containsKey(name);
    }

    /// The name in lower case.
    public static String lowerCase(String name) {
        String known = LOWER.get(name);
        return known != null ? known : name.toLowerCase(Locale.ROOT);
    }

    /// The name that `bytes[from,to)` spells.
    static String text(byte[] bytes, int from, int to) {
        if (from < to) {
            int slot = slot(bytes, from, to);
            for (String known = TEXTS[slot]; known != null; known = TEXTS[slot]) {
                byte[] spelling = SPELLINGS[slot];
                if (Arrays.equals(spelling, 0, spelling.length, bytes, from, to)) {
                    return known;
                }
                slot = next(slot);
            }
        }
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static int slot(byte[] bytes, int from, int to) {
        int hash = (to - from) * 31 + bytes[from];
        hash = hash * 31 + bytes[(from + to) >>> 1];
        hash = hash * 31 + bytes[to - 1];
        return (hash ^ (hash >>> 10)) & (SLOTS - 1);
    }

    private static int next(int slot) {
        return (slot + 1) & (SLOTS - 1);
    }
}
