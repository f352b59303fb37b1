package io.margay.compat.httpd.jk;

import org.jspecify.annotations.Nullable;

/// Turns `JkRequestLogFormat` with `JkLogStampFormat` into a format of the access log. Stateless.
public final class JkLogFormat {
    /// The stamp where none is said.
    static final String STAMP_DEFAULT = "[%a %b %d %H:%M:%S.%Q %Y] ";

    private JkLogFormat() {}

    /// The format: a stamp, then what the format says.
    public static String translate(@Nullable String stamp, String format) {
        return stamp(stamp == null ? STAMP_DEFAULT : stamp) + items(format);
    }

    /// `%Q` is milliseconds, `%q` microseconds; the rest is `strftime`'s.
    private static String stamp(String stamp) {
        StringBuilder result = new StringBuilder();
        StringBuilder part = new StringBuilder();
        int i = 0;
        while (i < stamp.length()) {
            char c = stamp.charAt(i);
            char next = i + 1 < stamp.length() ? stamp.charAt(i + 1) : 0;
            boolean conversion = c == '%' && next != 0;
            i += conversion ? 2 : 1;
            if (conversion && (next == 'Q' || next == 'q')) {
                flush(part, result);
                result.append(next == 'Q' ? "%{end:msec_frac}t" : "%{end:usec_frac}t");
            } else if (conversion) {
                part.append(c).append(next);
            } else {
                part.append(c);
            }
        }
        flush(part, result);
        return result.toString();
    }

    private static void flush(StringBuilder part, StringBuilder result) {
        if (!part.isEmpty()) {
            result.append("%{end:").append(part).append("}t");
            part.setLength(0);
        }
    }

    private static String items(String format) {
        StringBuilder result = new StringBuilder();
        int i = 0;
        while (i < format.length()) {
            char c = format.charAt(i);
            char next = i + 1 < format.length() ? format.charAt(i + 1) : 0;
            boolean conversion = c == '%' && next != 0;
            i += conversion ? 2 : 1;
            if (!conversion) {
                result.append(c);
                continue;
            }
            switch (next) {
                case 'w' -> result.append("%{JK_WORKER_NAME}n");
                case 'R' -> result.append("%{JK_LB_LAST_NAME}n");
                case 'T' -> result.append("%{s.us}T");
                default -> result.append('%').append(next);
            }
        }
        return result.toString();
    }
}
