package io.margay.app.site;

import io.margay.gateway.rules.compiled.ClientAddresses;
import io.margay.server.compression.Compressor;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeRules;
import io.margay.server.exchange.Handler;
import io.margay.server.host.Routes;
import io.margay.servlet.settings.RequestRewriting;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One host: where its requests go, and where they are logged. Immutable.
record ServedHost(
        Routes routes,
        @Nullable RuleFront rules,
        @Nullable ExchangeRules changes,
        @Nullable ClientAddresses clients,
        HostLimiters.Made limits,
        List<HostLog> logs,
        @Nullable HostCompression compression,
        @Nullable HostPaths paths,
        @Nullable RequestRewriting rewriting)
        implements Handler {
    @Override
    public void handle(Exchange exchange) throws IOException {
        select(exchange).handle(exchange);
    }

    /// What is to be known before anybody decides.
    void note(Exchange exchange) {
        if (paths != null) {
            paths.note(exchange);
        }
        if (clients != null) {
            clients.note(exchange);
        }
        if (changes != null) {
            exchange.notes().rules(changes);
        }
        for (int i = 0; i < logs.size(); i++) {
            logs.get(i).note(exchange);
        }
    }

    Handler select(Exchange exchange) {
        note(exchange);
        Handler ruled = rules == null ? null : rules.select(exchange, routes);
        return ruled == null ? routes.select(exchange) : ruled;
    }

    /// The exchange that a handler answers in place of the client's.
    Exchange answered(Exchange exchange, Handler selected, @Nullable Compressor compressor) {
        Exchange limited = limits.apply(exchange);
        return compressor != null
                        && compression != null
                        && limited instanceof DialingExchange dialing
                ? compression.apply(dialing, selected, compressor)
                : limited;
    }
}
