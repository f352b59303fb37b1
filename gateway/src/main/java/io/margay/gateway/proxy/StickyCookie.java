package io.margay.gateway.proxy;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.protocol.http.FieldList;
import org.jspecify.annotations.Nullable;

/// The cookie by which a client that has no session on a peer comes back to it. Stateless.
final class StickyCookie {
    private StickyCookie() {}

    /// Adds it to a response of a peer, where it is configured.
    static void add(FieldList list, Peer peer, ProxyRules.SelectionRules rules) {
        String cookie = of(peer, peer.upstream().sticky(), rules);
        if (cookie != null) {
            list.add("Set-Cookie", cookie);
        }
    }

    /// What it is called; null = there is none.
    static @Nullable String name(UpstreamConfig.Sticky config, ProxyRules.SelectionRules rules) {
        String name = rules.setCookie() == null ? config.setCookie() : rules.setCookie();
        return name == null || name.isEmpty() ? null : name;
    }

    /// The value of `Set-Cookie`, or null where no such cookie is configured.
    private static @Nullable String of(
            Peer peer, UpstreamConfig.Sticky config, ProxyRules.SelectionRules rules) {
        String name = name(config, rules);
        String route = peer.config().share().route();
        if (name == null || route.isEmpty()) {
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
