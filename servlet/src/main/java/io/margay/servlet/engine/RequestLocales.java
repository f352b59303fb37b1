package io.margay.servlet.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The languages of `Accept-Language`, best first (RFC 9110 §12.5.4).
final class RequestLocales {
    private static final int RANGES_MAX = 50;

    private RequestLocales() {}

    static List<Locale> of(List<String> values) {
        List<Locale> locales = new ArrayList<>();
        for (String value : values) {
            try {
                for (Locale.LanguageRange range : Locale.LanguageRange.parse(value)) {
                    if (range.getWeight() > 0 && locales.size() < RANGES_MAX) {
                        add(locales, range.getRange());
                    }
                }
            } catch (IllegalArgumentException e) {
                // A malformed field says nothing about languages: RFC 9110 §12.1 lets it be
                // ignored.
                continue;
            }
        }
        return locales.isEmpty() ? List.of(Locale.getDefault()) : locales;
    }

    private static void add(List<Locale> locales, String tag) {
        Locale locale = Locale.forLanguageTag(tag);
        if (!locale.getLanguage().isEmpty() && !locales.contains(locale)) {
            locales.add(locale);
        }
    }
}
