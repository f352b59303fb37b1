package io.margay.app.config;

import io.margay.protocol.http.RequestTarget;
import io.margay.server.config.PublicAddress;
import io.margay.transport.TlsConfig;
import io.margay.transport.unix.SocketAccess;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One listener. Immutable.
///
/// @param tls how it speaks TLS, or null for plain text
/// @param ajp what makes it speak AJP13, or null for HTTP
/// @param http2 whether HTTP/2 is spoken beside HTTP/1.1
/// @param http3 whether HTTP/3 is spoken at the same port of UDP, with `tls` alone
/// @param characters what request targets may have
/// @param address what clients use for it, where a front end does not say so
/// @param proxyProtocol whose connections begin with the PROXY protocol
@RecordBuilder
public record ListenerSettings(
        Endpoint endpoint,
        Accepting accepting,
        @Nullable TlsConfig tls,
        @Nullable AjpSettings ajp,
        boolean http2,
        boolean http3,
        RequestTarget.Characters characters,
        PublicAddress address,
        Senders proxyProtocol)
        implements ListenerSettingsBuilder.With {
    public ListenerSettings {
        if (tls != null && ajp != null) {
            throw new IllegalArgumentException("AJP13 is not spoken over TLS");
        }
        if (http3 && tls == null) {
            throw new IllegalArgumentException("HTTP/3 needs TLS");
        }
    }

    /// How connections are accepted. Immutable.
    ///
    /// @param transport how bytes are moved
    /// @param backlog length of the accept queue, at least 1
    /// @param connectionsMax open connections at most, at least 1
    /// @param perAddressMax of these, those of one client, but for front ends that are trusted; 0 =
    ///   as many as it likes
    /// @param access who may connect, where it is a Unix socket
    @RecordBuilder
    public record Accepting(
            TransportChoice transport,
            int backlog,
            int connectionsMax,
            int perAddressMax,
            SocketAccess access) {
        public Accepting {
            if (backlog < 1 || connectionsMax < 1) {
                throw new IllegalArgumentException("backlog and connectionsMax must be at least 1");
            }
            if (perAddressMax < 0) {
                throw new IllegalArgumentException("perAddressMax must not be negative");
            }
        }

        /// The best transport; a burst of connections waits in the queue while loops are busy, and
        /// one that does not fit waits for a second: what Linux allows unless told otherwise. Twice
        /// the connections that 10 000 idle clients need, of one client a tenth of them, so that
        /// many who share an address are not held off.
        public static Accepting defaults() {
            return new Accepting(
                    TransportChoice.AUTO, 4096, 20_000, 2_000, SocketAccess.defaults());
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
                Accepting.defaults(),
                null,
                null,
                true,
                false,
                RequestTarget.Characters.STRICT,
                PublicAddress.NONE,
                Senders.NONE);
    }

    /// AJP13 on the best transport; all connections may be those of one front end.
    public static ListenerSettings ajp(Endpoint endpoint, AjpSettings ajp) {
        return ListenerSettingsBuilder.builder(http(endpoint))
                .accepting(
                        ListenerSettingsAcceptingBuilder.builder(Accepting.defaults())
                                .perAddressMax(0)
                                .build())
                .ajp(ajp)
                .http2(false)
                .build();
    }

    /// The same on another transport.
    public ListenerSettings withTransport(TransportChoice choice) {
        return ListenerSettingsBuilder.builder(this)
                .accepting(
                        ListenerSettingsAcceptingBuilder.builder(accepting)
                                .transport(choice)
                                .build())
                .build();
    }

    /// `http`, `https` or `ajp`.
    public String scheme() {
        if (ajp != null) {
            return "ajp";
        }
        return tls == null ? "http" : "https";
    }
}
