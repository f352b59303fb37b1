package io.margay.servlet.websocket;

import io.margay.servlet.engine.async.UpgradedConnection;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.glassfish.tyrus.spi.Connection;
import org.glassfish.tyrus.spi.WebSocketEngine.UpgradeInfo;
import org.jspecify.annotations.Nullable;

/// One WebSocket session on its connection: hands what comes to Tyrus, and the end to the
/// application's sessions. Everything runs in tasks of the connection, but for [#end].
///
/// An idle session holds no buffer: one is made for each event.
final class WebSocketUpgrade implements HttpUpgradeHandler {
    private static final int READ_BYTES = 8192;

    private @Nullable UpgradeInfo info;
    private @Nullable FrameAssembler frames;
    private @Nullable OpenSessions sessions;
    private @Nullable FrameWriter writer;
    private @Nullable String httpSession;
    private boolean authenticated;
    private volatile @Nullable UpgradedConnection connection;
    private volatile @Nullable Connection session;

    /// Bytes that Tyrus may be given at once: frames that came together, the last of them being as
    /// long as can be.
    static int handedOverMax(WebSocketLimits limits) {
        return limits.messageBytesMax() + 2 * READ_BYTES;
    }

    /// Says what the handshake has settled, before the connection is handed over.
    ///
    /// @param httpSessionId of the handshake's HTTP session; null when it has none
    void prepare(
            UpgradeInfo agreed,
            OpenSessions open,
            WebSocketLimits limits,
            @Nullable String httpSessionId,
            boolean byUser) {
        info = agreed;
        sessions = open;
        frames = new FrameAssembler(limits.messageBytesMax());
        writer = new FrameWriter(limits.queuedBytesMax());
        httpSession = httpSessionId;
        authenticated = byUser;
    }

    private static <T> T given(@Nullable T part) {
        return Objects.requireNonNull(part, "prepared");
    }

    @Override
    public void init(WebConnection handedOver) {
        UpgradedConnection opened = (UpgradedConnection) handedOver;
        connection = opened;
        FrameWriter out = given(writer);
        out.open(opened);
        given(sessions).add(this);
        Connection made = given(info).createConnection(out, _ -> out.close());
        session = made;
        info = null;
        if (given(sessions).areEnding()) {
            end(CloseCodes.GOING_AWAY, OpenSessions.STOPPED);
        }
        read();
    }

    /// Reads and deals with all that is there.
    private void read() {
        UpgradedConnection from = given(connection);
        FrameWriter out = given(writer);
        byte[] bytes = new byte[READ_BYTES];
        try {
            while (!out.isClosing()) {
                int count = from.poll(bytes, 0, bytes.length);
                if (count == 0) {
                    from.onReadable(this::read);
                    return;
                }
                if (count < 0) {
                    end(CloseCodes.CLOSED_ABNORMALLY, "the connection has ended");
                    out.close();
                    return;
                }
                ByteBuffer whole = given(frames).add(bytes, count);
                if (whole != null) {
                    given(session).getReadHandler().handle(whole);
                }
            }
        } catch (FrameException e) {
            given(session).close(e.reason());
            out.close();
        } catch (IOException e) {
            from.abort();
        }
    }

    /// The id of the handshake's HTTP session; null when it had none.
    @Nullable String httpSession() {
        return httpSession;
    }

    /// Whether a user had logged in.
    boolean isAuthenticated() {
        return authenticated;
    }

    /// The HTTP session goes on under another id.
    void httpSession(String changed) {
        httpSession = changed;
    }

    /// Ends the session, telling the peer. From any thread.
    void end(CloseCodes code, String reason) {
        Connection known = session;
        if (known != null) {
            known.close(new CloseReason(code, reason));
        }
    }

    /// Breaks the connection off. From any thread.
    void abort() {
        UpgradedConnection known = connection;
        if (known != null) {
            known.abort();
        }
    }

    @Override
    public void destroy() {
        try {
            given(writer).fail(new IOException("the connection has ended"));
            end(CloseCodes.CLOSED_ABNORMALLY, "the connection was lost");
        } finally {
            given(sessions).remove(this);
        }
    }
}
