package io.margay.gateway.proxy;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.retry.Hedging;
import io.margay.protocol.fastcgi.CgiScript;
import io.margay.protocol.http.PercentEncoding;
import org.jspecify.annotations.Nullable;

/// Where one request goes. Immutable.
///
/// @param target path and query to send, encoded as on the wire; the chosen peer's own path is put
///   before it
/// @param script what a program runs, where the target does not say so; null = it does
/// @param hedging when a second peer is asked, too; null = never
public record ProxyTarget(
        Upstream upstream,
        String target,
        ProxyRules rules,
        @Nullable CgiScript script,
        @Nullable Hedging hedging) {
    /// The target says all.
    public ProxyTarget(Upstream upstream, String target, ProxyRules rules) {
        this(upstream, target, rules, null);
    }

    /// One peer after the other is asked.
    public ProxyTarget(
            Upstream upstream, String target, ProxyRules rules, @Nullable CgiScript script) {
        this(upstream, target, rules, script, null);
    }

    /// The same, and a second peer is asked, too, where that is time.
    public ProxyTarget withHedging(Hedging how) {
        return new ProxyTarget(upstream, target, rules, script, how);
    }

    /// With the rules that hold of a request for a path.
    ProxyTarget at(String path) {
        return rules.sections().isEmpty()
                ? this
                : new ProxyTarget(upstream, target, rules.at(path), script, hedging);
    }

    /// Whether a peer may be a CGI program, which reads as much as it was told, so that it must be
    /// told.
    boolean needsLength() {
        for (Peer each : upstream.peers()) {
            if (each.config().address().scheme() == PeerScheme.FCGI) {
                return true;
            }
        }
        return false;
    }

    /// What a listener lets in besides what may stand in a target goes on encoded.
    public ProxyTarget {
        target = PercentEncoding.target(target);
    }
}
