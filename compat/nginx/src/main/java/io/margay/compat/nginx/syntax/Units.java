package io.margay.compat.nginx.syntax;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Sizes and times as nginx writes them: `8k`, `10m`, `1h 30m`, `500ms`. Stateless.
public final class Units {
    private static final Pattern PART = Pattern.compile("([0-9]{1,12})(ms|[smhdwMy]?)");

    private Units() {}

    /// Bytes; null where it is no size.
    public static @Nullable Long bytes(String text) {
        if (!text.matches("[0-9]{1,15}[kKmMgG]?")) {
            return null;
        }
        char last = Character.toLowerCase(text.charAt(text.length() - 1));
        int shift =
                switch (last) {
                    case 'k' -> 10;
                    case 'm' -> 20;
                    case 'g' -> 30;
                    default -> 0;
                };
        String digits = shift == 0 ? text : text.substring(0, text.length() - 1);
        return Long.parseLong(digits) << shift;
    }

    /// A time; null where it is none.
    public static @Nullable Duration time(String text) {
        String rest = text.replace(" ", "");
        if (rest.isEmpty()) {
            return null;
        }
        Matcher matcher = PART.matcher(rest);
        long millis = 0;
        int at = 0;
        while (at < rest.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                return null;
            }
            millis += Long.parseLong(matcher.group(1)) * millis(matcher.group(2));
            at = matcher.end();
        }
        return Duration.ofMillis(millis);
    }

    /// Seconds, perhaps below 0; null where it is no time.
    public static @Nullable Long seconds(String text) {
        boolean below = text.startsWith("-");
        Duration time = time(below || text.startsWith("+") ? text.substring(1) : text);
        return time == null ? null : below ? -time.toSeconds() : time.toSeconds();
    }

    private static long millis(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            case "d" -> 86_400_000;
            case "w" -> 7 * 86_400_000L;
            case "M" -> 30 * 86_400_000L;
            case "y" -> 365 * 86_400_000L;
            default -> 1_000;
        };
    }
}
