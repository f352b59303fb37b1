package io.margay.server.exchange;

import java.io.IOException;

/// Answers requests: servlet engine, gateway, static files, admin, and the routing before them.
@FunctionalInterface
public interface Handler {
    /// Begins to answer. Called on the connection's loop thread, so it must not wait: work that may
    /// block goes through [Exchange#dispatch]. The exchange is over when [Exchange#end] has been
    /// called, which may be later and on another thread; returning is no end.
    ///
    /// @throws IOException when the client is gone
    /// @throws RuntimeException is answered with 500, or the connection is aborted when the
    ///   response is committed
    void handle(Exchange exchange) throws IOException;
}
