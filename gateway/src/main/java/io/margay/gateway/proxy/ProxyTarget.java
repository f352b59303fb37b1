package io.margay.gateway.proxy;

import io.margay.gateway.balance.Upstream;

/// Where one request goes. Immutable.
///
/// @param target path and query to send, encoded as on the wire; the chosen peer's own path is put
///   before it
public record ProxyTarget(Upstream upstream, String target, ProxyRules rules) {}
