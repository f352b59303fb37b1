package io.margay.protocol.http;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;

/// Dates in fields (RFC 9110 §5.6.7). Written in one form, read in three.
public final class HttpDate {
    /// Bytes of a date as it is written.
    public static final int BYTES = 29;

    /// What [#parse] gives for a text that is no date.
    public static final long INVALID = Long.MIN_VALUE;

    private static final long SECONDS_PER_DAY = 86_400;
    private static final String DAYS = "MonTueWedThuFriSatSun";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final String[] LONG_DAYS = {
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
    };
    private static final long EPOCH_SECOND_MIN = -62_135_596_800L; // 0001-01-01
    private static final long EPOCH_SECOND_MAX = 253_402_300_799L; // 9999-12-31

    private HttpDate() {}

    /// The date as IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// @param epochSecond seconds since 1970, within the years 1 to 9999
    public static String format(long epochSecond) {
        byte[] bytes = new byte[BYTES];
        write(epochSecond, bytes, 0);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Writes the date as IMF-fixdate.
    ///
    /// @return offset after it, [#BYTES] further on
    public static int write(long epochSecond, byte[] target, int offset) {
        if (epochSecond < EPOCH_SECOND_MIN || epochSecond > EPOCH_SECOND_MAX) {
            throw new IllegalArgumentException("no four-digit year: " + epochSecond);
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(epochSecond, SECONDS_PER_DAY));
        int second = (int) Math.floorMod(epochSecond, SECONDS_PER_DAY);
        int p = put(target, offset, DAYS, 3 * (date.getDayOfWeek().getValue() - 1), 3);
        p = put(target, p, ", ", 0, 2);
        p = digits(target, p, date.getDayOfMonth());
        target[p++] = ' ';
        p = put(target, p, MONTHS, 3 * (date.getMonthValue() - 1), 3);
        target[p++] = ' ';
        p = digits(target, p, date.getYear() / 100);
        p = digits(target, p, date.getYear() % 100);
        target[p++] = ' ';
        p = digits(target, p, second / 3600);
        target[p++] = ':';
        p = digits(target, p, second / 60 % 60);
        target[p++] = ':';
        p = digits(target, p, second % 60);
        return put(target, p, " GMT", 0, 4);
    }

    /// The `Date` line with its line end, for a cache that is renewed once a second.
    public static byte[] line(long epochSecond) {
        byte[] line = new byte[6 + BYTES + 2];
        int p = put(line, 0, "Date: ", 0, 6);
        p = write(epochSecond, line, p);
        line[p] = '\r';
        line[p + 1] = '\n';
        return line;
    }

    /// Reads IMF-fixdate, the obsolete RFC 850 form, or asctime's form.
    ///
    /// @param nowEpochSecond tells the century of a two-digit year: one that seems more than 50
    ///   years ahead lies in the past
    /// @return seconds since 1970, or [#INVALID]
    public static long parse(String text, long nowEpochSecond) {
        try {
            if (text.length() == BYTES && text.charAt(3) == ',') {
                return fixdate(text);
            }
            return text.indexOf(',') > 0 ? rfc850(text, nowEpochSecond) : asctime(text);
        } catch (DateTimeException | IndexOutOfBoundsException e) {
            return INVALID;
        }
    }

    /// Reads a date without a two-digit year, or one whose century is told by the year 2000.
    public static long parse(String text) {
        return parse(text, 946_684_800L);
    }

    private static long fixdate(String s) {
        if (name(DAYS, s.substring(0, 3)) < 0 || !spells(s, 3, ", ") || !spells(s, 25, " GMT")) {
            return INVALID;
        }
        int month = name(MONTHS, s.substring(8, 11));
        boolean separated = s.charAt(7) == ' ' && s.charAt(11) == ' ' && s.charAt(16) == ' ';
        int year = number(s, 12, 4);
        return separated ? seconds(year, month, number(s, 5, 2), s, 17) : INVALID;
    }

    private static long rfc850(String s, long nowEpochSecond) {
        int comma = s.indexOf(',');
        boolean day = false;
        for (String name : LONG_DAYS) {
            day |= name.equals(s.substring(0, comma));
        }
        int p = comma + 2;
        if (!day
                || s.length() != p + 22
                || s.charAt(comma + 1) != ' '
                || !spells(s, p + 18, " GMT")) {
            return INVALID;
        }
        if (s.charAt(p + 2) != '-' || s.charAt(p + 6) != '-' || s.charAt(p + 9) != ' ') {
            return INVALID;
        }
        int month = name(MONTHS, s.substring(p + 3, p + 6));
        int twoDigits = number(s, p + 7, 2);
        int thisYear =
                LocalDate.ofEpochDay(Math.floorDiv(nowEpochSecond, SECONDS_PER_DAY)).getYear();
        int year = twoDigits < 0 ? -1 : thisYear - thisYear % 100 + twoDigits;
        if (year > thisYear + 50) {
            year -= 100;
        }
        return seconds(year, month, number(s, p, 2), s, p + 10);
    }

    private static long asctime(String s) {
        if (s.length() != 24 || name(DAYS, s.substring(0, 3)) < 0) {
            return INVALID;
        }
        boolean separated =
                s.charAt(3) == ' '
                        && s.charAt(7) == ' '
                        && s.charAt(10) == ' '
                        && s.charAt(19) == ' ';
        int month = name(MONTHS, s.substring(4, 7));
        int day = s.charAt(8) == ' ' ? number(s, 9, 1) : number(s, 8, 2);
        return separated ? seconds(number(s, 20, 4), month, day, s, 11) : INVALID;
    }

    private static long seconds(int year, int month, int day, String s, int time) {
        int hour = number(s, time, 2);
        int minute = number(s, time + 3, 2);
        int second = number(s, time + 6, 2);
        if (year < 1
                || month < 0
                || day < 1
                || hour < 0
                || hour > 23
                || minute < 0
                || minute > 59) {
            return INVALID;
        }
        // 60 is a leap second, which counts as the next minute's first.
        if (second < 0 || second > 60 || s.charAt(time + 2) != ':' || s.charAt(time + 5) != ':') {
            return INVALID;
        }
        long days = LocalDate.of(year, month + 1, day).toEpochDay();
        return days * SECONDS_PER_DAY + hour * 3600L + minute * 60L + second;
    }

    private static int name(String names, String name) {
        for (int i = 0; i < names.length(); i += 3) {
            if (names.startsWith(name, i)) {
                return i / 3;
            }
        }
        return -1;
    }

    private static int number(String s, int from, int digits) {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = s.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static boolean spells(String s, int at, String wanted) {
        return s.startsWith(wanted, at);
    }

    private static int digits(byte[] target, int offset, int value) {
        target[offset] = (byte) ('0' + value / 10);
        target[offset + 1] = (byte) ('0' + value % 10);
        return offset + 2;
    }

    private static int put(byte[] target, int offset, String text, int from, int length) {
        for (int i = 0; i < length; i++) {
            target[offset + i] = (byte) text.charAt(from + i);
        }
        return offset + length;
    }
}
