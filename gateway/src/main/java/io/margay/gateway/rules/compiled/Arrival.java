package io.margay.gateway.rules.compiled;

import io.margay.protocol.http.HttpVersion;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.TlsInfo;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// How a request came, whatever rules have made of it: from where, when, how long ago that is, and
/// what it is called. Immutable.
///
/// @param scheme `http` or `https`
/// @param authority the host with its port, or null
/// @param remote the client's address, without port
/// @param localPort of the listener
/// @param tls what TLS agreed on, or null
/// @param startNanos when it came, as [System#nanoTime]
/// @param received path and query as the client has sent them
/// @param version by which it came
/// @param exchange that knows what it is called; null = it has no name
public record Arrival(
        String scheme,
        @Nullable String authority,
        String remote,
        int localPort,
        @Nullable TlsInfo tls,
        long startNanos,
        String received,
        HttpVersion version,
        @Nullable ExchangeRequest exchange) {
    private static final LongSupplier NANOS = System::nanoTime;

    static Arrival of(Exchange exchange, String received) {
        return new Arrival(
                exchange.scheme(),
                exchange.request().target().authority(),
                address(exchange.remote()),
                exchange.local() instanceof InetSocketAddress local ? local.getPort() : 0,
                exchange.tls(),
                exchange.startNanos(),
                received,
                exchange.request().version(),
                exchange);
    }

    /// Of one that is not served, by HTTP/1.1 without TLS.
    static Arrival plain(
            String scheme,
            @Nullable String authority,
            String remote,
            int localPort,
            String received) {
        return new Arrival(
                scheme,
                authority,
                remote,
                localPort,
                null,
                0,
                received,
                HttpVersion.HTTP_1_1,
                null);
    }

    private static String address(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "";
    }

    /// What logs and members call it.
    String requestId() {
        return exchange == null ? "" : exchange.requestId();
    }

    /// Since it came, microseconds.
    long takenMicros() {
        return Math.max(0, NANOS.getAsLong() - startNanos) / 1000;
    }

    /// When it came, microseconds since 1970.
    long receivedMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, InstantSource.system().instant())
                - takenMicros();
    }
}
