package io.margay.gateway.mirror;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.forward.BackgroundExchange;
import io.margay.gateway.protocol.ClientTarget;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyRulesBuilder;
import io.margay.gateway.proxy.ProxyTarget;
import io.margay.gateway.proxy.ReverseProxy;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeRules;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// Answers a route, and has another upstream get copies of its requests. The client never waits for
/// a copy, and nothing of it is kept: what the other upstream answers is counted as any member's
/// answers are, and thrown away as it comes. Thread-safe.
public final class Mirror implements Handler {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final double PERCENT = 100;

    private final Copies copies;
    private final MirrorConfig config;
    private final Handler route;
    private final ReverseProxy proxy;
    private final Upstream upstream;
    private final ProxyRules rules;
    private final LongSupplier nanos;
    private final RandomGenerator random;

    /// The time and chance of mirrors.
    ///
    /// @param nanos the time by which loops have timers
    /// @param random thread-safe
    public record Means(LongSupplier nanos, RandomGenerator random) {}

    /// @param copies counts them
    /// @param route answers clients
    /// @param proxy by which copies go
    /// @param upstream gets them
    /// @param rules of the route
    public Mirror(
            Copies copies,
            Handler route,
            ReverseProxy proxy,
            Upstream upstream,
            ProxyRules rules,
            Means means) {
        this.copies = copies;
        config = copies.config();
        this.route = route;
        this.proxy = proxy;
        this.upstream = upstream;
        this.rules = ProxyRulesBuilder.builder(rules).upgrade(false).build();
        nanos = means.nanos;
        random = means.random;
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        if (exchange instanceof DialingExchange client && isCopied(client.request())) {
            copy(client);
        }
        route.handle(exchange);
    }

    private boolean isCopied(RequestHead request) {
        return request.contentLength() == RequestHead.NO_BODY
                && config.methods().contains(request.method())
                && request.field("upgrade") == null
                && (config.share() == PERCENT || random.nextDouble() * PERCENT < config.share());
    }

    private void copy(DialingExchange client) {
        if (!copies.begin()) {
            return;
        }
        BackgroundExchange copy = new BackgroundExchange(client, head(client));
        copy.onEnd(copies::ended);
        ExchangeRules ofHost = client.notes().rules();
        if (ofHost != null) {
            copy.notes().rules(new OfCopy(ofHost, config.credentials()));
        }
        try {
            ProxyTarget target = new ProxyTarget(upstream, ClientTarget.of(client), rules);
            copy.begin(() -> ask(copy, target), nanos.getAsLong() + config.timeout().toNanos());
        } catch (RuntimeException e) {
            // The client's own request must go on.
            copy.abort();
            LOG.log(Level.DEBUG, "a request cannot be copied", e);
        }
    }

    private void ask(BackgroundExchange copy, ProxyTarget target) {
        try {
            proxy.ask(copy, copy.carrier().dialer(), target);
        } catch (IOException e) {
            copy.abort();
            LOG.log(Level.DEBUG, "a copy of a request cannot be sent", e);
        }
    }

    /// What does not concern one connection alone is left to the proxy to leave out.
    private RequestHead head(DialingExchange client) {
        RequestHead asked = client.request();
        Fields received = client.notes().fields(asked.fields());
        Fields.Builder made = new Fields.Builder();
        for (int i = 0; i < received.size(); i++) {
            boolean secret =
                    received.nameIs(i, "cookie")
                            || received.nameIs(i, "authorization")
                            || received.nameIs(i, "proxy-authorization");
            if (config.credentials() || !secret) {
                made.add(received.name(i), received.value(i));
            }
        }
        return new RequestHead(
                asked.method(),
                asked.target(),
                HttpVersion.HTTP_1_1,
                made.build(),
                RequestHead.NO_BODY,
                false,
                true);
    }

    /// What the host changes in a copy: no credentials by its rules either, and no error pages.
    private record OfCopy(ExchangeRules ofHost, boolean credentials) implements ExchangeRules {
        @Override
        public boolean isDecided(Exchange exchange) {
            return ofHost.isDecided(exchange);
        }

        @Override
        public void request(Exchange exchange, FieldList fields) {
            ofHost.request(exchange, fields);
            if (!credentials) {
                fields.remove("Cookie").remove("Authorization").remove("Proxy-Authorization");
            }
        }

        @Override
        public void head(Exchange exchange, boolean own) {}

        @Override
        public String variable(Exchange exchange, String name) {
            return ofHost.variable(exchange, name);
        }

        @Override
        public boolean error(Exchange exchange, int status) {
            return false;
        }
    }
}
