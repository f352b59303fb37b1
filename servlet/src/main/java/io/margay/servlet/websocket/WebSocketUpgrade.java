package io.margay.servlet.websocket;

import io.margay.server.exchange.MemoryBudget;
import io.margay.servlet.engine.async.UpgradedConnection;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import org.glassfish.tyrus.spi.Connection;
import org.glassfish.tyrus.spi.WebSocketEngine.UpgradeInfo;
import org.jspecify.annotations.Nullable;

/// One WebSocket session on its connection: hands what comes to Tyrus, and the end to the
/// application's sessions. Everything runs in tasks of the connection, but for [#end].
///
/// An idle session holds no buffer: one is made for each event.
final class WebSocketUpgrade implements HttpUpgradeHandler {
    private static final int READ_BYTES = 8192;

    /// What a session may hold of a frame without being counted.
    private static final int FREE_BYTES = 1_024;

    private @Nullable UpgradeInfo info;
    private @Nullable FrameAssembler frames;
    private @Nullable OpenSessions sessions;
    private @Nullable FrameWriter writer;
    private MemoryBudget.@Nullable Share held;

    /// Where the session itself is counted, until its end.
    private @Nullable MemoryBudget counted;

    private int countedBytes;
    private @Nullable FrameDeadline deadline;
    private @Nullable String httpSession;
    private boolean authenticated;
    private volatile @Nullable UpgradedConnection connection;
    private volatile @Nullable Connection session;

    /// Says what the handshake has settled, before the connection is handed over.
    ///
    /// @param memory in which the session is counted already
    /// @param httpSessionId of the handshake's HTTP session; null when it has none
    void prepare(
            UpgradeInfo agreed,
            OpenSessions open,
            WebSocketLimits limits,
            ScheduledExecutorService timer,
            MemoryBudget memory,
            @Nullable String httpSessionId,
            boolean byUser) {
        info = agreed;
        counted = memory;
        countedBytes = limits.sessionBytes();
        sessions = open;
        frames = new FrameAssembler(limits.messageBytesMax());
        deadline = new FrameDeadline(limits, timer, System::nanoTime, this::late);
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
        held = opened.memory().share(FREE_BYTES);
        given(sessions).add(this);
        boolean failed =
                OpenFailures.failsIn(
                        () -> session = given(info).createConnection(out, _ -> out.close()));
        info = null;
        if (failed) {
            end(CloseCodes.UNEXPECTED_CONDITION, "the endpoint failed in @OnOpen");
        }
        if (given(sessions).areEnding()) {
            end(CloseCodes.GOING_AWAY, OpenSessions.STOPPED);
        }
        read();
    }

    /// Reads and deals with all that is there.
    private void read() {
        UpgradedConnection from = given(connection);
        FrameWriter out = given(writer);
        FrameAssembler to = given(frames);
        FrameDeadline pace = given(deadline);
        pace.arrived();
        byte[] bytes = new byte[READ_BYTES];
        try {
            while (!out.isClosing()) {
                int count = from.poll(bytes, 0, bytes.length);
                if (count == 0) {
                    if (to.isOwed()) {
                        pace.await(to.frameBytes());
                    }
                    from.onReadable(this::read);
                    return;
                }
                if (count < 0) {
                    end(CloseCodes.CLOSED_ABNORMALLY, "the connection has ended");
                    out.close();
                    return;
                }
                ByteBuffer whole = to.add(bytes, count);
                if (!given(held).hold(to.heldBytes())) {
                    throw FrameException.noRoom();
                }
                if (whole != null) {
                    pace.frameEnded();
                    given(session).getReadHandler().handle(whole);
                }
            }
        } catch (FrameException e) {
            refuse(e.reason());
        } catch (IOException e) {
            from.abort();
        }
    }

    /// Ends the session because of what the peer has sent, of which nothing is kept. In a task.
    private void refuse(CloseReason reason) {
        given(session).close(reason);
        given(frames).drop();
        given(held).release();
        given(writer).close();
    }

    /// The peer does not go on with what it has begun. On the timer's thread.
    private void late() {
        UpgradedConnection known = given(connection);
        known.enqueue(() ->
                refuse(
                        new CloseReason(
                                CloseCodes.VIOLATED_POLICY,
                                "the rest of the message does not come")));
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
            given(deadline).stop();
            given(frames).drop();
            given(writer).fail(new IOException("the connection has ended"));
            MemoryBudget.Share share = held;
            if (share != null) {
                share.release();
            }
            given(counted).give(countedBytes);
            end(CloseCodes.CLOSED_ABNORMALLY, "the connection was lost");
        } finally {
            given(sessions).remove(this);
        }
    }
}
