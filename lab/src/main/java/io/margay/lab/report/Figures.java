package io.margay.lab.report;

import java.util.Locale;

/// Numbers as reports write them. Stateless.
final class Figures {
    private Figures() {}

    /// With so many digits that the third counts: `0.0630`, `12.7`, `157309`.
    static String of(double value) {
        double size = Math.abs(value);
        String format =
                size == 0
                        ? "%.0f"
                        : size < 1 ? "%.4f" : size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, format, value);
    }

    /// With thousands apart: `157 309`.
    static String count(double value) {
        return String.format(Locale.ROOT, "%,.0f", value).replace(',', '\u202f');
    }

    /// Milliseconds.
    static String millis(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }
}
