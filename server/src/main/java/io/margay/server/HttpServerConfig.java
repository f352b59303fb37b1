package io.margay.server;

import org.jspecify.annotations.Nullable;

/// How an [HttpServer] behaves. Immutable.
///
/// @param serverName value of the `Server` field; null, the default, sends none
public record HttpServerConfig(HttpLimits limits, @Nullable String serverName) {
    /// Default limits, no `Server` field.
    public static HttpServerConfig defaults() {
        return new HttpServerConfig(HttpLimits.defaults(), null);
    }

    /// The same with other limits.
    public HttpServerConfig withLimits(HttpLimits other) {
        return new HttpServerConfig(other, serverName);
    }

    /// The same with a `Server` field.
    public HttpServerConfig withServerName(@Nullable String name) {
        return new HttpServerConfig(limits, name);
    }
}
