package io.margay.protocol.trace;

import io.margay.protocol.http.Fields;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads lines of access logs in the common and the combined format, as httpd, nginx, Tomcat and
/// Margay write them, also with the name of the host before them. Stateless.
///
/// ```
/// 10.0.0.7 - - [30/Nov/2026:18:31:02 +0000] "GET /list HTTP/1.1" 200 512 "referer" "user agent"
/// ```
public final class AccessLogLine {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    private static final int AGENT = 2;

    private AccessLogLine() {}

    /// Whether a line is one.
    public static boolean isOne(String line) {
        try {
            return read(line) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// Reads one.
    ///
    /// @return null where the client sent something that is not a request
    /// @throws IllegalArgumentException when it is malformed
    public static @Nullable TracedRequest read(String line) {
        int open = line.indexOf('[');
        int close = line.indexOf(']', Math.max(0, open));
        if (open < 0 || close < 0 || line.length() > TraceFormat.LINE_BYTES_MAX) {
            throw TraceFormat.malformed("it has no time in brackets");
        }
        long at = time(line.substring(open + 1, close));
        List<String> quoted = new ArrayList<>();
        int after = quoted(line, close + 1, quoted);
        if (quoted.isEmpty()) {
            throw TraceFormat.malformed("it has no request in quotes");
        }
        long status = TraceFormat.number(word(line, after));
        if (status < 0) {
            throw TraceFormat.malformed("no status is behind its request");
        }
        for (int from = after; from >= 0; ) {
            from = quoted(line, from, quoted);
        }
        String[] words = quoted.getFirst().split(" ", -1);
        if (words.length != 3 || !words[2].startsWith("HTTP/")) {
            return null;
        }
        Fields.Builder fields = new Fields.Builder();
        if (quoted.size() > AGENT && !quoted.get(AGENT).equals("-")) {
            fields.add("User-Agent", quoted.get(AGENT));
        }
        try {
            return TraceFormat.checked(
                    new TracedRequest(at, words[0], words[1], (int) status, fields.build()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static long time(String text) {
        try {
            return OffsetDateTime.parse(text, TIME).toInstant().toEpochMilli();
        } catch (DateTimeException e) {
            throw TraceFormat.malformed("its time is not as in 30/Nov/2026:18:31:02 +0000");
        }
    }

    private static String word(String line, int from) {
        String rest = from < 0 ? "" : line.substring(from).strip();
        int blank = rest.indexOf(' ');
        return blank < 0 ? rest : rest.substring(0, blank);
    }

    /// Finds the next text in quotes.
    ///
    /// @return where it ends; -1 = there is none
    private static int quoted(String line, int from, List<String> all) {
        int open = line.indexOf('"', from);
        if (open < 0) {
            return -1;
        }
        StringBuilder text = new StringBuilder();
        for (int i = open + 1; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                all.add(text.toString());
                return i + 1;
            }
            if (c == '\\' && i + 1 < line.length()) {
                i++;
                c = line.charAt(i);
                boolean room = c == 'x' && i + 2 < line.length();
                int high = room ? Character.digit(line.charAt(i + 1), 16) : -1;
                int low = room ? Character.digit(line.charAt(i + 2), 16) : -1;
                if (high >= 0 && low >= 0) {
                    c = (char) (16 * high + low);
                    i += 2;
                }
            }
            text.append(c);
        }
        return -1;
    }
}
