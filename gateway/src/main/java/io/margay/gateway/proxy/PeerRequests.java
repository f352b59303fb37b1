package io.margay.gateway.proxy;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.peer.LoopConnections;
import io.margay.gateway.protocol.PeerRequest;
import io.margay.protocol.fastcgi.CgiScript;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Makes of a client's request what a peer is sent. Immutable; one for all requests of a proxy.
final class PeerRequests {
    private static final String ACTIVATION = "JK_LB_ACTIVATION";

    private final RequestFields fields;

    PeerRequests(RequestFields fields) {
        this.fields = fields;
    }

    /// The request as `on` gets it.
    ///
    /// @param collected bytes of content that have been taken, where its length was not declared
    /// @param expect whether the peer is asked by `Expect` for the content
    /// @param upgrading whether a WebSocket is asked for
    PeerRequest of(
            Exchange exchange,
            LoopConnections loop,
            ProxyTarget target,
            Peer on,
            long collected,
            boolean expect,
            boolean upgrading) {
        ProxyRules rules = target.rules();
        RequestHead head = exchange.request();
        PeerConfig config = on.config();
        PeerScheme scheme = config.address().scheme();
        boolean upgrade = upgrading && scheme.isHttp();
        boolean mustDeclare =
                head.contentLength() == RequestHead.UNKNOWN_LENGTH && scheme == PeerScheme.FCGI;
        Duration reply = rules.replyTimeout();
        return new PeerRequest(
                exchange,
                config,
                config.path().isEmpty() ? target.target() : config.path() + target.target(),
                fields.of(exchange, loop, config, rules, expect, upgrade),
                mustDeclare ? collected : head.contentLength(),
                upgrade,
                reply == null ? config.timeouts().reply() : reply,
                attributes(scheme, target, on, rules),
                rules.toldOnly() ? CgiScript.told(rules.attributes()) : target.script());
    }

    private static Map<String, String> attributes(
            PeerScheme scheme, ProxyTarget target, Peer on, ProxyRules rules) {
        Map<String, String> byRule = rules.attributes();
        if (scheme.isHttp()
                || target.script() != null
                || rules.isOfModProxy()
                || rules.toldOnly()) {
            return scheme.isHttp() ? Map.of() : byRule;
        }
        Activation ruled = rules.selection().activations().get(on.config().name());
        Activation activation = ruled == null ? on.activation() : ruled;
        if (byRule.isEmpty()) {
            return Map.of(ACTIVATION, activation.code());
        }
        Map<String, String> attributes = new HashMap<>(byRule);
        attributes.put(ACTIVATION, activation.code());
        return attributes;
    }
}
