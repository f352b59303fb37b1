package io.margay.server.exchange;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The request of an exchange, with its content.
///
/// The getters may be called from any thread; what moves bytes belongs to whoever works on the
/// exchange. `read` waits, and so is allowed only after [ExchangeScheduling#dispatch]; `poll` never
/// waits, and `onReadable` says when to go on.
public interface ExchangeRequest {
    /// The request's head.
    RequestHead request();

    /// Gives the request another target, of which path and host are taken from then on. Only before
    /// something answers.
    default void rewrite(RequestTarget target) {
        throw new UnsupportedOperationException();
    }

    /// Gives the request other fields. Only before something answers.
    default void replaceFields(Fields fields) {
        throw new UnsupportedOperationException();
    }

    /// The one canonical path by which the request is routed, authorised and looked up, or its
    /// error.
    default CanonicalPath path() {
        return CanonicalPath.of(request().target().rawPath());
    }

    /// `http` or `https`, of the connection, or as a trusted front end reports it; another one
    /// where the listener's address says so.
    String scheme();

    /// Whether nobody can have read or changed the request on its way, as far as connection, front
    /// end and configuration tell.
    default boolean secure() {
        return scheme().equals("https");
    }

    /// The client's address, or the address that a trusted front end reports.
    SocketAddress remote();

    /// The other end of the connection, whatever anybody reports: the client, or the front end
    /// nearest to this server.
    default SocketAddress peer() {
        return remote();
    }

    /// The address that accepted the request.
    SocketAddress local();

    /// What TLS agreed on, on this connection or on the one before a trusted front end; or null.
    @Nullable TlsInfo tls();

    /// Whether this connection may carry requests for a host: without TLS it may, with TLS only if
    /// the handshake was made as that host asks, and for no other name.
    ///
    /// @param host without port
    default boolean mayBeFor(String host) {
        return tls() == null;
    }

    /// The host that the client named in the TLS handshake with this server; null for none.
    default @Nullable String handshakeHost() {
        return null;
    }

    /// What TLS agreed on as applications see it: what a trusted front end says of its connection
    /// with the client goes before what is known of this one. Access and logs go by [#tls].
    default @Nullable TlsInfo clientTls() {
        return tls();
    }

    /// A number unique in this process for each connection.
    long connectionId();

    /// A number unique in this process for each exchange.
    long id();

    /// Name of the attribute by which applications get [#requestId].
    String REQUEST_ID = "io.margay.request-id";

    /// What logs, members and applications call this request: what a trusted front end has called
    /// it in `X-Request-Id`, or a text that no other request has.
    default String requestId() {
        return Long.toString(id());
    }

    /// What the protocol itself calls this request: the number of its stream with HTTP/2, empty
    /// with HTTP/1.
    default String protocolRequestId() {
        return "";
    }

    /// `System.nanoTime()` when the head was complete.
    long startNanos();

    /// Whether its client is known to have gone, or to have ended its side of the connection. For
    /// who works on it; asks the kernel where the transport can.
    default boolean hasClientGone() {
        return false;
    }

    /// Name of the attribute that tells how a front end has authenticated [Exchange#remoteUser].
    String AUTH_TYPE = "margay.auth-type";

    /// Name of the attribute that is the client's name, if a front end has looked it up.
    String REMOTE_HOST = "margay.remote-host";

    /// Name of the attribute that is the host that a client has named to the load balancer which
    /// tells of it by the PROXY protocol.
    String PROXY_AUTHORITY = "io.margay.proxy.authority";

    /// Name of the attribute that is the ALPN name of what the client speaks with that one.
    String PROXY_ALPN = "io.margay.proxy.alpn";

    /// Name of the attribute that is what that one calls the connection.
    String PROXY_UNIQUE_ID = "io.margay.proxy.unique-id";

    /// What a front end sent beside the request by this name (AJP13 attributes), or null.
    @Nullable Object attribute(String name);

    /// Names of the attributes that a front end sent for the application to see.
    default Set<String> attributeNames() {
        return Set.of();
    }

    /// Reads content, waiting for at least one byte; sends `100 Continue` first if the client
    /// expects it.
    ///
    /// @return bytes read, or -1 at the end of the content
    /// @throws RequestBodyException when the client breaks the framing, stalls or leaves
    int read(byte[] target, int offset, int length) throws IOException;

    /// Like [#read], but returns 0 when no byte can be had now.
    int poll(byte[] target, int offset, int length) throws IOException;

    /// Whether the content has been read to its end; true from the start when there is none.
    boolean inputEnded();

    /// Runs `task` once on the loop thread as soon as [#poll] has bytes, the end, or an error. One
    /// at a time.
    void onReadable(Runnable task);

    /// Trailer fields (RFC 9110 §6.5), empty before the end of the content.
    Fields trailers();

    /// Bytes of this request on the wire, head included, as far as they have been used.
    default long wireBytesIn() {
        return 0;
    }

    /// The place of this request among those of its connection, from 1; 0 when not known.
    default int requestNumber() {
        return 0;
    }
}
