package io.margay.gateway.proxy;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.protocol.HopByHop;
import io.margay.gateway.protocol.WebSocketKey;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;

/// Whether a request is the handshake of a WebSocket, and whether it can be passed on: by `Upgrade`
/// to peers that speak HTTP/1.1, by extended CONNECT (RFC 8441) to those that speak HTTP/2; AJP13
/// and FastCGI have nothing that a connection could be switched to. Stateless.
final class WebSocketUpgrade {
    private WebSocketUpgrade() {}

    /// Only WebSocket, whose handshake both ends check, and only where the request is whole: bytes
    /// before the switch would be read by one side as another request (CVE-2026-2833). An extended
    /// CONNECT counts as an upgrade.
    static boolean isAsked(Exchange exchange, ProxyRules rules) {
        RequestHead head = exchange.request();
        String wanted = rules.upgrade() ? head.field("upgrade") : null;
        return wanted != null
                && wanted.equalsIgnoreCase("websocket")
                && head.method().equals("GET")
                && head.version() != HttpVersion.HTTP_1_0
                && exchange.inputEnded()
                && HopByHop.of(head.fields()).nominates("upgrade");
    }

    /// What is to be answered at once since no peer can be asked: 0 for nothing.
    static int refusal(RequestHead head, Upstream upstream) {
        boolean carried = false;
        boolean keyNeeded = false;
        for (Peer each : upstream.peers()) {
            PeerScheme scheme = each.config().address().scheme();
            carried |= scheme.isHttp();
            keyNeeded |= scheme.isHttp2();
        }
        if (!carried) {
            return 501;
        }
        // Where it ends here, nobody else looks at it.
        return keyNeeded && !WebSocketKey.isValid(head.field("sec-websocket-key")) ? 400 : 0;
    }

    static String text(int status) {
        return status == 400
                ? "WebSocket needs a key of 16 bytes."
                : "WebSocket needs a server that speaks HTTP behind this gateway.";
    }
}
