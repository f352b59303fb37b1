package io.margay.app.config;

import java.nio.file.Path;
import java.util.Objects;

/// Where and how requests are logged. Immutable.
///
/// @param file appended to; made when missing
/// @param format `common`, `combined`, `json`, or an Apache format string
public record AccessLogSettings(Path file, String format) {
    /// The format when none is given.
    public static final String FORMAT_DEFAULT = "combined";

    public AccessLogSettings {
        Objects.requireNonNull(file, "file");
        if (format.isBlank()) {
            throw new IllegalArgumentException("the format is empty");
        }
    }
}
