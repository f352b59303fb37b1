package io.margay.app.site;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.forwarded.Networks;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// A page for this machine, as with `Require local` of httpd, and for networks that are named; 403
/// for others. Immutable.
///
/// @param allowed further networks
record LocalPage(Handler page, Networks allowed) implements Handler {
    private static final int FORBIDDEN = 403;

    @Override
    public void handle(Exchange exchange) throws IOException {
        SocketAddress client = exchange.remote();
        if (isLocal(client, exchange.local()) || allowed.includes(client)) {
            page.handle(exchange);
        } else {
            StatusResponse.plain(exchange, FORBIDDEN);
        }
    }

    /// Whether a client is this machine: by loopback, or by the address at which it has asked.
    private static boolean isLocal(SocketAddress client, SocketAddress here) {
        return client instanceof InetSocketAddress remote
                && remote.getAddress() != null
                && (remote.getAddress().isLoopbackAddress()
                        || (here instanceof InetSocketAddress local
                                && remote.getAddress().equals(local.getAddress())));
    }
}
