package io.margay.telemetry.otel;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.forwarded.NodeAddress;
import io.margay.server.timing.RequestPhase;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// What spans say, by OpenTelemetry's semantic conventions for HTTP spans (stable since 1.23), and
/// what this server knows besides, as `margay.…`. Queries are not told, for they hold secrets.
/// Stateless.
final class SpanKeys {
    static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    static final AttributeKey<Long> RESENT = AttributeKey.longKey("http.request.resend_count");
    static final AttributeKey<String> SCHEME = AttributeKey.stringKey("url.scheme");
    static final AttributeKey<String> SERVER = AttributeKey.stringKey("server.address");
    static final AttributeKey<Long> SERVER_PORT = AttributeKey.longKey("server.port");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> UPSTREAM = AttributeKey.stringKey("margay.upstream");
    static final AttributeKey<Long> LEFT_OUT = AttributeKey.longKey("margay.steps.left_out");
    static final AttributeKey<String> MEMBER = AttributeKey.stringKey("margay.member");

    private static final AttributeKey<String> METHOD =
            AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> METHOD_ORIGINAL =
            AttributeKey.stringKey("http.request.method_original");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    private static final AttributeKey<String> CLIENT = AttributeKey.stringKey("client.address");
    private static final AttributeKey<String> PEER = AttributeKey.stringKey("network.peer.address");
    private static final AttributeKey<Long> PEER_PORT = AttributeKey.longKey("network.peer.port");
    private static final AttributeKey<String> AGENT = AttributeKey.stringKey("user_agent.original");
    private static final AttributeKey<String> ID = AttributeKey.stringKey("margay.request.id");

    private static final AttributeKey<String> VERSION =
            AttributeKey.stringKey("network.protocol.version");

    private static final Map<HttpVersion, String> VERSIONS =
            Map.of(
                    HttpVersion.HTTP_1_0, "1.0",
                    HttpVersion.HTTP_1_1, "1.1",
                    HttpVersion.HTTP_2, "2",
                    HttpVersion.HTTP_3, "3");

    /// Seconds that the request was in each phase.
    private static final Map<RequestPhase, AttributeKey<Double>> PHASES = phases();

    /// The methods of the conventions. Any other is `_OTHER`, for clients make up as many as they
    /// like.
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH");

    private SpanKeys() {}

    private static Map<RequestPhase, AttributeKey<Double>> phases() {
        Map<RequestPhase, AttributeKey<Double>> keys = new EnumMap<>(RequestPhase.class);
        for (RequestPhase phase : RequestPhase.values()) {
            keys.put(phase, AttributeKey.doubleKey("margay.phase." + phase.label()));
        }
        return keys;
    }

    /// The name of a span of which no route is known.
    static String name(RequestHead head) {
        return METHODS.contains(head.method()) ? head.method() : "HTTP";
    }

    /// Tells the method.
    static void method(Span span, RequestHead head) {
        if (METHODS.contains(head.method())) {
            span.setAttribute(METHOD, head.method());
        } else {
            span.setAttribute(METHOD, "_OTHER");
            span.setAttribute(METHOD_ORIGINAL, head.method());
        }
    }

    /// Tells all of an exchange that has ended.
    ///
    /// @param route empty = none
    static void describe(Span span, Exchange exchange, String route) {
        RequestHead head = exchange.request();
        method(span, head);
        span.updateName(route.isEmpty() ? name(head) : name(head) + " " + route);
        if (!route.isEmpty()) {
            span.setAttribute(ROUTE, route);
        }
        span.setAttribute(PATH, head.target().rawPath());
        span.setAttribute(SCHEME, exchange.scheme());
        span.setAttribute(ID, exchange.requestId());
        span.setAttribute(VERSION, VERSIONS.get(head.version()));
        String agent = head.field("User-Agent");
        if (agent != null) {
            span.setAttribute(AGENT, agent);
        }
        addresses(span, exchange);
        int status = exchange.status();
        if (exchange.committed()) {
            span.setAttribute(STATUS, (long) status);
        }
        Exception failure = exchange.failure();
        if (status >= 500) {
            span.setStatus(StatusCode.ERROR).setAttribute(ERROR, String.valueOf(status));
        } else if (failure != null) {
            span.setStatus(StatusCode.ERROR).setAttribute(ERROR, failure.getClass().getName());
        }
        PHASES.forEach((phase, key) -> {
            long micros = exchange.micros(phase);
            if (micros > 0) {
                span.setAttribute(key, micros / 1e6);
            }
        });
    }

    private static void addresses(Span span, Exchange exchange) {
        String authority = exchange.request().target().authority();
        String host = Authority.host(authority);
        if (host != null && authority != null) {
            span.setAttribute(SERVER, host.toLowerCase(Locale.ROOT));
            int port = Authority.port(authority);
            if (port > 0) {
                span.setAttribute(SERVER_PORT, (long) port);
            }
        }
        if (exchange.remote() instanceof InetSocketAddress client) {
            span.setAttribute(CLIENT, literal(client));
        }
        SocketAddress peer = exchange.peer();
        if (peer instanceof InetSocketAddress other) {
            span.setAttribute(PEER, literal(other));
            span.setAttribute(PEER_PORT, (long) other.getPort());
        }
    }

    private static String literal(InetSocketAddress address) {
        return address.getAddress() == null
                ? address.getHostString()
                : NodeAddress.text(address.getAddress());
    }
}
