package io.margay.compat.tomcat.filter;

import io.margay.server.regex.BoundedPattern;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/// The paths that carry no nonce: `/images/*`, `*.css`, `mime:image/*`, or one regular expression
/// between slashes. Immutable.
final class NoncePaths {
    private static final String DEFAULT =
            "*.css, *.js, *.gif, *.png, *.jpg, *.svg, *.ico, *.jpeg, *.mjs";
    private static final String NAME = "noNonceURLPatterns";
    private static final String MIME = "mime:";

    private final List<BiPredicate<ServletContext, String>> patterns;

    private NoncePaths(List<BiPredicate<ServletContext, String>> patterns) {
        this.patterns = patterns;
    }

    static NoncePaths of(InitParams params) throws ServletException {
        String text = params.text(NAME, DEFAULT);
        if (text.length() > 2 && text.startsWith("/") && text.endsWith("/")) {
            BoundedPattern regex = params.compile(NAME, text.substring(1, text.length() - 1));
            return new NoncePaths(List.of((context, path) -> regex.matches(path)));
        }
        List<BiPredicate<ServletContext, String>> patterns = new ArrayList<>();
        for (String piece : params.list(NAME, DEFAULT)) {
            if (piece.startsWith(MIME)) {
                String wanted = piece.substring(MIME.length());
                patterns.add((context, path) -> {
                    String type = context.getMimeType(path);
                    return type != null && matches(wanted, type);
                });
            } else {
                patterns.add((context, path) -> matches(piece, path));
            }
        }
        return new NoncePaths(List.copyOf(patterns));
    }

    private static boolean matches(String pattern, String text) {
        if (pattern.endsWith("*")) {
            return text.startsWith(pattern.substring(0, pattern.length() - 1));
        }
        return pattern.startsWith("*") ? text.endsWith(pattern.substring(1)) : text.equals(pattern);
    }

    /// @param path within the application
    boolean contains(ServletContext context, String path) {
        for (BiPredicate<ServletContext, String> pattern : patterns) {
            if (pattern.test(context, path)) {
                return true;
            }
        }
        return false;
    }
}
