package io.margay.gateway.proxy;

import io.margay.server.DialingExchange;
import io.margay.server.host.Answers;
import java.io.IOException;

/// Relays the exchanges of blocking connections.
final class BlockingBridge {
    private BlockingBridge() {}

    static void begin(DialingExchange exchange, ReverseProxy proxy, ProxyTarget target)
            throws IOException {
        Answers.plain(exchange, 501, "The gateway needs another transport.");
    }
}
