package io.margay.server.compression;

import io.margay.server.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/// Says for each response whether it is to be compressed. Thread-safe; must not wait.
@FunctionalInterface
public interface Compression {
    /// How the content of a response is compressed; null when it is not.
    ///
    /// @param type its media type as the response says, or null
    @Nullable CompressionConfig of(Exchange exchange, @Nullable String type);

    /// The same for all responses.
    static Compression of(CompressionConfig config) {
        return (_, type) -> config.takes(type) ? config : null;
    }
}
