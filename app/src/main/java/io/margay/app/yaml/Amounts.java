package io.margay.app.yaml;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Numbers, times and sizes as people write them.
public final class Amounts {
    static final String WHOLE_PATTERN = "^-?[0-9]+$|\\$\\{";
    static final String DURATION_PATTERN = "^[0-9]+(ms|s|m|h|d)$|\\$\\{";
    static final String BYTES_PATTERN = "^-?[0-9]+(B|KiB|MiB|GiB)?$|\\$\\{";

    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Pattern BYTES = Pattern.compile("(-?[0-9]{1,15})(B|KiB|MiB|GiB)?");

    private Amounts() {}

    /// A whole number within bounds.
    static Long whole(String text, long min, long max) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException("");
        }
        return bounded(Long.parseLong(text), min, max);
    }

    /// A time with its unit, such as `30s`.
    public static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    /// A number of bytes with or without unit.
    static Long bytes(String text, long min, long max) {
        Matcher matcher = BYTES.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("");
        }
        String unit = matcher.group(2) == null ? "B" : matcher.group(2);
        long factor =
                switch (unit) {
                    case "KiB" -> 1L << 10;
                    case "MiB" -> 1L << 20;
                    case "GiB" -> 1L << 30;
                    default -> 1;
                };
        return bounded(Math.multiplyExact(Long.parseLong(matcher.group(1)), factor), min, max);
    }

    /// The shortest way to write a time, the inverse of [#duration].
    public static String write(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds % 3600 == 0 && seconds > 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + "m" : seconds + "s";
    }

    private static Long bounded(long number, long min, long max) {
        if (number < min) {
            throw new IllegalArgumentException("it must be at least " + min);
        }
        if (number > max) {
            throw new IllegalArgumentException("it must be at most " + max);
        }
        return number;
    }
}
