package io.margay.server;

import io.margay.server.connection.ConnectionContext;
import io.margay.server.http1.Http1Protocol;
import io.margay.server.http2.Http2Connection;
import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.TlsSession;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The protocols on which a client and an HTTP listener can agree when a connection begins (ALPN,
/// RFC 7301): the preferred one first.
public enum ListenerProtocol {
    HTTP_2("h2", Http2Connection::open),

    /// Also without an agreement; a client that begins with HTTP/2's preface has that.
    HTTP_1_1("http/1.1", Http1Protocol::open);

    /// What QUIC agrees on, which has handshakes of its own (RFC 9114 §3.1).
    public static final String HTTP_3 = "h3";

    private final String word;

    @SuppressWarnings("ImmutableEnumChecker") // static methods, without state
    private final BiFunction<Connection, ConnectionContext, ConnectionHandler> opener;

    ListenerProtocol(
            String word, BiFunction<Connection, ConnectionContext, ConnectionHandler> opener) {
        this.word = word;
        this.opener = opener;
    }

    /// What TLS offers to clients.
    ///
    /// @param http2 whether HTTP/2 is spoken
    public static List<String> offered(boolean http2) {
        return Arrays.stream(values())
                .filter(one -> http2 || one != HTTP_2)
                .map(one -> one.word)
                .toList();
    }

    /// What was agreed on.
    static ListenerProtocol of(@Nullable TlsSession session) {
        String agreed = session == null ? null : session.applicationProtocol();
        for (ListenerProtocol one : values()) {
            if (one.word.equals(agreed)) {
                return one;
            }
        }
        return HTTP_1_1;
    }

    /// Has a new connection speak it.
    ConnectionHandler open(Connection connection, ConnectionContext context) {
        return opener.apply(connection, context);
    }
}
