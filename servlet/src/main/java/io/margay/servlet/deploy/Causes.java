package io.margay.servlet.deploy;

import java.lang.reflect.InvocationTargetException;

/// Says in one line why something failed. Stateless.
final class Causes {
    private Causes() {}

    static String text(Throwable failure) {
        Throwable at = failure;
        while (at instanceof InvocationTargetException && at.getCause() != null) {
            at = at.getCause();
        }
        String message = at.getMessage();
        String kind = at.getClass().getSimpleName();
        String text =
                message == null || message.isBlank() ? kind : kind + ": " + message.strip();
        if (text.contains("javax/servlet/") || text.contains("javax.servlet.")) {
            text +=
                    " (written for Java EE: convert the application to the jakarta packages, for"
                            + " example with Tomcat's migration tool)";
        }
        return text;
    }
}
