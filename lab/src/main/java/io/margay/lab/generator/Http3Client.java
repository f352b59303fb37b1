package io.margay.lab.generator;

import io.margay.lab.wire.Sockets;
import io.margay.lab.wire.Target;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http3.Http3Error;
import io.margay.protocol.http3.Http3Session;
import io.margay.protocol.http3.Http3Stream;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.connection.ConnectionIdSource;
import io.margay.protocol.quic.connection.ConnectionOptions;
import io.margay.protocol.quic.connection.QuicConnection;
import io.margay.protocol.quic.tls.QuicTls;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One HTTP/3 connection with a number of lanes, on a socket of its own. When it ends, the requests
/// on it fail, and the next one opens another. Confined to the loop.
final class Http3Client implements Client, ConnectionIdSource, Http3Session.Events {
    private static final System.Logger LOG = System.getLogger(Http3Client.class.getName());
    private static final Http2Limits LIMITS = Http2Limits.defaults();
    private static final int DATAGRAM_BYTES = 2_048;
    private static final int SCRATCH_BYTES = 65_536;
    private static final int SOCKET_BYTES = 1 << 20;
    private static final int ID_BYTES = 8;

    /// H3_NO_ERROR (RFC 9114 §8.1).
    private static final long NO_ERROR = 0x100;

    /// Datagrams that are received before any are acknowledged.
    private static final int RECEIVED_MAX = 32;

    /// What all clients of a loop use, one after the other. Confined to the loop.
    static final class Shared {
        private final Random random = new Random();
        private final byte[] scratch = new byte[SCRATCH_BYTES];
        private final byte[] octets = new byte[DATAGRAM_BYTES];
        private final ByteBuffer datagram = ByteBuffer.wrap(octets);
    }

    private final LoadLoop loop;
    private final Supplier<QuicTls> tls;
    private final Shared shared;
    private final List<StreamLane> lanes = new ArrayList<>();

    /// Lanes whose requests the server has no stream for yet.
    private final ArrayDeque<StreamLane> waiting = new ArrayDeque<>();

    /// Lanes whose streams have ended, and how.
    private final ArrayDeque<Ended> ended = new ArrayDeque<>();

    private record Ended(StreamLane lane, String objection) {}

    private @Nullable DatagramChannel channel;
    private @Nullable QuicConnection quic;
    private @Nullable Http3Session session;
    private boolean working;
    private long sinceNanos;

    /// When [#tick] is called, or [QuicConnection#NEVER]; the loop's.
    long alarmNanos = QuicConnection.NEVER;

    Http3Client(LoadLoop loop, Supplier<QuicTls> tls, Shared shared, int streams) {
        this.loop = loop;
        this.tls = tls;
        this.shared = shared;
        for (int i = 0; i < streams; i++) {
            lanes.add(new StreamLane(loop, this::request));
        }
    }

    List<StreamLane> lanes() {
        return lanes;
    }

    @Override
    public void open() {
        attempt(this::connect);
    }

    private void request(StreamLane lane) {
        waiting.add(lane);
        if (!working) {
            attempt(quic == null ? this::connect : this::step);
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private void attempt(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            fail(ClientConnection.kind(e));
        }
    }

    private void connect() throws IOException {
        sinceNanos = loop.now();
        DatagramChannel made = DatagramChannel.open(StandardProtocolFamily.INET);
        channel = made;
        made.configureBlocking(false);
        made.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
        made.connect(loop.address());
        made.register(loop.selector(), SelectionKey.OP_READ, this);
        quic =
                QuicConnection.client(
                        ConnectionOptions.defaults(),
                        tls.get(),
                        this,
                        shared.random,
                        loop.address(),
                        shared.scratch,
                        new byte[0],
                        sinceNanos);
        loop.recorder().opened();
        step();
    }

    @Override
    public void ready() {
        attempt(() -> {
            receive();
            step();
        });
    }

    /// The time of [#alarmNanos] has come.
    void tick() {
        QuicConnection on = quic;
        if (on != null) {
            on.timeout(loop.now());
            attempt(this::step);
        }
    }

    private void receive() throws IOException {
        DatagramChannel from = channel;
        QuicConnection on = quic;
        ByteBuffer datagram = shared.datagram;
        for (int i = 0; i < RECEIVED_MAX && from != null && on != null; i++) {
            int size = from.read(datagram.clear());
            if (size <= 0) {
                return;
            }
            loop.recorder().read(size);
            on.receive(shared.octets, 0, size, loop.address(), 0, loop.now());
        }
    }

    /// Looks at what has come, and sends what there is to send.
    private void step() throws IOException {
        QuicConnection on = quic;
        if (on == null) {
            return;
        }
        working = true;
        try {
            if (session == null && on.isEstablished()) {
                established(on);
            }
            Http3Session of = session;
            if (of != null) {
                Http3Error error = of.process(loop.buffer());
                if (error != null) {
                    throw new IOException("HTTP/3: " + error.text());
                }
                for (Ended one = ended.poll(); one != null; one = ended.poll()) {
                    one.lane.finished(one.objection);
                }
                sendWaiting(of);
            }
        } finally {
            working = false;
        }
        flush(on);
        if (!on.isOpen()) {
            QuicError error = on.error();
            throw new IOException(error == null ? "closed by the server" : error.text());
        }
        loop.alarm(this, on.deadline());
    }

    private void established(QuicConnection on) {
        Http3Session made =
                new Http3Session(
                        false, LIMITS, on.streams(), this, -1, RequestTarget.Characters.STRICT);
        made.begin(shared.random.nextInt());
        session = made;
        loop.connected(lanes.getFirst());
    }

    /// Begins streams for lanes that wait, as many as the server takes.
    private void sendWaiting(Http3Session of) {
        for (StreamLane lane = waiting.peek(); lane != null; lane = waiting.peek()) {
            Target target = lane.target;
            if (target != null) {
                int length = target.content().length;
                Http3Stream stream =
                        of.request(target.head(), length == 0 ? -1 : length, length == 0);
                if (stream == null) {
                    return;
                }
                lane.begin(stream);
            }
            waiting.remove();
        }
    }

    private void flush(QuicConnection on) throws IOException {
        DatagramChannel to = channel;
        ByteBuffer datagram = shared.datagram;
        for (int size = on.send(shared.octets, loop.now());
                size > 0 && to != null;
                size = on.send(shared.octets, loop.now())) {
            loop.recorder().written(size);
            // What the system does not take is lost, as any may be.
            int _ = to.write(datagram.clear().limit(size));
        }
    }

    @Override
    public void giveUp(long nanos) {
        if (quic != null && session == null && sinceNanos - nanos < 0) {
            fail("time-out while connecting");
        } else if (session != null && lanes.stream().anyMatch(lane -> lane.isLate(nanos))) {
            fail("time-out");
        }
    }

    /// Every request on the connection has failed.
    private void fail(String kind) {
        close();
        waiting.clear();
        ended.clear();
        List<StreamLane> busy = lanes.stream().filter(lane -> lane.target != null).toList();
        if (busy.isEmpty() && session == null) {
            loop.notConnected(kind);
        } else if (busy.isEmpty()) {
            loop.idleEnded();
        }
        session = null;
        busy.forEach(lane -> lane.finished(kind));
    }

    @Override
    public void close() {
        QuicConnection on = quic;
        DatagramChannel from = channel;
        if (on != null && from != null) {
            on.close(NO_ERROR, "", loop.now());
            try {
                flush(on);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "the server learns later that a connection is closed", e);
            }
            Sockets.close(from);
        }
        quic = null;
        channel = null;
        alarmNanos = QuicConnection.NEVER;
    }

    // What the session tells

    @Override
    public void response(Http3Stream stream, ResponseHead head) {
        if (stream.owner() instanceof StreamLane lane && !head.isInterim()) {
            lane.status = head.status();
        }
        endIfAll(stream);
    }

    @Override
    public void data(Http3Stream stream, byte[] bytes, int from, int to) {
        if (stream.owner() instanceof StreamLane lane) {
            lane.check().accept(bytes, from, to);
        }
        boolean _ = stream.used(to - from);
        endIfAll(stream);
    }

    @Override
    public void trailers(Http3Stream stream, Fields trailers) {
        endIfAll(stream);
    }

    @Override
    public void reset(Http3Stream stream, @Nullable ProtocolError why) {
        end(stream, "stream reset");
    }

    @Override
    public void room(Http3Stream stream) {
        if (stream.owner() instanceof StreamLane lane) {
            lane.sendContent();
        }
    }

    private void endIfAll(Http3Stream stream) {
        if (stream.isInputEnded()) {
            end(stream, "");
        }
    }

    private void end(Http3Stream stream, String failure) {
        if (stream.owner() instanceof StreamLane lane && lane.stream == stream) {
            lane.stream = null;
            ended.add(new Ended(lane, failure.isEmpty() ? lane.objection() : failure));
            stream.reset(Http3Stream.End.DONE);
            stream.release();
        }
    }

    @Override
    public void head(Http3Stream stream, RequestHead head, @Nullable ProtocolError refusal) {}

    @Override
    public void priority(Http3Stream stream, Priority priority) {}

    /// The server ends the connection when what is under way is answered; the next request opens
    /// another then.
    @Override
    public void goAway(long id) {}

    // Its connection ids, which lead to its socket

    @Override
    public byte[] issue() {
        byte[] id = new byte[ID_BYTES];
        shared.random.nextBytes(id);
        return id;
    }

    @Override
    public void accept(byte[] id) {}

    @Override
    public void retire(byte[] id) {}

    @Override
    public byte[] resetToken(byte[] id) {
        byte[] token = new byte[16];
        shared.random.nextBytes(token);
        return token;
    }
}
