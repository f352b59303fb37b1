package io.margay.gateway.proxy;

import io.margay.gateway.config.HashKey;
import io.margay.gateway.config.UpstreamConfig.Sticky;
import io.margay.gateway.protocol.SessionIds;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds by what its rule and its upstream say which peer a request belongs to: its session ids, or
/// what it has in common with others. Stateless.
public final class Sessions {
    private Sessions() {}

    /// The ids with their route suffixes: of the path parameter or of the query where that is asked
    /// for, else of the cookies; and what the gateway's own cookie says, first where none of them
    /// has a route.
    static List<String> of(Exchange exchange, Sticky sticky, ProxyRules.SelectionRules rules) {
        if (!sticky.enabled() || rules.ignoreSessions()) {
            return List.of();
        }
        RequestTarget target = exchange.request().target();
        String cookie = or(rules.sessionCookie(), sticky.cookie());
        List<String> ids =
                SessionIds.find(
                        exchange.request().fields(),
                        target.rawPath(),
                        sticky.queryParameter() ? target.rawQuery() : null,
                        cookie,
                        or(rules.sessionParameter(), sticky.parameter()));
        String set = StickyCookie.name(sticky, rules);
        if (set == null || set.equals(cookie)) {
            return ids;
        }
        List<String> own = SessionIds.find(exchange.request().fields(), "", null, set, "");
        // As mod_proxy balances, the first alone counts.
        boolean led = ids.stream().anyMatch(id -> hasRoute(id, sticky.separator()));
        List<String> all = new ArrayList<>(led ? ids : own);
        all.addAll(led ? own : ids);
        return all;
    }

    private static boolean hasRoute(String id, String separators) {
        return separators.chars().anyMatch(c -> id.indexOf(c) >= 0);
    }

    private static String or(@Nullable String own, String byDefault) {
        return own == null ? byDefault : own;
    }

    /// A number of what requests have in common that go to the same peer; 0 = this one has nothing
    /// of the kind.
    static long key(Exchange exchange, HashKey by) {
        return hash(common(exchange, by));
    }

    /// The same as a text; null = it has nothing of the kind, or it is of a session.
    public static @Nullable String common(Exchange exchange, HashKey by) {
        return switch (by.kind()) {
            case SESSION -> null;
            case CLIENT -> client(exchange);
            case USER -> exchange.remoteUser();
            case PATH -> exchange.request().target().rawPath();
            case HEADER -> exchange.request().field(by.name());
            case COOKIE -> SessionIds.cookie(exchange.request().fields(), by.name());
        };
    }

    private static @Nullable String client(Exchange exchange) {
        return exchange.remote() instanceof InetSocketAddress at && at.getAddress() != null
                ? at.getAddress().getHostAddress()
                : null;
    }

    /// FNV-1a, of 64 bits: the same in all processes.
    private static long hash(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return 0;
        }
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash == 0 ? 1 : hash;
    }
}
