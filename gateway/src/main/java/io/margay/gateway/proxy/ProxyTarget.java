package io.margay.gateway.proxy;

import io.margay.gateway.balance.Upstream;
import io.margay.protocol.http.PercentEncoding;

/// Where one request goes. Immutable.
///
/// @param target path and query to send, encoded as on the wire; the chosen peer's own path is put
///   before it
public record ProxyTarget(Upstream upstream, String target, ProxyRules rules) {
    /// What a listener lets in besides what may stand in a target goes on encoded.
    public ProxyTarget {
        target = PercentEncoding.target(target);
    }
}
