package io.margay.compat.tomcat.filter;

import jakarta.servlet.ServletException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import org.jspecify.annotations.Nullable;

/// Character sets named by init-params. Stateless.
final class Charsets {
    private Charsets() {}

    /// Null when the parameter was not given.
    static @Nullable Charset named(InitParams params, String name) throws ServletException {
        String value = params.optional(name);
        if (value == null) {
            return null;
        }
        try {
            return Charset.forName(value);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw params.wrong(name, "there is no such character set; UTF-8 is one");
        }
    }
}
