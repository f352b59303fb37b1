package io.margay.protocol.http1;

import java.nio.charset.StandardCharsets;

/// Request methods as shared strings, so that the usual ones cost no allocation.
final class Method {
    private static final String[] USUAL = {
        "GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"
    };

    private Method() {}

    /// The method that `bytes[from,to)` spells; methods are case-sensitive (RFC 9110 §9.1).
    static String of(byte[] bytes, int from, int to) {
        for (String method : USUAL) {
            if (method.length() == to - from && spells(bytes, from, method)) {
                return method;
            }
        }
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /// Whether `bytes[from,to)` begins with a usual method and a space.
    static boolean isUsual(byte[] bytes, int from, int to) {
        for (String method : USUAL) {
            if (isWord(method, bytes, from, to)) {
                return true;
            }
        }
        return false;
    }

    /// Whether `bytes[from,to)` begins with that word and a space.
    static boolean isWord(String word, byte[] bytes, int from, int to) {
        int end = from + word.length();
        return end < to && bytes[end] == ' ' && spells(bytes, from, word);
    }

    private static boolean spells(byte[] bytes, int from, String method) {
        for (int i = 0; i < method.length(); i++) {
            if (bytes[from + i] != method.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
