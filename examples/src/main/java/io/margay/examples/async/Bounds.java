package io.margay.examples.async;

import jakarta.servlet.http.HttpServletRequest;

/// Whole-number request parameters, kept within bounds. Stateless.
final class Bounds {
    private Bounds() {}

    /// The parameter's value, or the nearest bound, or `absent` when it is missing or no number.
    static int intParameter(HttpServletRequest request, String name, int absent, int min, int max) {
        String value = request.getParameter(name);
        if (value == null || !value.matches("[0-9]{1,9}")) {
            return absent;
        }
        return Math.clamp(Long.parseLong(value), min, max);
    }
}
