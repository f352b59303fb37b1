package io.margay.gateway.listing;

/// `*` for any characters and `?` for one, in time that is bounded by the product of both lengths.
/// Stateless.
final class Wildcards {
    private Wildcards() {}

    static boolean hasSome(String pattern) {
        return pattern.indexOf('*') >= 0 || pattern.indexOf('?') >= 0;
    }

    static boolean match(String pattern, String text) {
        int p = 0;
        int star = -1;
        int from = 0;
        int t = 0;
        while (t < text.length()) {
            char c = p < pattern.length() ? pattern.charAt(p) : 0;
            if (p < pattern.length() && c == '*') {
                star = p++;
                from = t;
            } else if (p < pattern.length() && (c == '?' || c == text.charAt(t))) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++from;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
