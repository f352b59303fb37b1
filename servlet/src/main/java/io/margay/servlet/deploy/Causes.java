package io.margay.servlet.deploy;

import io.margay.servlet.deploy.lost.LostClasses;
import java.lang.reflect.InvocationTargetException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Says in one line why something failed. Stateless.
final class Causes {
    private static final int DEPTH_MAX = 64;

    /// A class that is missing, as the two errors and those behind initializers say it.
    private static final Pattern MISSING =
            Pattern.compile("(?:NoClassDefFoundError|ClassNotFoundException): ([\\w/.$]+)");

    /// What reflection may not do in a package of Java's, as `InaccessibleObjectException` says it.
    private static final Pattern CLOSED =
            Pattern.compile("module (\\S+) does not \"opens (\\S+)\" to unnamed module");

    private Causes() {}

    static String text(Throwable failure) {
        String text = plain(failure);
        return text + remedy(text);
    }

    private static String plain(Throwable failure) {
        Throwable at = failure;
        while (at instanceof InvocationTargetException && at.getCause() != null) {
            at = at.getCause();
        }
        String message = at.getMessage();
        String kind = at.getClass().getSimpleName();
        String text = message == null || message.isBlank() ? kind : kind + ": " + message.strip();
        if (text.contains("javax/servlet/") || text.contains("javax.servlet.")) {
            text +=
                    " (written for Java EE: convert the application to the jakarta packages with"
                            + " \"margay convert\"; of one that has been converted, this comes from"
                            + " a file outside of WEB-INF, or that is made or unpacked while it"
                            + " runs: convert that file)";
        }
        return text;
    }

    /// What to do about it, after a space; empty = that is not known.
    private static String remedy(String text) {
        Matcher missing = MISSING.matcher(text);
        while (missing.find()) {
            String remedy = LostClasses.remedy(missing.group(1));
            if (!remedy.isEmpty()) {
                return remedy;
            }
        }
        Matcher closed = CLOSED.matcher(text);
        if (closed.find()) {
            return " (open it: MARGAY_JAVA_OPTS=--add-opens=%s/%s=ALL-UNNAMED)"
                    .formatted(closed.group(1), closed.group(2));
        }
        return text.contains("zip64 extra")
                ? " (an old packer wrote fields that Java refuses; pack the archive again, or start"
                        + " with MARGAY_JAVA_OPTS="
                        + "-Djdk.util.zip.disableZip64ExtraFieldValidation=true)"
                : "";
    }

    /// The messages of a failure and of what is behind it, each once.
    static String chain(Throwable failure) {
        StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
        Throwable at = failure.getCause();
        for (int depth = 0; at != null && depth < DEPTH_MAX; depth++) {
            String next = plain(at);
            String message = at.getMessage();
            if (text.indexOf(next) < 0 && (message == null || text.indexOf(message) < 0)) {
                text.append(": ").append(next);
            }
            at = at.getCause();
        }
        return text + remedy(text.toString());
    }
}
