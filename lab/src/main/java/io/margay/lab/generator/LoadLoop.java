package io.margay.lab.generator;

import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.wire.BodyTemplate;
import io.margay.lab.wire.Http1Responses;
import io.margay.lab.wire.PlainWire;
import io.margay.lab.wire.Target;
import io.margay.lab.wire.TlsClient;
import io.margay.lab.wire.TlsWire;
import io.margay.lab.wire.Wire;
import io.margay.protocol.quic.connection.QuicConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Carries out one job: one thread, one selector, all connections. Confined to the thread that made
/// it.
final class LoadLoop implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final int SCRATCH_BYTES = 128 * 1024;

    /// A request that has no answer after it fails.
    static final long TIMEOUT_NANOS = 10_000_000_000L;

    /// So many TLS handshakes at a time before a measurement begins: thousands at once would take
    /// the generator longer than servers wait for one.
    private static final int HANDSHAKES_MAX = 256;

    /// Fewer of QUIC, whose packets would not find room in the server's socket.
    private static final int QUIC_HANDSHAKES_MAX = 32;

    /// All connections of a job must stand by then.
    private static final long CONNECT_NANOS = 30_000_000_000L;

    /// For each handshake of TLS so much longer.
    private static final long HANDSHAKE_NANOS = 5_000_000L;

    /// What stands for this part of the time-out while others are opened is asked once: servers
    /// close connections that nobody uses, and thousands of handshakes take longer than they wait.
    private static final int UNUSED_PART = 2;

    /// A server that takes no further connection for so long takes only so many at a time: the
    /// others go on waiting while requests are sent over those.
    private static final long STALL_NANOS = 2_000_000_000L;

    /// How long a connection that failed rests, so that errors do not become a busy loop.
    private static final long REST_NANOS = 10_000_000L;

    /// Requests over all connections in turn are about those that are kept: what it costs to open
    /// thousands at once, which a server does after the client has sent the first, is over by then.
    private static final long RUN_IN_NANOS = 1_000_000_000L;

    private static final long SWEEP_NANOS = 500_000_000L;
    private static final long PROGRESS_NANOS = 100_000_000L;
    private static final long MILLI = 1_000_000L;

    /// When this many requests have failed and none has succeeded, the rest would too.
    private static final int FAILURES_MAX = 1000;

    private record Rest(Lane lane, long untilNanos) {}

    /// A connection of QUIC has something to do at a time, if that is still so.
    private record Alarm(Http3Client client, long atNanos) {}

    /// A connection that stands without a request, while others are opened.
    private record Unused(Lane lane, long sinceNanos) {}

    private final LoadJob job;
    private final long timeoutNanos;
    private final InetSocketAddress address;
    private final @Nullable TlsClient tls;
    private final Selector selector;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private final Http1Responses.LastHead lastHead = new Http1Responses.LastHead();
    private final Recorder recorder;
    private final List<Client> connections = new ArrayList<>();
    private final List<Lane> lanes = new ArrayList<>();
    private final ArrayDeque<Rest> resting = new ArrayDeque<>();
    private final ArrayDeque<Unused> unused = new ArrayDeque<>();
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>((a, b) -> Long.signum(a.atNanos - b.atNanos));
    private final List<Target> targets;
    private final Pattern pattern;
    private int standing;

    /// Requests under way before the measurement begins.
    private int asked;

    private String connectFailure = "";
    private boolean running;

    LoadLoop(
            LoadJob job,
            @Nullable TlsClient tls,
            Map<String, BodyTemplate> templates,
            long timeoutNanos)
            throws IOException {
        this.job = job;
        this.timeoutNanos = timeoutNanos;
        this.tls = tls;
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), job.port());
        selector = Selector.open();
        TraceTargets trace = TraceTargets.of(job);
        recorder = new Recorder(trace != null);
        targets =
                trace != null
                        ? trace.targets()
                        : job.paths().stream()
                                .map(it -> new Target(it, job, templates.get(it)))
                                .toList();
        Http3Client.Shared shared = new Http3Client.Shared();
        pattern =
                switch (job.shape()) {
                    case CLOSED -> new ClosedPattern(this, targets);
                    case RATE -> new RatePattern(this, targets, job.perSecond(), job.inTurn());
                    case TRACE ->
                            new TracePattern(this, Objects.requireNonNull(trace), job.perSecond());
                    case PAGES -> new PagesPattern(this, targets, job.socketsPerUser());
                };
        for (int i = 0; i < job.connections(); i++) {
            if (job.quic()) {
                TlsClient secure = Objects.requireNonNull(tls);
                Http3Client client = new Http3Client(this, secure::quic, shared, job.streams());
                connections.add(client);
                lanes.addAll(client.lanes());
            } else if (job.streams() > 0) {
                Http2Client client = new Http2Client(this, job.tls(), job.streams());
                connections.add(client);
                lanes.addAll(client.lanes());
            } else {
                ClientConnection connection = new ClientConnection(this);
                connections.add(connection);
                lanes.add(connection);
            }
        }
    }

    /// Runs the job.
    ///
    /// @param begun called when everything is connected and the measurement begins
    /// @param progress called ten times a second with the answers so far
    LoadResult run(Runnable begun, LongConsumer progress) throws IOException {
        if (job.keepAlive()) {
            connectAll();
        }
        if (job.inTurn()) {
            begin();
            runIn(now() + RUN_IN_NANOS);
        }
        begun.run();
        long start = now();
        SelfTimes before = SelfTimes.now();
        recorder.start(start);
        if (!running) {
            begin();
        }
        long sweep = start + SWEEP_NANOS;
        long word = start + PROGRESS_NANOS;
        long now = start;
        while (!isOver(start, now)) {
            now = turn(now, word);
            if (now - sweep >= 0) {
                sweep = now + SWEEP_NANOS;
                sweep(now);
            }
            if (now - word >= 0) {
                word = now + PROGRESS_NANOS;
                progress.accept(recorder.requests());
            }
        }
        running = false;
        recorder.stop();
        SelfTimes used = SelfTimes.now().minus(before);
        return recorder.result(start, used.userSeconds(), used.systemSeconds());
    }

    private void begin() {
        running = true;
        pattern.begin(now());
    }

    /// Sends what is due and takes what has come, once.
    ///
    /// @return the time after it
    private long turn(long now, long untilNanos) throws IOException {
        long tick = pattern.tick(now);
        wakeRested(now);
        select(now, Math.min(Math.min(tick, untilNanos), nextRest()));
        return now();
    }

    /// Requests that do not count, over connections that the server may still be accepting.
    private void runIn(long untilNanos) throws IOException {
        long now = now();
        while (now - untilNanos < 0) {
            now = turn(now, untilNanos);
        }
    }

    private boolean isOver(long start, long now) {
        long passed = now - start;
        boolean enough =
                passed >= job.millis() * MILLI
                        && recorder.requests() + recorder.failed() >= job.requests();
        boolean late = job.millisMax() > 0 && passed >= job.millisMax() * MILLI;
        boolean hopeless = recorder.requests() == 0 && recorder.failed() >= FAILURES_MAX;
        return enough || late || hopeless;
    }

    private void connectAll() throws IOException {
        long handshakes = tls == null ? 0 : connections.size() * HANDSHAKE_NANOS;
        long until = now() + CONNECT_NANOS + handshakes;
        long since = now();
        int before = 0;
        int opened = 0;
        while (standing < connections.size() || asked > 0) {
            int atATime = job.quic() ? QUIC_HANDSHAKES_MAX : HANDSHAKES_MAX;
            int most = tls == null ? connections.size() : standing + atATime;
            while (opened < Math.min(most, connections.size())) {
                connections.get(opened++).open();
            }
            long now = now();
            if (standing != before) {
                before = standing;
                since = now;
            }
            boolean stalls = standing > 0 && now - since >= STALL_NANOS;
            if (stalls && asked == 0 && connectFailure.isEmpty()) {
                return;
            }
            if (now - until >= 0 || !connectFailure.isEmpty()) {
                String why = connectFailure.isEmpty() ? "time-out" : connectFailure;
                throw new IOException(
                        "only %d of %d connections could be opened: %s"
                                .formatted(standing, connections.size(), why));
            }
            if (standing < connections.size() && !stalls) {
                askUnused(now);
            }
            select(now, now + SWEEP_NANOS);
        }
    }

    private void askUnused(long now) {
        for (Unused first = unused.peek();
                first != null && now - first.sinceNanos >= timeoutNanos / UNUSED_PART;
                first = unused.peek()) {
            unused.remove();
            asked++;
            first.lane.request(targets.getFirst(), now);
        }
    }

    private void select(long now, long untilNanos) throws IOException {
        long left = untilNanos == Pattern.NEVER ? SWEEP_NANOS : untilNanos - now;
        Alarm first = alarms.peek();
        left = first == null ? left : Math.min(left, first.atNanos - now);
        if ((left < MILLI && job.spin()) || left <= 0) {
            selector.selectNow(LoadLoop::ready);
        } else {
            selector.select(LoadLoop::ready, Math.max(1, left / MILLI));
        }
        if (first != null) {
            ring(now());
        }
    }

    /// Has those connections act whose time has come.
    private void ring(long now) {
        for (Alarm first = alarms.peek();
                first != null && first.atNanos - now <= 0;
                first = alarms.peek()) {
            alarms.remove();
            if (first.client.alarmNanos == first.atNanos) {
                first.client.alarmNanos = QuicConnection.NEVER;
                first.client.tick();
            }
        }
    }

    private static void ready(SelectionKey key) {
        if (key.attachment() instanceof Client connection && key.isValid()) {
            connection.ready();
        }
    }

    private long nextRest() {
        Rest first = resting.peek();
        return first == null ? Pattern.NEVER : first.untilNanos;
    }

    private void wakeRested(long now) {
        for (Rest first = resting.peek();
                first != null && first.untilNanos - now <= 0;
                first = resting.peek()) {
            resting.remove();
            pattern.free(first.lane, now);
        }
    }

    private void sweep(long now) {
        for (Client connection : connections) {
            connection.giveUp(now - timeoutNanos);
        }
    }

    // ---- what connections and patterns ask for

    long now() {
        return System.nanoTime();
    }

    Selector selector() {
        return selector;
    }

    InetSocketAddress address() {
        return address;
    }

    byte[] buffer() {
        return buffer;
    }

    Recorder recorder() {
        return recorder;
    }

    Http1Responses.LastHead lastHead() {
        return lastHead;
    }

    /// What carries requests: a lane per connection, or per stream.
    List<Lane> lanes() {
        return lanes;
    }

    Wire wire(SocketChannel channel) throws IOException {
        return tls == null
                ? new PlainWire(channel, scratch)
                : new TlsWire(channel, tls.engine(job.streams() > 0));
    }

    /// Has a connection of QUIC act at a time, or before.
    void alarm(Http3Client client, long atNanos) {
        if (atNanos != QuicConnection.NEVER
                && (client.alarmNanos == QuicConnection.NEVER || atNanos < client.alarmNanos)) {
            client.alarmNanos = atNanos;
            alarms.add(new Alarm(client, atNanos));
        }
    }

    /// A connection without request stands.
    ///
    /// @param first what carries requests over it
    void connected(Lane first) {
        standing++;
        unused.add(new Unused(first, now()));
    }

    /// A connection that nobody used was closed by the server.
    void idleEnded() {
        standing -= running ? 0 : 1;
    }

    void free(Lane lane, long now) {
        if (running) {
            pattern.free(lane, now);
        } else {
            asked--;
            unused.add(new Unused(lane, now));
        }
    }

    void failed(Lane lane, String kind) {
        if (running) {
            resting.add(new Rest(lane, now() + REST_NANOS));
        } else {
            connectFailure = kind;
        }
    }

    /// A connection without requests has failed.
    void notConnected(String kind) {
        if (!running) {
            connectFailure = kind;
        }
    }

    @Override
    public void close() throws IOException {
        connections.forEach(Client::close);
        selector.close();
    }
}
