package io.margay.server.config;

import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.MemoryBudget;
import io.soabase.recordbuilder.core.RecordBuilder;
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
@RecordBuilder
public record HttpServerConfig(
        HttpLimits limits,
        @Nullable String serverName,
        boolean strictSni,
        boolean http2,
        MemoryBudget memory,
        RequestTarget.Characters characters,
        PublicAddress address)
        implements HttpServerConfigBuilder.With {
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
}
