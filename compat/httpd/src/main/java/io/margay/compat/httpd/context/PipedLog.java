package io.margay.compat.httpd.context;

import io.margay.compat.httpd.syntax.DirectiveWords;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A log that httpd writes to a program, which writes files that change with time: these are
/// written without it. Immutable.
///
/// @param file where to, with conversions of `strftime`
/// @param rotateBytes at which size the file gets another name; 0 = at none
/// @param text what is otherwise; empty for nothing
record PipedLog(String file, long rotateBytes, String text) {
    private static final Set<String> WITH_VALUE = Set.of("-L", "-p", "-n", "-S", "-P", "-H", "-l");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([BKMG])");
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
                        ? rotated(file, words.subList(at + 1, words.size()), words.contains("-n"))
                        : new PipedLog(file, 0, ""));
    }

    /// @param when seconds, or a size such as `5M`, or both
    /// @param few whether a number of files is all that is kept
    private static PipedLog rotated(String file, List<String> when, boolean few) {
        long bytes = 0;
        long seconds = 0;
        for (String word : when) {
            Matcher size = SIZE.matcher(word);
            if (size.matches()) {
                int power = "BKMG".indexOf(size.group(2));
                bytes = Long.parseLong(size.group(1)) << (10 * power);
            } else if (seconds == 0 && word.matches("[0-9]{1,9}")) {
                seconds = Long.parseLong(word);
            }
        }
        String kept = few ? "all files are kept, whatever -n says" : "";
        if (file.indexOf('%') >= 0 || seconds == 0) {
            return new PipedLog(file, bytes, kept);
        }
        String suffix =
                seconds >= DAY ? ".%Y-%m-%d" : seconds >= HOUR ? ".%Y-%m-%d-%H" : ".%Y-%m-%d-%H-%M";
        String text = "is written to " + file + suffix;
        return new PipedLog(file + suffix, bytes, few ? text + "; " + kept : text);
    }
}
