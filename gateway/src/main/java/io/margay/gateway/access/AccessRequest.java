package io.margay.gateway.access;

import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// What access depends on of a request. Immutable.
///
/// @param request with the path after all rewriting, and the variables that are set by then
/// @param method by which it is listed
/// @param client its address; null when it has none
/// @param local that of the server's end of the connection; null when it has none
/// @param hasContent whether content comes with it
record AccessRequest(
        RuleRequest request,
        String method,
        @Nullable InetAddress client,
        @Nullable InetAddress local,
        boolean hasContent) {
    static AccessRequest of(Exchange exchange, RuleRequest request) {
        return new AccessRequest(
                request,
                Methods.canonical(request.method()),
                address(exchange.remote()),
                address(exchange.local()),
                !exchange.inputEnded());
    }

    /// By the addresses that the request itself has.
    static AccessRequest of(RuleRequest request) {
        return new AccessRequest(
                request,
                Methods.canonical(request.method()),
                request.remote().isEmpty() ? null : InetAddress.ofLiteral(request.remote()),
                null,
                request.fields().contains("Transfer-Encoding"));
    }

    private static @Nullable InetAddress address(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }

    String path() {
        return request.path();
    }

    Fields fields() {
        return request.fields();
    }

    /// The same without content.
    AccessRequest withoutContent() {
        return new AccessRequest(request, method, client, local, false);
    }

    /// The same for another path.
    AccessRequest at(String path) {
        return new AccessRequest(request.at(path), method, client, local, hasContent);
    }
}
