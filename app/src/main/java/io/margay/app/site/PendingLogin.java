package io.margay.app.site;

import io.margay.gateway.login.LoginCheck;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.StatusResponse;
import java.io.IOException;

/// Stands for what answers a request as long as it is not known who sends it. Immutable.
///
/// @param check what has to be found out before it is asked again what answers
record PendingLogin(LoginCheck check) implements Handler {
    /// For those who do not ask again.
    @Override
    public void handle(Exchange exchange) throws IOException {
        StatusResponse.plain(exchange, 503);
    }
}
