package io.margay.compat.httpd.context;

import io.margay.compat.httpd.syntax.DirectiveWords;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A log that httpd writes to a program, which writes files that change with time: these are
/// written without it. Immutable.
///
/// @param file where to, with conversions of `strftime`
/// @param text what is otherwise; empty for nothing
record PipedLog(String file, String text) {
    private static final Set<String> WITH_VALUE = Set.of("-L", "-p", "-n", "-S", "-P", "-H", "-l");
    private static final long DAY = 86_400;
    private static final long HOUR = 3_600;

    /// Reads `|COMMAND`; empty for other programs than `rotatelogs` and `cronolog`.
    static Optional<PipedLog> of(String text) {
        List<String> words = DirectiveWords.of(text.replaceFirst("^\\|[|$]?\\s*", ""));
        String program = words.isEmpty() ? "" : words.getFirst().replaceFirst(".*/", "");
        boolean rotates = program.equals("rotatelogs");
        if (!rotates && !program.equals("cronolog")) {
            return Optional.empty();
        }
        int at = 1;
        while (at < words.size() && words.get(at).startsWith("-")) {
            String option = words.get(at);
            boolean valued = WITH_VALUE.contains(option) && !(rotates && option.equals("-l"));
            at += valued ? 2 : 1;
        }
        if (at >= words.size()) {
            return Optional.empty();
        }
        String file = words.get(at);
        return Optional.of(
                rotates
                        ? rotated(file, at + 1 < words.size() ? words.get(at + 1) : "")
                        : new PipedLog(file, ""));
    }

    /// @param when seconds, or a size such as `5M`
    private static PipedLog rotated(String file, String when) {
        if (!when.matches("[0-9]{1,9}")) {
            return new PipedLog(file, "is not rotated by its size, but when its name changes");
        }
        if (file.indexOf('%') >= 0) {
            return new PipedLog(file, "");
        }
        long seconds = Long.parseLong(when);
        String suffix =
                seconds >= DAY ? ".%Y-%m-%d" : seconds >= HOUR ? ".%Y-%m-%d-%H" : ".%Y-%m-%d-%H-%M";
        return new PipedLog(file + suffix, "is written to " + file + suffix);
    }
}
