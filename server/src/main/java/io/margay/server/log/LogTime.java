package io.margay.server.log;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;

/// `strftime` patterns as `DateTimeFormatter`s. Stateless.
final class LogTime {
    private LogTime() {}

    /// Translates a pattern such as `%Y-%m-%d`.
    ///
    /// @param offset where the pattern begins in the format, for messages
    static DateTimeFormatter strftime(String pattern, int offset) {
        DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder();
        boolean converts = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (converts) {
                if (!append(builder, c)) {
                    throw new LogFormatException("unknown time conversion %" + c, offset + i - 1);
                }
                converts = false;
            } else if (c == '%') {
                converts = true;
            } else {
                builder.appendLiteral(c);
            }
        }
        if (converts) {
            throw new LogFormatException(
                    "an unfinished time conversion", offset + pattern.length());
        }
        return builder.toFormatter(Locale.ROOT);
    }

    private static boolean append(DateTimeFormatterBuilder builder, char conversion) {
        String letters =
                switch (conversion) {
                    case 'Y' -> "uuuu";
                    case 'y' -> "uu";
                    case 'm' -> "MM";
                    case 'd' -> "dd";
                    case 'H' -> "HH";
                    case 'I' -> "hh";
                    case 'M' -> "mm";
                    case 'S' -> "ss";
                    case 'j' -> "DDD";
                    case 'z' -> "xx";
                    case 'Z' -> "zzz";
                    case 'F' -> "uuuu-MM-dd";
                    case 'T' -> "HH:mm:ss";
                    case 'R' -> "HH:mm";
                    case 'D' -> "MM/dd/uu";
                    default -> "";
                };
        if (!letters.isEmpty()) {
            builder.append(DateTimeFormatter.ofPattern(letters, Locale.ROOT));
            return true;
        }
        switch (conversion) {
            case 'a' -> builder.appendText(ChronoField.DAY_OF_WEEK, TextStyle.SHORT);
            case 'A' -> builder.appendText(ChronoField.DAY_OF_WEEK, TextStyle.FULL);
            case 'b', 'h' -> builder.appendText(ChronoField.MONTH_OF_YEAR, TextStyle.SHORT);
            case 'B' -> builder.appendText(ChronoField.MONTH_OF_YEAR, TextStyle.FULL);
            case 'p' -> builder.appendText(ChronoField.AMPM_OF_DAY);
            case 'e' -> builder.padNext(2).appendValue(ChronoField.DAY_OF_MONTH);
            case 'k' -> builder.padNext(2).appendValue(ChronoField.HOUR_OF_DAY);
            case 's' -> builder.appendValue(ChronoField.INSTANT_SECONDS);
            case 'u' -> builder.appendValue(ChronoField.DAY_OF_WEEK);
            case 'n' -> builder.appendLiteral('\n');
            case 't' -> builder.appendLiteral('\t');
            case '%' -> builder.appendLiteral('%');
            default -> {
                return false;
            }
        }
        return true;
    }

    /// `[10/Oct/2000:13:55:36 -0700]`, the common log's time.
    static final DateTimeFormatter COMMON =
            DateTimeFormatter.ofPattern("'['dd/MMM/uuuu:HH:mm:ss xx']'", Locale.ROOT);

    /// The common log's time, formatted once a second.
    static final class Cache {
        private record Second(long second, String text) {}

        private volatile Second last = new Second(Long.MIN_VALUE, "");

        String common(long millis, java.time.ZoneId zone) {
            long second = Math.floorDiv(millis, 1000L);
            Second known = last;
            if (known.second != second) {
                ZonedDateTime time =
                        ZonedDateTime.ofInstant(java.time.Instant.ofEpochSecond(second), zone);
                known = new Second(second, COMMON.format(time));
                last = known;
            }
            return known.text;
        }
    }
}
