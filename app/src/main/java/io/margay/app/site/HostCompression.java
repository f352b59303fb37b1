package io.margay.app.site;

import io.margay.app.config.HostSettings;
import io.margay.app.config.RouteSettings;
import io.margay.app.deploy.AppVersions;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.CompressionRules;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.server.compression.Compression;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.compression.Compressor;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How the responses of a host are compressed. Immutable.
///
/// @param whole that of the host; null = not
/// @param routes that of what answers its routes, where they say so themselves
record HostCompression(@Nullable Compression whole, Map<Handler, Compression> routes) {
    /// That of a host; null when nothing of it is compressed.
    ///
    /// @param handlers of its routes, by their paths with `/*`
    static @Nullable HostCompression of(HostSettings host, Map<String, Handler> handlers) {
        if (!host.compresses()) {
            return null;
        }
        Map<Handler, Compression> routes = new HashMap<>();
        for (Map.Entry<RouteSettings, CompressionConfig> route : host.compression().entrySet()) {
            Compression how = Compression.of(route.getValue());
            Handler handler = handlers.get(route.getKey().prefix() + "/*");
            if (handler instanceof AppVersions versions) {
                versions.all().forEach(app -> routes.put(app, how));
            } else if (handler != null) {
                routes.put(handler, how);
            }
        }
        return new HostCompression(
                CompressionRules.of(host.changes(), RuleLimits.defaults()), routes);
    }

    /// The exchange that a handler answers: the client's own, or one whose response is compressed.
    ///
    /// @param selected what answers
    Exchange apply(DialingExchange exchange, @Nullable Handler selected, Compressor compressor) {
        Compression own = selected == null ? null : routes.get(selected);
        Compression how = own != null ? own : whole;
        if (exchange.notes().rules() instanceof HostExchangeRules rules) {
            how = rules.compression(how);
        }
        return how == null ? exchange : compressor.compress(exchange, how);
    }
}
