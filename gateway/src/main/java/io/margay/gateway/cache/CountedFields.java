package io.margay.gateway.cache;

import io.margay.gateway.rules.CacheRule;
import io.margay.protocol.http.FieldList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The fields of a response that count when it is decided whether and how long it is kept: without
/// those that a rule ignores or drops, and with `X-Accel-Expires` as nginx reads it. Stateless.
final class CountedFields {
    private static final String ACCEL = "X-Accel-Expires";
    private static final String CONTROL = "Cache-Control";

    /// They say for whom a response is, and count also where they are not kept.
    private static final List<String> HEEDED =
            List.of(CONTROL, "CDN-Cache-Control", "Expires", "Margay-Cache-Control");

    private CountedFields() {}

    /// Those of a response.
    ///
    /// @return the same list where all count
    static FieldList of(CacheRule.Responses rule, FieldList fields, long nowSecond) {
        if (!rule.asSent() && rule.ignored().isEmpty() && rule.dropped().isEmpty()) {
            return fields;
        }
        FieldList counted = new FieldList();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            boolean drops = isAmong(name, rule.dropped()) && !isAmong(name, HEEDED);
            if (!drops && !isAmong(name, rule.ignored())) {
                counted.add(name, fields.value(i));
            }
        }
        String accel = rule.asSent() ? counted.get(ACCEL) : null;
        Long seconds = accel == null ? null : seconds(accel, nowSecond);
        if (seconds != null) {
            String control =
                    seconds <= 0
                            ? "no-store"
                            : "max-age=" + seconds + extensions(counted.get(CONTROL));
            counted.remove("Expires");
            counted.set(CONTROL, control);
        }
        return counted;
    }

    private static boolean isAmong(String name, Iterable<String> names) {
        for (String one : names) {
            if (one.equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /// Seconds, or `@` and a time since 1970; null for anything else.
    private static @Nullable Long seconds(String accel, long nowSecond) {
        boolean at = accel.startsWith("@");
        String digits = at ? accel.substring(1) : accel;
        if (digits.isEmpty() || digits.length() > 15 || !digits.chars().allMatch(c -> isDigit(c))) {
            return null;
        }
        long said = 0;
        for (int i = 0; i < digits.length(); i++) {
            said = said * 10 + digits.charAt(i) - '0';
        }
        return at ? said - nowSecond : said;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /// What of `Cache-Control` holds beside it.
    private static String extensions(@Nullable String control) {
        StringBuilder kept = new StringBuilder();
        for (String one : control == null ? new String[0] : control.split(",", -1)) {
            if (one.strip().toLowerCase(Locale.ROOT).startsWith("stale-")) {
                kept.append(", ").append(one.strip());
            }
        }
        return kept.toString();
    }
}
