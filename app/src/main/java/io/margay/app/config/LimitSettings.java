package io.margay.app.config;

import io.margay.server.HttpLimits;
import io.margay.servlet.settings.ServletLimits;
import java.util.Objects;

/// The limits of all modules, each in its module's own record. Immutable.
///
/// @param http of messages and connections
/// @param servlet of the container
public record LimitSettings(HttpLimits http, ServletLimits servlet) {
    public LimitSettings {
        Objects.requireNonNull(http, "http");
        Objects.requireNonNull(servlet, "servlet");
    }

    /// Every module's defaults.
    public static LimitSettings defaults() {
        return new LimitSettings(HttpLimits.defaults(), ServletLimits.defaults());
    }
}
