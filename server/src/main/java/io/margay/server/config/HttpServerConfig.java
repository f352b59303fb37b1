package io.margay.server.config;

import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.MemoryBudget;
import org.jspecify.annotations.Nullable;

/// How an `HttpServer` behaves. Immutable.
///
/// @param serverName value of the `Server` field; null, the default, sends none
/// @param strictSni whether a request over TLS whose host is not the one named in the handshake is
///   answered with 421, also where both hosts ask the same of handshakes
/// @param http2 whether HTTP/2 is spoken: in clear text to clients that begin with its preface,
///   over TLS to those with which ALPN has agreed on `h2`
/// @param memory what clients may make the server hold; counted together with whoever else has the
///   same budget
/// @param characters what request targets may have
/// @param address what clients use for it, where a front end does not say so
public record HttpServerConfig(
        HttpLimits limits,
        @Nullable String serverName,
        boolean strictSni,
        boolean http2,
        MemoryBudget memory,
        RequestTarget.Characters characters,
        PublicAddress address) {
    /// Default limits, no `Server` field, strict about host names, HTTP/2, no bound on memory but
    /// those of each connection.
    public static HttpServerConfig defaults() {
        return new HttpServerConfig(
                HttpLimits.defaults(),
                null,
                true,
                true,
                MemoryBudget.UNBOUNDED,
                RequestTarget.Characters.STRICT,
                PublicAddress.NONE);
    }

    /// The same with other limits.
    public HttpServerConfig withLimits(HttpLimits other) {
        return new HttpServerConfig(
                other, serverName, strictSni, http2, memory, characters, address);
    }

    /// The same with a `Server` field.
    public HttpServerConfig withServerName(@Nullable String name) {
        return new HttpServerConfig(limits, name, strictSni, http2, memory, characters, address);
    }

    /// The same, strict about host names or not.
    public HttpServerConfig withStrictSni(boolean strict) {
        return new HttpServerConfig(limits, serverName, strict, http2, memory, characters, address);
    }

    /// The same with HTTP/2 or without.
    public HttpServerConfig withHttp2(boolean spoken) {
        return new HttpServerConfig(
                limits, serverName, strictSni, spoken, memory, characters, address);
    }

    /// The same with another budget for what clients make the server hold.
    public HttpServerConfig withMemory(MemoryBudget budget) {
        return new HttpServerConfig(
                limits, serverName, strictSni, http2, budget, characters, address);
    }

    /// The same with other characters in request targets.
    public HttpServerConfig withCharacters(RequestTarget.Characters others) {
        return new HttpServerConfig(limits, serverName, strictSni, http2, memory, others, address);
    }

    /// The same for clients that use another address.
    public HttpServerConfig withAddress(PublicAddress used) {
        return new HttpServerConfig(limits, serverName, strictSni, http2, memory, characters, used);
    }
}
