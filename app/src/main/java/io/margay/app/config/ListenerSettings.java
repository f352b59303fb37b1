package io.margay.app.config;

import io.margay.protocol.http.RequestTarget;
import io.margay.server.config.PublicAddress;
import io.margay.transport.TlsConfig;
import io.margay.transport.unix.SocketAccess;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One listener. Immutable.
///
/// @param backlog length of the accept queue, at least 1
/// @param connectionsMax open connections at most, at least 1
/// @param perAddressMax of these, those of one client, but for front ends that are trusted; 0 = as
///   many as it likes
/// @param tls how it speaks TLS, or null for plain text
/// @param ajp what makes it speak AJP13, or null for HTTP
/// @param http2 whether HTTP/2 is spoken beside HTTP/1.1
/// @param characters what request targets may have
/// @param address what clients use for it, where a front end does not say so
/// @param proxyProtocol whose connections begin with the PROXY protocol
/// @param access who may connect, where it is a Unix socket
public record ListenerSettings(
        Endpoint endpoint,
        TransportChoice transport,
        int backlog,
        int connectionsMax,
        int perAddressMax,
        @Nullable TlsConfig tls,
        @Nullable AjpSettings ajp,
        boolean http2,
        RequestTarget.Characters characters,
        PublicAddress address,
        Senders proxyProtocol,
        SocketAccess access) {
    /// Length of the accept queue: a burst of connections waits there while loops are busy; one
    /// that does not fit waits for a second. What Linux allows unless told otherwise.
    public static final int BACKLOG_DEFAULT = 4096;

    /// Open connections at most: twice what 10 000 idle clients need.
    public static final int CONNECTIONS_MAX_DEFAULT = 20_000;

    /// Connections of one client: a tenth of all, so that many who share an address are not held
    /// off.
    public static final int PER_ADDRESS_MAX_DEFAULT = 2_000;

    public ListenerSettings {
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(transport, "transport");
        if (backlog < 1 || connectionsMax < 1) {
            throw new IllegalArgumentException("backlog and connectionsMax must be at least 1");
        }
        if (perAddressMax < 0) {
            throw new IllegalArgumentException("perAddressMax must not be negative");
        }
        if (tls != null && ajp != null) {
            throw new IllegalArgumentException("AJP13 is not spoken over TLS");
        }
    }

    /// The load balancers whose connections begin with the PROXY protocol. Immutable.
    ///
    /// @param trusted their addresses and networks; empty = it is not spoken
    /// @param except of these, those of clients that send no header
    public record Senders(List<String> trusted, List<String> except) {
        /// It is not spoken.
        public static final Senders NONE = new Senders(List.of(), List.of());

        public Senders {
            trusted = List.copyOf(trusted);
            except = List.copyOf(except);
        }
    }

    /// Plain HTTP at 127.0.0.1:8080 on the best transport.
    public static ListenerSettings defaults() {
        return http(new Endpoint(Endpoint.LOOPBACK, 8080));
    }

    /// Plain HTTP on the best transport.
    public static ListenerSettings http(Endpoint endpoint) {
        return new ListenerSettings(
                endpoint,
                TransportChoice.AUTO,
                BACKLOG_DEFAULT,
                CONNECTIONS_MAX_DEFAULT,
                PER_ADDRESS_MAX_DEFAULT,
                null,
                null,
                true,
                RequestTarget.Characters.STRICT,
                PublicAddress.NONE,
                Senders.NONE,
                SocketAccess.defaults());
    }

    /// AJP13 on the best transport.
    public static ListenerSettings ajp(Endpoint endpoint, AjpSettings ajp) {
        return new ListenerSettings(
                endpoint,
                TransportChoice.AUTO,
                BACKLOG_DEFAULT,
                CONNECTIONS_MAX_DEFAULT,
                0,
                null,
                ajp,
                false,
                RequestTarget.Characters.STRICT,
                PublicAddress.NONE,
                Senders.NONE,
                SocketAccess.defaults());
    }

    /// The same with TLS.
    public ListenerSettings withTls(TlsConfig config) {
        return new ListenerSettings(
                endpoint,
                transport,
                backlog,
                connectionsMax,
                perAddressMax,
                config,
                ajp,
                http2,
                characters,
                address,
                proxyProtocol,
                access);
    }

    /// The same on another transport.
    public ListenerSettings withTransport(TransportChoice choice) {
        return new ListenerSettings(
                endpoint,
                choice,
                backlog,
                connectionsMax,
                perAddressMax,
                tls,
                ajp,
                http2,
                characters,
                address,
                proxyProtocol,
                access);
    }

    /// The same with other characters in request targets.
    public ListenerSettings withCharacters(RequestTarget.Characters others) {
        return new ListenerSettings(
                endpoint,
                transport,
                backlog,
                connectionsMax,
                perAddressMax,
                tls,
                ajp,
                http2,
                others,
                address,
                proxyProtocol,
                access);
    }

    /// The same for clients that use another address.
    public ListenerSettings withAddress(PublicAddress used) {
        return new ListenerSettings(
                endpoint,
                transport,
                backlog,
                connectionsMax,
                perAddressMax,
                tls,
                ajp,
                http2,
                characters,
                used,
                proxyProtocol,
                access);
    }

    /// The same behind load balancers.
    public ListenerSettings withProxyProtocol(Senders senders) {
        return new ListenerSettings(
                endpoint,
                transport,
                backlog,
                connectionsMax,
                perAddressMax,
                tls,
                ajp,
                http2,
                characters,
                address,
                senders,
                access);
    }

    /// The same, where others may connect to the Unix socket.
    public ListenerSettings withAccess(SocketAccess other) {
        return new ListenerSettings(
                endpoint,
                transport,
                backlog,
                connectionsMax,
                perAddressMax,
                tls,
                ajp,
                http2,
                characters,
                address,
                proxyProtocol,
                other);
    }

    /// `http`, `https` or `ajp`.
    public String scheme() {
        if (ajp != null) {
            return "ajp";
        }
        return tls == null ? "http" : "https";
    }
}
