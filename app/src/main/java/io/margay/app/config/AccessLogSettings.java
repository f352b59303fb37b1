package io.margay.app.config;

import io.margay.gateway.rules.GatewayRule.Condition;
import java.nio.file.Path;
import java.util.List;

/// Where and how requests are logged. Immutable.
///
/// @param file appended to; made when missing
/// @param format `common`, `combined`, `json`, or an Apache format string
/// @param when what must hold of a request for it to be logged
/// @param rotateBytes before it is larger, the file gets another name; 0 = it does not
public record AccessLogSettings(Path file, String format, List<Condition> when, long rotateBytes) {
    /// The format when none is given.
    public static final String FORMAT_DEFAULT = "combined";

    public AccessLogSettings {
        if (format.isBlank()) {
            throw new IllegalArgumentException("the format is empty");
        }
        when = List.copyOf(when);
    }

    /// A log of all requests.
    public AccessLogSettings(Path file, String format) {
        this(file, format, List.of(), 0);
    }
}
