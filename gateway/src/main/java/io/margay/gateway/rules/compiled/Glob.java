package io.margay.gateway.rules.compiled;

/// Wildcards of mod_jk's mappings: `*` any run of characters, slashes too, and `?` one. Stateless.
final class Glob {
    private Glob() {}

    /// Whether the pattern takes the whole text. Takes at most pattern × text steps.
    static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int resume = 0;
        while (t < text.length()) {
            char c = p < pattern.length() ? pattern.charAt(p) : 0;
            if (p < pattern.length() && c == '*') {
                star = p++;
                resume = t;
            } else if (p < pattern.length() && (c == '?' || c == text.charAt(t))) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++resume;
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
