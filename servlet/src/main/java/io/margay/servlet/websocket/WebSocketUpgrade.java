package io.margay.servlet.websocket;

import io.margay.server.exchange.MemoryBudget;
import io.margay.server.steps.Steps;
import io.margay.server.steps.Steps.Kind;
import io.margay.server.steps.Steps.Step;
import io.margay.servlet.engine.async.UpgradedConnection;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import org.glassfish.tyrus.spi.Connection;
import org.glassfish.tyrus.spi.WebSocketEngine.UpgradeInfo;
import org.jspecify.annotations.Nullable;

/// One WebSocket session on its connection: hands what comes to Tyrus, and the end to the
/// application's sessions. Everything runs in tasks of the connection, but for [#end].
///
/// An idle session holds no buffer: one is made for each event.
final class WebSocketUpgrade implements HttpUpgradeHandler, Runnable {
    private static final int READ_BYTES = 8192;

    /// Fields that serve the handshake alone; the others may be logged at the end.
    private static final Set<String> OF_HANDSHAKE =
            Set.of("Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions");

    /// What a session may hold of a frame without being counted.
    private static final int FREE_BYTES = 1_024;

    private @Nullable UpgradeInfo info;
    private @Nullable FrameAssembler frames;
    private @Nullable OpenSessions sessions;
    private @Nullable FrameWriter writer;

    /// What is held of a message; made when some is.
    private MemoryBudget.@Nullable Share held;

    /// Where the session itself is counted, until its end.
    private @Nullable MemoryBudget counted;

    private @Nullable WebSocketLimits limits;
    private @Nullable ScheduledExecutorService timer;

    /// Made when the peer owes something.
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
            WebSocketLimits bounds,
            ScheduledExecutorService looks,
            MemoryBudget memory,
            @Nullable String httpSessionId,
            boolean byUser) {
        info = agreed;
        counted = memory;
        limits = bounds;
        timer = looks;
        sessions = open;
        frames = new FrameAssembler(bounds.messageBytesMax());
        writer = new FrameWriter(bounds.queuedBytesMax());
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
        Step step = Steps.begin(Kind.MESSAGE, "open", "");
        boolean failed;
        try {
            failed = OpenFailures.failsIn(() -> session = given(info).createConnection(out, out));
        } finally {
            step.end(null);
        }
        info = null;
        opened.forget(OF_HANDSHAKE);
        if (failed) {
            end(CloseCodes.UNEXPECTED_CONDITION, "the endpoint failed in @OnOpen");
        }
        if (given(sessions).areEnding()) {
            end(CloseCodes.GOING_AWAY, OpenSessions.STOPPED);
        }
        run();
    }

    /// Reads and deals with all that is there.
    @Override
    public void run() {
        UpgradedConnection from = given(connection);
        FrameWriter out = given(writer);
        FrameAssembler to = given(frames);
        FrameDeadline pace = deadline;
        if (pace != null) {
            pace.arrived();
        }
        byte[] bytes = new byte[READ_BYTES];
        try {
            while (!out.isClosing()) {
                int count = from.poll(bytes, 0, bytes.length);
                if (count == 0) {
                    if (to.isOwed()) {
                        owed().await(to.frameBytes());
                    }
                    from.onReadable(this);
                    return;
                }
                if (count < 0) {
                    end(CloseCodes.CLOSED_ABNORMALLY, "the connection has ended");
                    out.close();
                    return;
                }
                ByteBuffer whole = to.add(bytes, count);
                if (!hold(to.heldBytes())) {
                    throw FrameException.noRoom();
                }
                if (whole != null) {
                    if (pace != null) {
                        pace.frameEnded();
                    }
                    Step step = Steps.begin(Kind.MESSAGE, "message", "");
                    try {
                        given(session).getReadHandler().handle(whole);
                    } finally {
                        step.end(null);
                    }
                }
            }
        } catch (FrameException e) {
            refuse(e.reason());
        } catch (IOException e) {
            from.abort();
        }
    }

    private boolean hold(long bytes) {
        MemoryBudget.Share share = held;
        if (share == null) {
            if (bytes <= FREE_BYTES) {
                return true;
            }
            share = given(connection).memory().share(FREE_BYTES);
            held = share;
        }
        return share.hold(bytes);
    }

    private FrameDeadline owed() {
        FrameDeadline made = deadline;
        if (made == null) {
            made = new FrameDeadline(given(limits), given(timer), System::nanoTime, this::late);
            deadline = made;
        }
        return made;
    }

    /// Ends the session because of what the peer has sent, of which nothing is kept. In a task.
    private void refuse(CloseReason reason) {
        given(session).close(reason);
        given(frames).drop();
        boolean _ = hold(0);
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
            FrameDeadline pace = deadline;
            if (pace != null) {
                pace.stop();
            }
            given(frames).drop();
            given(writer).fail(new IOException("the connection has ended"));
            MemoryBudget.Share share = held;
            if (share != null) {
                share.release();
            }
            given(counted).give(given(limits).sessionBytes());
            end(CloseCodes.CLOSED_ABNORMALLY, "the connection was lost");
        } finally {
            given(sessions).remove(this);
        }
    }
}
