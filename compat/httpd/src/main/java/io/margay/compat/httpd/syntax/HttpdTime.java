package io.margay.compat.httpd.syntax;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Times as httpd writes them. Stateless.
public final class HttpdTime {
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(us|ms|mi|min|s|h)?");

    private HttpdTime() {}

    /// Reads `30`, `500ms`, `2s`, `1mi`, `1h`.
    ///
    /// @param unitMillis what a number without a unit is
    public static Optional<Duration> parse(String text, int unitMillis) {
        Matcher matcher = TIME.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2);
        return Optional.of(
                switch (unit == null ? "" : unit) {
                    case "us" -> Duration.ofNanos(number * 1000);
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    case "mi", "min" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    default -> Duration.ofMillis(number * unitMillis);
                });
    }
}
