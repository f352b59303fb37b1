package io.margay.gateway.plan;

import io.margay.transport.TlsConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A place at which another front end listens. Immutable.
///
/// @param host `*` for every address
/// @param tls how it speaks TLS, or null
/// @param http2 whether it speaks HTTP/2, too
/// @param http3 whether it speaks HTTP/3 at the same port of UDP, too
/// @param withoutHeader where connections begin with a header of the PROXY protocol, whose do not;
///   null where none do
public record ListenerPlan(
        String host,
        int port,
        @Nullable TlsConfig tls,
        boolean http2,
        boolean http3,
        @Nullable List<String> withoutHeader) {}
