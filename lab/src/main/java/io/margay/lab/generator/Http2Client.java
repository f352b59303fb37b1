package io.margay.lab.generator;

import io.margay.lab.wire.Target;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Session.Event;
import io.margay.protocol.http2.Http2Session.Role;
import io.margay.protocol.http2.Http2Stream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One HTTP/2 connection with a number of lanes: by ALPN over TLS, by prior knowledge otherwise.
/// When it ends, the requests on it fail, and the next one opens another. Confined to the loop.
final class Http2Client implements Client {
    private enum State {
        CLOSED,
        CONNECTING,
        OPEN
    }

    private static final Http2Limits LIMITS = Http2Limits.defaults();
    private static final int OUTPUT_BYTES = 64 * 1024;

    private final LoadLoop loop;
    private final boolean secure;
    private final List<StreamLane> lanes = new ArrayList<>();

    /// Lanes whose requests the server has no stream for yet.
    private final ArrayDeque<StreamLane> waiting = new ArrayDeque<>();

    private ByteBuffer output = ByteBuffer.allocateDirect(OUTPUT_BYTES);
    private State state = State.CLOSED;
    private final ClientSocket socket = new ClientSocket();
    private @Nullable Http2Session session;
    private byte[] frames = new byte[0];
    private byte[] stash = new byte[0];
    private int stashed;
    private boolean receiving;
    private long sinceNanos;

    Http2Client(LoadLoop loop, boolean secure, int streams) {
        this.loop = loop;
        this.secure = secure;
        for (int i = 0; i < streams; i++) {
            lanes.add(new StreamLane(loop, this::request));
        }
    }

    List<StreamLane> lanes() {
        return lanes;
    }

    @Override
    public void open() {
        try {
            connect();
        } catch (IOException e) {
            fail(ClientConnection.kind(e));
        }
    }

    /// Sends the request of a lane, or has it wait until it can be sent.
    void request(StreamLane lane) {
        waiting.add(lane);
        if (receiving) {
            return;
        }
        try {
            if (state == State.CLOSED) {
                connect();
            } else if (state == State.OPEN) {
                sendWaiting();
                flush();
            }
        } catch (IOException e) {
            fail(ClientConnection.kind(e));
        }
    }

    private void connect() throws IOException {
        state = State.CONNECTING;
        sinceNanos = loop.now();
        stashed = 0;
        output.clear();
        boolean connected = socket.open(loop.address(), loop.selector(), loop::wire, this);
        loop.recorder().opened();
        if (connected) {
            advance();
        }
    }

    private void advance() throws IOException {
        boolean ready = socket.wire().advance();
        if (socket.key().channel() instanceof SocketChannel channel
                && channel.isConnectionPending()) {
            return;
        }
        boolean flushed = socket.wire().flush();
        socket.key().interestOps(SelectionKey.OP_READ | (flushed ? 0 : SelectionKey.OP_WRITE));
        if (ready) {
            if (secure && !"h2".equals(socket.wire().protocol())) {
                throw new IOException("no HTTP/2 by ALPN");
            }
            state = State.OPEN;
            session = new Http2Session(Role.CLIENT, LIMITS, secure, -1);
            sendWaiting();
            flush();
            loop.connected(lanes.getFirst());
        }
    }

    @Override
    public void ready() {
        try {
            if (state == State.CONNECTING) {
                advance();
                return;
            }
            if (socket.key().isWritable()) {
                flush();
            }
            if (state == State.OPEN && socket.key().isReadable()) {
                readable();
            }
        } catch (IOException e) {
            fail(ClientConnection.kind(e));
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
        receiving = true;
        try {
            receive(buffer, have + count);
        } finally {
            receiving = false;
        }
        if (state == State.OPEN) {
            sendWaiting();
            flush();
        } else if (!waiting.isEmpty()) {
            connect();
        }
    }

    private void receive(byte[] buffer, int to) throws IOException {
        int at = 0;
        Event event;
        do {
            event = session().receive(buffer, at, to);
            at = session().consumed();
            take(event, buffer);
        } while (event != Event.NEED_MORE && state == State.OPEN);
        int left = to - at;
        if (stash.length < left) {
            stash = new byte[Math.max(left, 2 * stash.length)];
        }
        System.arraycopy(buffer, at, stash, 0, left);
        stashed = left;
    }

    private void take(Event event, byte[] buffer) throws IOException {
        Http2Session of = session();
        Http2Stream stream = of.stream();
        if (event == Event.FAILED) {
            throw new IOException("malformed answer");
        }
        if (event == Event.ROOM) {
            lanes.forEach(StreamLane::sendContent);
            return;
        }
        if (stream == null || !(stream.owner() instanceof StreamLane lane)) {
            return;
        }
        switch (event) {
            case HEAD -> {
                if (!of.responseHead().isInterim()) {
                    lane.status = of.responseHead().status();
                }
            }
            case DATA -> {
                int length = of.dataTo() - of.dataFrom();
                lane.check().accept(buffer, of.dataFrom(), of.dataTo());
                of.used(stream, length);
            }
            case RESET -> {
                of.release(stream);
                lane.finished("stream reset");
                return;
            }
            default -> {}
        }
        if (stream.isInputEnded() && lane.stream == stream) {
            if (!stream.isOutputEnded()) {
                of.reset(stream, 0);
            }
            of.release(stream);
            lane.finished(lane.objection());
        }
    }

    /// Begins streams for lanes that wait, as many as the server takes.
    private void sendWaiting() {
        while (!waiting.isEmpty()) {
            StreamLane lane = waiting.getFirst();
            Target target = lane.target;
            if (target == null) {
                waiting.removeFirst();
                continue;
            }
            boolean ends = target.content().length == 0;
            Http2Stream stream =
                    session().request(target.head(), ends ? -1 : target.content().length, ends);
            if (stream == null) {
                return;
            }
            waiting.removeFirst();
            lane.begin(stream);
        }
    }

    /// Writes what the session has put out.
    private void flush() throws IOException {
        boolean more = socket.wire().flush();
        while (more && session().output().size() > 0) {
            int count = session().output().size();
            frames = session().output().exchange(frames);
            if (output.capacity() < count) {
                output = ByteBuffer.allocateDirect(2 * count);
            }
            output.clear().put(frames, 0, count).flip();
            loop.recorder().written(count);
            more = socket.wire().write(output);
        }
        socket.key().interestOps(SelectionKey.OP_READ | (more ? 0 : SelectionKey.OP_WRITE));
    }

    /// The server has closed its side.
    private void ended() {
        boolean busy = lanes.stream().anyMatch(lane -> lane.target != null);
        if (busy) {
            fail("closed without an answer");
        } else {
            close();
            loop.idleEnded();
        }
    }

    @Override
    public void giveUp(long nanos) {
        if (state == State.CONNECTING && sinceNanos - nanos < 0) {
            fail("time-out while connecting");
        } else if (state == State.OPEN && lanes.stream().anyMatch(it -> it.isLate(nanos))) {
            fail("time-out");
        }
    }

    /// Every request on the connection has failed.
    private void fail(String kind) {
        close();
        waiting.clear();
        boolean any = false;
        for (StreamLane lane : lanes) {
            if (lane.target != null) {
                any = true;
                lane.finished(kind);
            }
        }
        if (!any) {
            loop.notConnected(kind);
        }
    }

    @Override
    public void close() {
        state = State.CLOSED;
        session = null;
        socket.close();
    }

    private Http2Session session() {
        if (session == null) {
            throw new IllegalStateException("not connected");
        }
        return session;
    }
}
