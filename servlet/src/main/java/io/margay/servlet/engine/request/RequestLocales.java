package io.margay.servlet.engine.request;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// The languages of `Accept-Language`, best first (RFC 9110 §12.5.4). Malformed members are
/// ignored.
final class RequestLocales {
    private static final int RANGES_MAX = 50;
    private static final int QUALITY_MAX = 1000;

    private RequestLocales() {}

    private record Weighted(Locale locale, int quality) {}

    static List<Locale> of(List<String> values) {
        List<Weighted> found = new ArrayList<>();
        for (String value : values) {
            for (String member : value.split(",", RANGES_MAX)) {
                add(found, member);
            }
        }
        found.sort(Comparator.comparingInt(Weighted::quality).reversed());
        List<Locale> locales = found.stream().map(Weighted::locale).distinct().toList();
        return locales.isEmpty() ? List.of(Locale.getDefault()) : locales;
    }

    private static void add(List<Weighted> found, String member) {
        int semicolon = member.indexOf(';');
        String tag = (semicolon < 0 ? member : member.substring(0, semicolon)).strip();
        int quality = semicolon < 0 ? QUALITY_MAX : quality(member.substring(semicolon + 1));
        Locale locale = Locale.forLanguageTag(tag);
        if (quality > 0 && !locale.getLanguage().isEmpty()) {
            found.add(new Weighted(locale, quality));
        }
    }

    /// A `q=0.5` in thousandths; 0 when it is malformed.
    private static int quality(String parameter) {
        String text = parameter.strip();
        if (!text.matches("[qQ]=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")) {
            return 0;
        }
        return (int) Math.round(Double.parseDouble(text.substring(2)) * QUALITY_MAX);
    }
}
