package io.margay.protocol.trace;

import io.margay.protocol.http.Fields;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A trace as a file of text: the first line names the format, each other one is a request with
/// tabs between its parts. Stateless.
///
/// ```
/// # margay trace 1
/// 1764527400123 GET /list?page=x 200 Host: shop.example Accept: text/html
/// ```
public final class TraceFormat {
    /// The first line.
    public static final String HEAD = "# margay trace 1";

    /// A line that is longer is not written, and not read.
    public static final int LINE_BYTES_MAX = 16 * 1024;

    private static final int DIGITS_MAX = 15;
    private static final int STATUS_MAX = 999;
    private static final int PARTS = 4;

    private TraceFormat() {}

    /// The line of a request, without its end.
    ///
    /// @return null when it cannot be written: too long, or with characters that no request has
    public static @Nullable String write(TracedRequest request) {
        StringBuilder line = new StringBuilder();
        line.append(request.atMillis()).append('\t').append(request.method());
        line.append('\t').append(request.target()).append('\t').append(request.status());
        Fields fields = request.fields();
        for (int i = 0; i < fields.size(); i++) {
            line.append('\t').append(fields.name(i)).append(": ");
            line.append(fields.value(i).replace('\t', ' '));
        }
        long tabs = line.chars().filter(c -> c == '\t').count();
        boolean plain = line.chars().noneMatch(c -> (c < ' ' && c != '\t') || c == 0x7f);
        boolean whole = tabs == PARTS - 1L + fields.size();
        boolean fits = line.toString().getBytes(StandardCharsets.UTF_8).length <= LINE_BYTES_MAX;
        return plain && whole && fits ? line.toString() : null;
    }

    /// Reads a line.
    ///
    /// @return null for one that has no request, such as the first
    /// @throws IllegalArgumentException when it is malformed
    public static @Nullable TracedRequest read(String line) {
        if (line.isEmpty() || line.startsWith("#")) {
            return null;
        }
        String[] parts = line.split("\t", -1);
        if (parts.length < PARTS || line.length() > LINE_BYTES_MAX) {
            throw malformed("it has no time, method, target and status");
        }
        long at = number(parts[0]);
        long status = number(parts[3]);
        if (at < 0 || status < 0 || status > STATUS_MAX) {
            throw malformed("its time or status is not a number");
        }
        Fields.Builder fields = new Fields.Builder();
        for (int i = PARTS; i < parts.length; i++) {
            int colon = parts[i].indexOf(": ");
            if (colon < 1 || !isToken(parts[i].substring(0, colon))) {
                throw malformed("part " + (i + 1) + " is not a field");
            }
            fields.add(parts[i].substring(0, colon), parts[i].substring(colon + 2));
        }
        return checked(new TracedRequest(at, parts[1], parts[2], (int) status, fields.build()));
    }

    /// A request that can be sent.
    ///
    /// @throws IllegalArgumentException when it cannot be
    static TracedRequest checked(TracedRequest request) {
        if (!isToken(request.method())) {
            throw malformed("its method is not one");
        }
        boolean path = request.target().startsWith("/") || request.target().equals("*");
        if (!path || request.target().chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw malformed("its target is not a path");
        }
        for (int i = 0; i < request.fields().size(); i++) {
            if (request.fields().value(i).chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
                throw malformed("the value of a field has control characters");
            }
        }
        return request;
    }

    private static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(c ->
                                (c >= '0' && c <= '9')
                                        || (c >= 'A' && c <= 'Z')
                                        || (c >= 'a' && c <= 'z')
                                        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
    }

    /// Digits as a number, or -1.
    static long number(String text) {
        if (text.isEmpty() || text.length() > DIGITS_MAX) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = 10 * number + (c - '0');
        }
        return number;
    }

    static IllegalArgumentException malformed(String why) {
        return new IllegalArgumentException("malformed: " + why);
    }
}
