package io.margay.servlet.session.engine;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which save has put or removed an attribute last. Immutable.
///
/// @param version that the session had by that save
/// @param writer the server that saved
/// @param order the number of the save among those of that server
/// @param begunMillis when the request began, see [ChangeOrigin]
public record ChangeMark(long version, String writer, long order, long begunMillis) {
    private static final Pattern TEXT =
            Pattern.compile("(\\d{1,18}):(\\w{1,32}):(\\d{1,18}):(\\d{1,18})");

    /// Its form in an engine: `VERSION:WRITER:ORDER:BEGUN`.
    public String text() {
        return version + ":" + writer + ":" + order + ":" + begunMillis;
    }

    /// A mark in that form; null for anything else, as the empty text of an attribute without one.
    public static @Nullable ChangeMark of(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? new ChangeMark(
                        Long.parseLong(parts.group(1)),
                        parts.group(2),
                        Long.parseLong(parts.group(3)),
                        Long.parseLong(parts.group(4)))
                : null;
    }
}
