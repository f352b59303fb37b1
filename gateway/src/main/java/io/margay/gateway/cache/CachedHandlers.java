package io.margay.gateway.cache;

import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What a host tells its cache of its handlers. Thread-safe.
public interface CachedHandlers {
    /// What tells the answers of a handler from those of others to the same URL.
    ///
    /// @return null when its answers are never kept, such as those of files and of the host itself
    @Nullable String key(Handler handler);

    /// Has a handler answer a request of the cache's own, as it would one of a client. On the loop.
    void begin(Handler handler, DialingExchange exchange) throws IOException;
}
