package io.margay.protocol.http;

import java.util.ArrayList;
import java.util.List;

/// The `Cookie` field as RFC 6265 §4.2.1 defines it: `name=value` pairs split at `;`.
///
/// White space around names and values is no part of them (RFC 6265 §5.2). A pair that is malformed
/// is dropped and never merged with its neighbour. No quoting, no `$` attributes, no commas as
/// separators: other readings of a cookie are how they get smuggled.
public final class Cookies {
    /// Pairs that are taken from one request; more are dropped, as Tomcat's default has it.
    public static final int COOKIES_MAX = 200;

    /// One cookie of a request.
    ///
    /// @param value as received, with the double quotes it may have been sent in: they are part of
    ///   it (RFC 6265 §5.2, Servlet 6.1 `Cookie.getValue`)
    public record Cookie(String name, String value) {}

    private Cookies() {}

    /// All well-formed cookies of a request in order, from every `Cookie` line.
    public static List<Cookie> decode(Fields fields) {
        int line = fields.indexOf("cookie", 0);
        if (line < 0) {
            return List.of();
        }
        List<Cookie> cookies = new ArrayList<>();
        for (; line >= 0; line = fields.indexOf("cookie", line + 1)) {
            decode(fields.value(line), cookies);
        }
        return cookies;
    }

    /// All well-formed cookies of one field value.
    public static List<Cookie> decode(String value) {
        List<Cookie> cookies = new ArrayList<>();
        decode(value, cookies);
        return cookies;
    }

    private static void decode(String value, List<Cookie> cookies) {
        int from = 0;
        while (from <= value.length() && cookies.size() < COOKIES_MAX) {
            int semicolon = value.indexOf(';', from);
            int to = semicolon < 0 ? value.length() : semicolon;
            pair(value, from, to, cookies);
            from = to + 1;
        }
    }

    private static void pair(String value, int from, int to, List<Cookie> cookies) {
        int start = from;
        int end = to;
        while (start < end && isWhitespace(value.charAt(start))) {
            start++;
        }
        while (end > start && isWhitespace(value.charAt(end - 1))) {
            end--;
        }
        int equals = value.indexOf('=', start);
        if (equals < 0 || equals >= end) {
            return;
        }
        int nameTo = equals;
        while (nameTo > start && isWhitespace(value.charAt(nameTo - 1))) {
            nameTo--;
        }
        String name = value.substring(start, nameTo);
        int valueFrom = equals + 1;
        while (valueFrom < end && isWhitespace(value.charAt(valueFrom))) {
            valueFrom++;
        }
        boolean quoted =
                end - valueFrom >= 2
                        && value.charAt(valueFrom) == '"'
                        && value.charAt(end - 1) == '"';
        int quotes = quoted ? 1 : 0;
        if (Octets.isToken(name) && isValue(value, valueFrom + quotes, end - quotes)) {
            cookies.add(new Cookie(name, value.substring(valueFrom, end)));
        }
    }

    /// Whether all are `cookie-octet`s (RFC 6265 §4.1.1), or obs-text, which applications send.
    private static boolean isValue(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c == '"' || c == ',' || c == ';' || c == '\\' || c == 127) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWhitespace(char c) {
        return c == ' ' || c == '\t';
    }
}
