package io.margay.gateway.access;

import io.margay.gateway.access.match.Methods;
import io.margay.gateway.login.LoginUser;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// What access depends on of a request. Immutable but for its caller.
///
/// @param request with the path after all rewriting, and the variables that are set by then
/// @param method by which it is listed
/// @param client its address; null when it has none
/// @param local that of the server's end of the connection; null when it has none
/// @param hasContent whether content comes with it
/// @param caller who sends it, once that is asked
/// @param user who has sent it; null as long as that is not known
record AccessRequest(
        RuleRequest request,
        String method,
        @Nullable InetAddress client,
        @Nullable InetAddress local,
        boolean hasContent,
        Caller caller,
        @Nullable LoginUser user) {
    static AccessRequest of(Exchange exchange, RuleRequest request, Caller caller) {
        return new AccessRequest(
                request,
                Methods.canonical(request.method()),
                address(exchange.remote()),
                address(exchange.local()),
                !exchange.inputEnded(),
                caller,
                null);
    }

    /// By the addresses that the request itself has.
    static AccessRequest of(RuleRequest request, Caller caller) {
        return new AccessRequest(
                request,
                Methods.canonical(request.method()),
                request.remote().isEmpty() ? null : InetAddress.ofLiteral(request.remote()),
                null,
                request.fields().contains("Transfer-Encoding"),
                caller,
                null);
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
        return new AccessRequest(request, method, client, local, false, caller, user);
    }

    /// The same for another path.
    AccessRequest at(String path) {
        return new AccessRequest(request.at(path), method, client, local, hasContent, caller, user);
    }

    /// The same with the file that it is for, as conditions see it.
    AccessRequest ofFile(String file, RuleSet rules) {
        RuleRequest known = rules.ofFile(request.ofFile(file));
        return new AccessRequest(known, method, client, local, hasContent, caller, user);
    }

    /// The same, of which it is known who has sent it.
    AccessRequest by(LoginUser sender) {
        return new AccessRequest(request, method, client, local, hasContent, caller, sender);
    }
}
