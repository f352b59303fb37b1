package io.margay.gateway.proxy;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.peer.LoopConnections;
import io.margay.gateway.peer.PeerExchange;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import java.time.Duration;

/// Whether a peer is asked for the content of a request before it is sent, and for how long that is
/// waited for: since the client expects it, or as a ping. Stateless.
final class ContinueWait {
    private ContinueWait() {}

    /// Whether the peer is asked, as a ping or not.
    static boolean isWanted(Exchange exchange, Peer peer, RequestContent content, boolean ping) {
        RequestHead head = exchange.request();
        return ping
                || (peer.config().address().scheme().isHttp()
                        && head.expectContinue()
                        && !exchange.inputEnded()
                        && content.isUntouched());
    }

    /// Holds the content back. A peer that does not know the expectation gets it all the same (RFC
    /// 9110 §10.1.1); one that does not answer a ping has run nothing, and another is asked.
    static void begin(
            ProxyExchange of,
            PeerExchange asked,
            RequestContent content,
            LoopConnections loop,
            boolean ping) {
        content.holdBack();
        Duration patience =
                ping
                        ? of.attempts().peer().config().timeouts().ping()
                        : loop.limits().continueWait();
        loop.dialer()
                .timer(() -> {
                    if (!ping) {
                        of.continued();
                    } else if (of.isSentOn(asked) && content.isHeldBack()) {
                        asked.cancel();
                        of.failed(Outcome.PING_FAILED, "the member does not ask for the content");
                    }
                })
                .at(loop.nanoTime() + patience.toNanos());
    }
}
