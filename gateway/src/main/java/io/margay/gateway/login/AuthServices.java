package io.margay.gateway.login;

import io.margay.server.exchange.Exchange;
import java.util.function.Consumer;

/// Asks services who clients are. Thread-safe.
@FunctionalInterface
public interface AuthServices {
    /// There are none.
    AuthServices NONE = (_, _, then) -> then.accept(new LoginResult.Failed());

    /// Begins to ask, and returns at once. What the service gives of the request's fields is in the
    /// exchange when it is told.
    ///
    /// @param then told on the loop thread of the exchange, unless the client has left
    void ask(Exchange exchange, AuthService service, Consumer<LoginResult> then);
}
