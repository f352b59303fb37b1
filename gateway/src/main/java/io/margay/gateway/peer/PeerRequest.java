package io.margay.gateway.peer;

import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.http.FieldList;
import io.margay.server.exchange.Exchange;
import java.time.Duration;
import java.util.Map;

/// What is to be sent to a peer, before any protocol's framing. Immutable but for `fields`, which
/// nobody changes any more but the protocol.
///
/// @param exchange of the client, for what is known of it beside the head
/// @param target path and query, encoded as on the wire, with the peer's own path
/// @param fields end-to-end fields, with `Host`, without those that frame
/// @param contentLength as in [io.margay.protocol.http.RequestHead]
/// @param expectContinue whether the peer is asked by `Expect: 100-continue`
/// @param upgrade whether a switch to WebSocket is asked for, by `Upgrade` among the fields, with a
///   valid key where the peer speaks HTTP/2
/// @param reply how long the answer may take to begin; zero = for ever
/// @param attributes request attributes and parameters, where the protocol has them
public record PeerRequest(
        Exchange exchange,
        PeerConfig peer,
        String method,
        String target,
        FieldList fields,
        long contentLength,
        boolean expectContinue,
        boolean upgrade,
        Duration reply,
        Map<String, String> attributes) {}
