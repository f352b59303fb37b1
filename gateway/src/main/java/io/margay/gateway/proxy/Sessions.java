package io.margay.gateway.proxy;

import io.margay.gateway.balance.SessionIds;
import io.margay.gateway.config.UpstreamConfig.Sticky;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the session ids of a request by what its rule and its upstream say. Stateless.
final class Sessions {
    private Sessions() {}

    /// The ids with their route suffixes: of the path parameter or of the query where that is asked
    /// for, else of the cookies.
    static List<String> of(Exchange exchange, Sticky sticky, ProxyRules.SelectionRules rules) {
        if (!sticky.enabled() || rules.ignoreSessions()) {
            return List.of();
        }
        RequestTarget target = exchange.request().target();
        return SessionIds.find(
                exchange.request().fields(),
                target.rawPath(),
                sticky.queryParameter() ? target.rawQuery() : null,
                or(rules.sessionCookie(), sticky.cookie()),
                or(rules.sessionParameter(), sticky.parameter()));
    }

    private static String or(@Nullable String own, String byDefault) {
        return own == null ? byDefault : own;
    }
}
