package io.margay.servlet.engine.registration;

import io.margay.server.exchange.Exchange;
import java.io.IOException;

/// A servlet of the container's own that may have an answer at hand.
public interface FastPathServlet {
    /// Answers GET or HEAD at once if the answer lies in memory. Called on the loop, where nothing
    /// of the application stands before this servlet; the answer must be the one that `service`
    /// would give.
    ///
    /// @param path canonical, within the context
    /// @return false, with nothing done, when `service` is to answer
    /// @throws IOException when the client is gone
    boolean answer(Exchange exchange, String path) throws IOException;
}
