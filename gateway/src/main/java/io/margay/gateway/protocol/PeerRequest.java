package io.margay.gateway.protocol;

import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.fastcgi.CgiScript;
import io.margay.protocol.http.FieldList;
import io.margay.server.exchange.Exchange;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is to be sent to a peer, before any protocol's framing. Immutable but for `fields`, which
/// nobody changes any more but the protocol.
///
/// @param exchange of the client, for what is known of it beside the head
/// @param target path and query, encoded as on the wire, with the peer's own path
/// @param fields end-to-end fields, with `Host`, without those that frame
/// @param contentLength as in [io.margay.protocol.http.RequestHead]
/// @param upgrade whether a switch to WebSocket is asked for, by `Upgrade` among the fields, with a
///   valid key where the peer speaks HTTP/2
/// @param reply how long the response may take to begin; zero = for ever
/// @param attributes request attributes and parameters, where the protocol has them
/// @param script what a program runs, where its path does not say so; null = it does
public record PeerRequest(
        Exchange exchange,
        PeerConfig peer,
        String target,
        FieldList fields,
        long contentLength,
        boolean upgrade,
        Duration reply,
        Map<String, String> attributes,
        @Nullable CgiScript script) {
    /// As the client sent it.
    String method() {
        return exchange.request().method();
    }

    /// Whether a request without content is to say so: as the client did, and always by a method
    /// that defines content (RFC 9110 §8.6).
    boolean declaresNoContent() {
        return switch (method()) {
            case "POST", "PUT", "PATCH" -> true;
            default -> exchange.request().fields().contains("content-length");
        };
    }
}
