package io.margay.compat.httpd.access;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Which of httpd's handlers and types make a program of a file. Stateless.
final class ProgramFiles {
    static final String TEXT = "programs are not run: such files get 404";
    static final String TYPES = "file types come from the media type registry";

    /// What sends files, or answers without one.
    private static final Set<String> NO_PROGRAMS =
            Set.of(
                    "none",
                    "default",
                    "default-handler",
                    "send-as-is",
                    "type-map",
                    "imap-file",
                    "server-status",
                    "server-info",
                    "balancer-manager");

    private static final Pattern PROGRAM =
            Pattern.compile("httpd|php|-cgi|server-parsed", Pattern.CASE_INSENSITIVE);

    private ProgramFiles() {}

    static boolean isHandler(String name) {
        return !NO_PROGRAMS.contains(name.toLowerCase(Locale.ROOT));
    }

    static boolean isType(String name) {
        return PROGRAM.matcher(name).find();
    }
}
