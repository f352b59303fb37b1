package io.margay.gateway.proxy;

import io.margay.gateway.peer.PeerPools;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.host.StatusResponse;
import io.margay.transport.Dialer;
import java.io.IOException;

/// Responds to requests with what peers respond. Thread-safe: each request is worked on by the loop
/// that carries it, and its connection to a peer lives on the same loop.
public final class ReverseProxy implements Handler {
    private final Router router;
    private final PeerPools pools;
    private final RequestFields fields;
    private final PeerRequests requests;

    /// @param pseudonym this gateway's name in `Via`, a token
    /// @param trusted whose `X-Forwarded-*` is believed
    public ReverseProxy(Router router, PeerPools pools, String pseudonym, TrustedProxies trusted) {
        this.router = router;
        this.pools = pools;
        fields = new RequestFields(pseudonym, trusted);
        requests = new PeerRequests(fields);
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        ProxyTarget target = router.route(exchange);
        if (target == null) {
            StatusResponse.plain(exchange, 404);
        } else {
            forward(exchange, target);
        }
    }

    /// Responds with what the peers of a target respond, whatever the router would say.
    public void forward(Exchange exchange, ProxyTarget target) throws IOException {
        if (!(exchange instanceof DialingExchange dialing)) {
            StatusResponse.plain(exchange, 501, "This protocol has no way to a peer.");
        } else if (exchange.request().method().equals("CONNECT")) {
            // A tunnel would be whatever a peer makes of what follows.
            StatusResponse.plain(exchange, 501, "CONNECT is not served.");
        } else if (fields.loops(exchange.request())) {
            StatusResponse.plain(exchange, 508, "The gateway leads to itself.");
        } else if (dialing.carrier().waits()) {
            BridgedExchange.begin(dialing, this, target);
        } else {
            begin(dialing, dialing.carrier().dialer(), target);
        }
    }

    /// What clients and peers may make the gateway hold.
    MemoryBudget memory() {
        return pools.memory();
    }

    /// Begins; on the dialer's loop.
    void begin(Exchange exchange, Dialer dialer, ProxyTarget target) {
        new ProxyExchange(exchange, pools.on(dialer), requests, target).begin();
    }
}
