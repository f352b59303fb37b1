package io.margay.server.connection;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import io.margay.transport.ProxyHeader;
import io.margay.transport.TlsSession;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What the TLS session of a connection, and a load balancer before it, say about its requests.
/// Stateless.
public final class ClientIdentity {
    public static final ProtocolError MISDIRECTED =
            ProtocolError.of(
                    421, "RFC 9110 §15.5.20", "this host is not the one that TLS was set up for");

    private static final List<String> ATTRIBUTES =
            List.of(
                    ExchangeRequest.PROXY_AUTHORITY,
                    ExchangeRequest.PROXY_ALPN,
                    ExchangeRequest.PROXY_UNIQUE_ID);

    private ClientIdentity() {}

    /// Whether the host of a request is not one for which the TLS handshake was made: it asks for
    /// something else of handshakes, or the client named another there.
    ///
    /// @param strict whether the name counts where both ask for the same
    public static boolean isMisdirected(
            @Nullable TlsSession session, RequestHead head, boolean strict) {
        return session != null
                && !isFor(session, Authority.host(head.target().authority()), strict);
    }

    /// Whether requests for a host, or for none (null), may come by a connection.
    ///
    /// @param strict see [#isMisdirected]
    static boolean isFor(@Nullable TlsSession session, @Nullable String host, boolean strict) {
        if (session == null) {
            return true;
        }
        if (!session.isFor(host)) {
            return false;
        }
        String named = strict ? session.serverName() : null;
        if (named == null || host == null || named.equalsIgnoreCase(host)) {
            return true;
        }
        boolean dotted = host.endsWith(".");
        return dotted && named.equalsIgnoreCase(host.substring(0, host.length() - 1));
    }

    /// The host that the client named in the TLS handshake; null for none.
    static @Nullable String handshakeHost(Connection io) {
        TlsSession session = io.tls();
        return session == null ? null : session.serverName();
    }

    /// The scheme of requests: `https` over TLS, whether it ends here or at a load balancer that
    /// says so.
    public static String scheme(Connection io) {
        return io.tls() != null || byLoadBalancer(io) != null ? "https" : "http";
    }

    /// What an engine may know of the TLS session.
    public static @Nullable TlsInfo info(Connection io) {
        TlsSession session = io.tls();
        if (session != null) {
            String named = session.serverName();
            return new TlsInfo(
                    session.protocol(),
                    session.cipherSuite(),
                    session.keyBits(),
                    session.sessionId(),
                    session.peerCertificates(),
                    named == null ? "" : named);
        }
        ProxyHeader.ClientTls told = byLoadBalancer(io);
        return told == null
                ? null
                : new TlsInfo(told.protocol(), told.cipherSuite(), 0, "", List.of());
    }

    /// What a load balancer has told of the connection by the name of an attribute, or null.
    public static @Nullable String attribute(Connection io, String name) {
        ProxyHeader told = io.proxied();
        if (told == null) {
            return null;
        }
        return switch (name) {
            case ExchangeRequest.PROXY_AUTHORITY -> told.details().authority();
            case ExchangeRequest.PROXY_ALPN -> told.details().applicationProtocol();
            case ExchangeRequest.PROXY_UNIQUE_ID -> told.details().uniqueId();
            default -> null;
        };
    }

    /// The names of the attributes that [#attribute] knows.
    public static Set<String> attributeNames(Connection io) {
        ProxyHeader told = io.proxied();
        if (told == null || told.details().equals(ProxyHeader.Details.NONE)) {
            return Set.of();
        }
        return ATTRIBUTES.stream()
                .filter(name -> attribute(io, name) != null)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static ProxyHeader.@Nullable ClientTls byLoadBalancer(Connection io) {
        ProxyHeader told = io.proxied();
        return told == null ? null : told.tls();
    }
}
