package io.margay.servlet.deploy;

import io.margay.servlet.deploy.lost.LostClasses;
import java.lang.reflect.InvocationTargetException;

/// Says in one line why something failed. Stateless.
final class Causes {
    private static final int DEPTH_MAX = 8;

    private Causes() {}

    static String text(Throwable failure) {
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
        return at instanceof NoClassDefFoundError || at instanceof ClassNotFoundException
                ? text + LostClasses.remedy(String.valueOf(message))
                : text;
    }

    /// The messages of a failure and of what is behind it, each once.
    static String chain(Throwable failure) {
        StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
        Throwable at = failure.getCause();
        for (int depth = 0; at != null && depth < DEPTH_MAX; depth++) {
            String next = text(at);
            String message = at.getMessage();
            if (text.indexOf(next) < 0 && (message == null || text.indexOf(message) < 0)) {
                text.append(": ").append(next);
            }
            at = at.getCause();
        }
        return text.toString();
    }
}
