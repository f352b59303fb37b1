package io.margay.gateway.proxy;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.peer.PeerPools;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.forwarded.Networks;
import io.margay.server.host.StatusResponse;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Responds to requests with what peers respond. Thread-safe: each request is worked on by the loop
/// that carries it, and its connection to a peer lives on the same loop.
public final class ReverseProxy implements Handler {
    /// What a peer may understand, as far as the gateway knows.
    private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

    private final Router router;
    private final PeerPools pools;
    private final RequestFields fields;
    private final PeerRequests requests;
    private final boolean trace;

    /// @param pseudonym this gateway's name in `Via`, a token
    /// @param trusted whose `X-Forwarded-*` is believed
    public ReverseProxy(Router router, PeerPools pools, String pseudonym, Networks trusted) {
        this(router, pools, new RequestFields(pseudonym, pseudonym, trusted), true);
    }

    /// One of a host, whose name peers get in `X-Forwarded-Server` where a rule tells them of
    /// clients as httpd does.
    ///
    /// @param server the name of the host; null = it has every name
    public static ReverseProxy ofHost(
            @Nullable String server, PeerPools pools, String pseudonym, Networks trusted) {
        RequestFields fields = new RequestFields(pseudonym, server, trusted);
        return new ReverseProxy(_ -> null, pools, fields, true);
    }

    private ReverseProxy(Router router, PeerPools pools, RequestFields fields, boolean trace) {
        this.router = router;
        this.pools = pools;
        this.fields = fields;
        this.trace = trace;
        requests = new PeerRequests(fields);
    }

    /// The same, and TRACE is answered with 405: by it a peer sends back what a client may not see,
    /// such as fields that the gateway has added.
    public ReverseProxy withoutTrace() {
        return new ReverseProxy(router, pools, fields, false);
    }

    /// Passes everything on to one of these peers with the path that it came with. They are watched
    /// by the requests themselves; nobody's `X-Forwarded-*` is believed.
    ///
    /// @param peers as `http://host:8080`, `h2c://host`, `ajp://host:8009`, without a path
    /// @throws IllegalArgumentException saying what is wrong with one
    public static ReverseProxy to(String... peers) {
        List<PeerConfig> members = new ArrayList<>();
        for (String peer : peers) {
            PeerUrl url = PeerUrl.parse(peer);
            if (!url.path().isEmpty()) {
                throw new IllegalArgumentException(peer + ": it must not have a path");
            }
            members.add(PeerConfig.of(String.valueOf(members.size() + 1), url.address()));
        }
        Upstream upstream = new Upstream(UpstreamConfig.of("peers", members));
        return new ReverseProxy(
                new PathRouter(upstream, ProxyRules.defaults()),
                new PeerPools(PeerLimits.defaults()),
                "margay",
                Networks.NONE);
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        ProxyTarget target = router.route(exchange);
        if (target == null) {
            StatusResponse.plain(exchange, 404);
        } else {
            forward(exchange, target);
        }
    }

    /// Responds with what the peers of a target respond, whatever the router would say.
    public void forward(Exchange exchange, ProxyTarget to) throws IOException {
        ProxyTarget target = to.at(exchange.path().path());
        if (!(exchange instanceof DialingExchange dialing)) {
            StatusResponse.plain(exchange, 501, "This protocol has no way to a peer.");
        } else if (exchange.request().method().equals("CONNECT")) {
            // A tunnel would be whatever a peer makes of what follows.
            StatusResponse.plain(exchange, 501, "CONNECT is not served.");
        } else if (!trace && exchange.request().method().equals("TRACE")) {
            exchange.fields().set("Allow", METHODS);
            StatusResponse.plain(exchange, 405);
        } else if (fields.loops(exchange.request())) {
            StatusResponse.plain(exchange, 508, "The gateway leads to itself.");
        } else if (!exchange.notes().isDecided(exchange)) {
            StatusResponse.plain(exchange, 500);
        } else if (dialing.carrier().waits()) {
            BridgedExchange.begin(dialing, this, target);
        } else {
            begin(dialing, dialing.carrier().dialer(), target);
        }
    }

    /// Asks the peers of a target on behalf of an exchange that is no client's own.
    ///
    /// @param loop of which the exchange is; the caller is on it
    public void ask(Exchange subrequest, Dialer loop, ProxyTarget target) throws IOException {
        if (fields.loops(subrequest.request())) {
            StatusResponse.plain(subrequest, 508, "The gateway leads to itself.");
        } else if (!subrequest.notes().isDecided(subrequest)) {
            StatusResponse.plain(subrequest, 500);
        } else {
            begin(subrequest, loop, target);
        }
    }

    /// What clients and peers may make the gateway hold.
    MemoryBudget memory() {
        return pools.memory();
    }

    /// Begins; on the dialer's loop.
    void begin(Exchange exchange, Dialer dialer, ProxyTarget target) {
        new ProxyExchange(exchange, pools.on(dialer), requests, target).begin();
    }
}
