package io.margay.lab.generator;

import io.margay.lab.wire.BodyCheck;
import io.margay.lab.wire.Http1Responses;
import io.margay.lab.wire.Target;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One connection to the server, opened when there is a request to send, and again after it was
/// closed. Confined to the loop.
///
/// ```
/// CLOSED --request--> CONNECTING --connected--> BUSY --answer--> IDLE --request--> BUSY
///                                                  \--answer, not kept--> ENDING --end--> CLOSED
/// ```
final class ClientConnection implements Client, Lane {
    private enum State {
        CLOSED,
        CONNECTING,
        IDLE,
        BUSY,
        /// The answer is complete and the server is about to close.
        ENDING
    }

    private final LoadLoop loop;
    private final Http1Responses answers;
    private State state = State.CLOSED;
    private final ClientSocket socket = new ClientSocket();
    private @Nullable Target pending;
    private @Nullable Object attachment;
    private byte[] stash = new byte[0];
    private int stashed;
    private long startNanos;
    private long sinceNanos;

    /// Whether the connection stood before its request: the server may close it meanwhile.
    private boolean stood;

    private boolean repeated;

    /// What is sent with the session that the server has begun; null = it has begun none.
    private @Nullable Target own;

    ClientConnection(LoadLoop loop) {
        this.loop = loop;
        answers = new Http1Responses(loop.lastHead());
    }

    @Override
    public BodyCheck check() {
        return answers.check();
    }

    @Override
    public void attach(Object object) {
        attachment = object;
    }

    @Override
    public @Nullable Object attached() {
        return attachment;
    }

    @Override
    public void open() {
        try {
            connect();
        } catch (IOException e) {
            fail(kind(e));
        }
    }

    @Override
    public void request(Target asked, long start) {
        Target target = asked.hasSession() && own != null ? own : asked;
        startNanos = start;
        pending = target;
        stood = state == State.IDLE;
        repeated = false;
        try {
            if (state == State.CLOSED) {
                connect();
            } else if (state == State.CONNECTING) {
                sinceNanos = loop.now();
            } else {
                send(target);
            }
        } catch (IOException e) {
            fail(kind(e));
        }
    }

    private void connect() throws IOException {
        sinceNanos = loop.now();
        state = State.CONNECTING;
        stashed = 0;
        boolean connected = socket.open(loop.address(), loop.selector(), loop::wire, this);
        loop.recorder().opened();
        if (connected) {
            advance();
        }
    }

    private void advance() throws IOException {
        boolean ready = socket.wire().advance();
        boolean connecting =
                socket.key().channel() instanceof SocketChannel channel
                        && channel.isConnectionPending();
        if (!connecting) {
            boolean flushed = socket.wire().flush();
            socket.key().interestOps(SelectionKey.OP_READ | (flushed ? 0 : SelectionKey.OP_WRITE));
        }
        if (ready) {
            state = State.IDLE;
            Target target = pending;
            if (target != null) {
                send(target);
            } else {
                loop.connected(this);
            }
        }
    }

    private void send(Target target) throws IOException {
        state = State.BUSY;
        sinceNanos = loop.now();
        answers.expect(target);
        var request = target.request();
        loop.recorder().written(request.remaining());
        if (!socket.wire().write(request)) {
            socket.key().interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
    }

    @Override
    public void ready() {
        try {
            if (state == State.CONNECTING) {
                advance();
                return;
            }
            if (socket.key().isWritable() && socket.wire().flush()) {
                socket.key().interestOps(SelectionKey.OP_READ);
            }
            if (socket.key().isValid() && socket.key().isReadable()) {
                readable();
            }
        } catch (IOException e) {
            failOrRepeat(kind(e));
        }
    }

    private void failOrRepeat(String kind) {
        if (state != State.BUSY || !mayRepeat() || !kind.equals("connection reset")) {
            fail(kind);
            return;
        }
        try {
            repeat();
        } catch (IOException e) {
            fail(kind(e));
        }
    }

    private void readable() throws IOException {
        byte[] buffer = loop.buffer();
        int have = stashed;
        System.arraycopy(stash, 0, buffer, 0, have);
        int count = socket.wire().read(buffer, have);
        if (count < 0) {
            ended();
            return;
        }
        if (count == 0) {
            return;
        }
        loop.recorder().read(count);
        stashed = 0;
        if (state != State.BUSY) {
            fail("content that was not asked for");
            return;
        }
        int to = have + count;
        switch (answers.read(buffer, 0, to)) {
            case MORE -> keep(buffer, answers.consumed(), to);
            case FAILED -> fail(answers.failure());
            case DONE -> {
                if (answers.consumed() != to) {
                    fail("content that was not asked for");
                } else {
                    answered();
                }
            }
        }
    }

    private void keep(byte[] buffer, int from, int to) {
        int count = to - from;
        if (stash.length < count) {
            stash = new byte[Math.max(count, 2 * stash.length)];
        }
        System.arraycopy(buffer, from, stash, 0, count);
        stashed = count;
    }

    private void answered() throws IOException {
        String objection = answers.objection();
        keepSession();
        long now = loop.now();
        if (objection.isEmpty()) {
            loop.recorder().answered(startNanos, now);
            loop.recorder().other(answers.otherStatus());
        } else {
            loop.recorder().failed(objection);
        }
        pending = null;
        if (answers.head().keepAlive()) {
            state = State.IDLE;
            loop.free(this, now);
        } else {
            state = State.ENDING;
            // Often the end has arrived with the answer.
            if (socket.wire().read(loop.buffer(), 0) < 0) {
                ended();
            }
        }
    }

    /// Sends the cookie of a session from now on. A job with sessions has one path.
    private void keepSession() {
        String set = answers.head().field("set-cookie");
        Target sent = pending;
        if (set != null && sent != null && sent.hasSession()) {
            own = sent.with(set.split(";")[0]);
        }
    }

    /// The server has closed its side.
    private void ended() throws IOException {
        switch (state) {
            case ENDING -> {
                close();
                loop.free(this, loop.now());
            }
            case IDLE -> {
                // Allowed at any time; the next request opens another.
                close();
                loop.idleEnded();
            }
            case BUSY -> {
                if (mayRepeat()) {
                    repeat();
                } else if (answers.endOfInput() == Http1Responses.Result.DONE) {
                    answered();
                } else {
                    fail(answers.failure());
                }
            }
            default -> fail("closed without an answer");
        }
    }

    /// A server may close a kept connection whenever it likes; a request that crosses with that is
    /// sent again over a new connection, once (RFC 9112 §9.3.1). ApacheBench counts the same way.
    private boolean mayRepeat() {
        return stood && !repeated && !answers.hasBegun() && stashed == 0;
    }

    private void repeat() throws IOException {
        repeated = true;
        loop.recorder().repeated();
        close();
        connect();
    }

    @Override
    public void giveUp(long nanos) {
        if (state != State.CLOSED && state != State.IDLE && sinceNanos - nanos < 0) {
            fail(state == State.CONNECTING ? "time-out while connecting" : "time-out");
        }
    }

    private void fail(String kind) {
        loop.recorder().failed(kind);
        pending = null;
        close();
        loop.failed(this, kind);
    }

    @Override
    public void close() {
        state = State.CLOSED;
        socket.close();
    }

    /// The kind that an error is counted as.
    static String kind(IOException e) {
        String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        if (e instanceof ConnectException && text.contains("refused")) {
            return "connection refused";
        }
        if (text.contains("reset") || text.contains("broken pipe")) {
            return "connection reset";
        }
        if (text.contains("cannot assign requested address")) {
            return "no free port on this side";
        }
        String[] words = text.split("\\s+");
        return String.join(" ", Arrays.copyOf(words, Math.min(words.length, 8)));
    }
}
