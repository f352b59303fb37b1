package io.margay.gateway.proxy;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.UpstreamConfig;
import org.jspecify.annotations.Nullable;

/// The cookie by which a client that has no session on a peer comes back to it. Stateless.
final class StickyCookie {
    private StickyCookie() {}

    /// The value of `Set-Cookie`, or null where no such cookie is configured.
    static @Nullable String of(
            Peer peer, UpstreamConfig.Sticky config, ProxyRules.SelectionRules rules) {
        String name = rules.setCookie() == null ? config.setCookie() : rules.setCookie();
        String route = peer.config().share().route();
        if (name == null || name.isEmpty() || route.isEmpty()) {
            return null;
        }
        String ruledPath = rules.setCookiePath();
        String path = ruledPath == null ? config.setCookiePath() : ruledPath;
        return name
                + "="
                + config.separator().charAt(0)
                + route
                + ";path="
                + (path == null ? "/" : path);
    }
}
