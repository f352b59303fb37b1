package io.margay.gateway.rules;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// What rules look at of a request. Immutable.
///
/// @param path the canonical path
/// @param rawPath the path as received
/// @param query the raw query, or null
/// @param scheme `http` or `https`
/// @param authority the host with its port, or null
/// @param remote the client's address, without port
/// @param localPort of the listener
public record RuleRequest(
        String method,
        String path,
        String rawPath,
        @Nullable String query,
        String scheme,
        @Nullable String authority,
        String remote,
        int localPort,
        Fields fields) {
    /// The view of an exchange; its path must be without error.
    static RuleRequest of(Exchange exchange) {
        var target = exchange.request().target();
        return new RuleRequest(
                exchange.request().method(),
                exchange.path().path(),
                target.rawPath(),
                target.rawQuery(),
                exchange.scheme(),
                target.authority(),
                address(exchange.remote()),
                exchange.local() instanceof InetSocketAddress local ? local.getPort() : 0,
                exchange.request().fields());
    }

    private static String address(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "";
    }

    /// The same with another path and query.
    RuleRequest at(String otherPath, String otherRaw, @Nullable String otherQuery) {
        return new RuleRequest(
                method,
                otherPath,
                otherRaw,
                otherQuery,
                scheme,
                authority,
                remote,
                localPort,
                fields);
    }

    /// The host without its port, or nothing.
    String host() {
        String host = Authority.host(authority);
        return host == null ? "" : host;
    }
}
