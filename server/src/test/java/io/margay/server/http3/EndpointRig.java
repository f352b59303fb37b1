package io.margay.server.http3;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http3.Http3Session;
import io.margay.protocol.http3.Http3Stream;
import io.margay.protocol.quic.connection.ConnectionIdSource;
import io.margay.protocol.quic.connection.ConnectionOptions;
import io.margay.protocol.quic.connection.QuicConnection;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.config.ServerStats;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.AddressLimit;
import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import io.margay.transport.LeaderTask;
import io.margay.transport.quic.DatagramLoop;
import io.margay.transport.quic.QuicHandshake;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// An endpoint of HTTP/3 with a network of its own in virtual time: what a client or the endpoint
/// sends has come a millisecond later. Everything runs in the test's thread.
final class EndpointRig implements Dispatcher {
    static final long SECOND = 1_000_000_000;

    private static final InetSocketAddress SERVER = address(1, 443);

    private record Flying(byte[] datagram, InetSocketAddress peer) {}

    final ServerStats stats = new ServerStats();
    final ConnectionContext context;
    final List<Client> clients = new ArrayList<>();
    final Random random = new Random(1);

    /// Those of the server that are not closed.
    final AtomicInteger ciphers = new AtomicInteger();

    final Http3Service endpoint;
    long now;

    /// Handshakes that were begun.
    int handshakes;

    /// Octets that the endpoint has sent to addresses at which no client is.
    long strayed;

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final ArrayDeque<Flying> sent = new ArrayDeque<>();
    private final byte[] scratch = new byte[65_536];
    private final byte[] buffer = new byte[2_048];

    /// The loop to which datagrams come.
    int comesTo;

    /// The address to which they come.
    InetAddress asked = SERVER.getAddress();

    /// Addresses from which the endpoint has sent.
    final Set<InetAddress> from = new HashSet<>();

    /// Whether the sockets take datagrams, and how many until they do not.
    boolean room = true;

    int takes = Integer.MAX_VALUE;

    /// Octets that the sockets have taken.
    long taken;

    private final List<Loop> loops = List.of(new Loop(), new Loop());

    EndpointRig(
            io.margay.server.exchange.Handler answers,
            HttpLimits limits,
            MemoryBudget memory,
            int connectionsMax,
            @Nullable AddressLimit addresses) {
        this(answers, limits, memory, connectionsMax, addresses, null);
    }

    /// @param before whose port it goes on with, or null
    EndpointRig(
            io.margay.server.exchange.Handler answers,
            HttpLimits limits,
            MemoryBudget memory,
            int connectionsMax,
            @Nullable AddressLimit addresses,
            @Nullable EndpointRig before) {
        now = before == null ? SECOND : before.now;
        HttpServerConfig usual = HttpServerConfig.defaults();
        context =
                new ConnectionContext(
                        answers,
                        this,
                        usual.withLimits(limits).withMemory(memory),
                        stats,
                        null,
                        InstantSource.system(),
                        () -> now);
        LoopsAlone port = new LoopsAlone(loops, before == null ? null : before.endpoint.state());
        endpoint = Http3Service.open(port, () -> context, connectionsMax, addresses);
    }

    static InetSocketAddress address(int last, int port) {
        try {
            byte[] octets = {10, 0, (byte) (last >> 8), (byte) last};
            return new InetSocketAddress(InetAddress.getByAddress(octets), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    // Running

    /// Goes on until something holds.
    void run(BooleanSupplier until, int seconds) {
        assertTrue(goOn(until, seconds), () -> "it does not come to hold within " + seconds + " s");
    }

    /// Lets time pass.
    void pass(int seconds) {
        boolean _ = goOn(() -> false, seconds);
    }

    private boolean goOn(BooleanSupplier until, int seconds) {
        long end = now + seconds * SECOND;
        while (true) {
            boolean moved = step();
            if (until.getAsBoolean()) {
                return true;
            }
            long next = now + 1_000_000;
            if (!moved) {
                next = Math.min(loops.getFirst().alarmAt, loops.getLast().alarmAt);
                for (Client client : clients) {
                    next = Math.min(next, client.deadline());
                }
            }
            if (next > end) {
                now = end;
                return false;
            }
            now = Math.max(now + 1_000_000, next);
            loops.forEach(Loop::passed);
            clients.forEach(Client::timeout);
        }
    }

    /// Delivers what is on its way, and has everybody send.
    private boolean step() {
        boolean moved = false;
        for (Client client : List.copyOf(clients)) {
            moved |= client.send();
        }
        while (!tasks.isEmpty()) {
            moved = true;
            tasks.remove().run();
        }
        for (int left = sent.size(); left > 0; left--) {
            moved = true;
            Flying one = sent.remove();
            Client to = at(one.peer);
            if (to == null) {
                strayed += one.datagram.length;
            } else {
                to.quic.receive(one.datagram, 0, one.datagram.length, SERVER, 0, now);
            }
        }
        return moved;
    }

    private @Nullable Client at(InetSocketAddress address) {
        for (Client client : clients) {
            if (client.address.equals(address)) {
                return client;
            }
        }
        return null;
    }

    /// Something comes from an address.
    void deliver(byte[] datagram, InetSocketAddress from) {
        DatagramLoop.Handler to = loops.get(comesTo).handler;
        assertTrue(to != null);
        to.received(datagram.clone(), 0, datagram.length, from, asked, 0);
        to.roundEnded();
    }

    Client client(int last) {
        return client(address(last, 5_000), new byte[0]);
    }

    Client client(InetSocketAddress address, byte[] token) {
        Client made = new Client(address, token);
        clients.add(made);
        return made;
    }

    /// A client, which sends as long as it is [#awake].
    final class Client implements Http3Session.Events, ConnectionIdSource {
        final QuicConnection quic;
        final Http3Session session;
        final List<String> told = new ArrayList<>();
        final List<Long> goAways = new ArrayList<>();
        InetSocketAddress address;
        boolean awake = true;

        /// Whether content is said to be used as soon as it comes.
        boolean uses = true;

        private final StringBuilder text = new StringBuilder();
        long got;
        long sent;
        private boolean begun;

        private Client(InetSocketAddress address, byte[] token) {
            this.address = address;
            quic =
                    QuicConnection.client(
                            ConnectionOptions.defaults(),
                            new PlainHandshake.Client(),
                            this,
                            random,
                            SERVER,
                            scratch,
                            token,
                            now);
            session =
                    new Http3Session(
                            false,
                            Http2Limits.defaults(),
                            quic.streams(),
                            this,
                            -1,
                            RequestTarget.Characters.STRICT);
        }

        private long deadline() {
            return awake ? quic.deadline() : QuicConnection.NEVER;
        }

        private void timeout() {
            if (awake) {
                quic.timeout(now);
            }
        }

        /// All the content that has come.
        String content() {
            return text.toString();
        }

        private boolean send() {
            return awake && sendOnce();
        }

        /// Sends what there is now.
        boolean sendOnce() {
            if (!begun && quic.isEstablished()) {
                begun = true;
                session.begin(1);
            }
            if (begun) {
                session.process(buffer);
            }
            boolean moved = false;
            byte[] datagram = new byte[2_048];
            for (int n = quic.send(datagram, now); n > 0; n = quic.send(datagram, now)) {
                moved = true;
                sent += n;
                deliver(Arrays.copyOf(datagram, n), address);
            }
            return moved;
        }

        Http3Stream get(String path) {
            FieldList head = new FieldList();
            head.add(":method", "GET");
            head.add(":scheme", "https");
            head.add(":authority", "localhost");
            head.add(":path", path);
            Http3Stream made = session.request(head, -1, true);
            assertTrue(made != null, "no stream can be opened");
            return made;
        }

        @Override
        public void head(Http3Stream stream, RequestHead head, @Nullable ProtocolError refusal) {}

        @Override
        public void response(Http3Stream stream, ResponseHead head) {
            told.add(stream.number() + " " + head.status());
        }

        @Override
        public void data(Http3Stream stream, byte[] bytes, int from, int to) {
            got += to - from;
            text.append(new String(bytes, from, to - from, StandardCharsets.US_ASCII));
            if (uses) {
                boolean _ = stream.used(to - from);
            }
        }

        @Override
        public void trailers(Http3Stream stream, Fields trailers) {}

        @Override
        public void reset(Http3Stream stream, @Nullable ProtocolError why) {
            told.add(stream.number() + " reset");
        }

        @Override
        public void room(Http3Stream stream) {}

        @Override
        public void priority(Http3Stream stream, Priority priority) {}

        @Override
        public void goAway(long id) {
            goAways.add(id);
        }

        @Override
        public byte[] issue() {
            byte[] id = new byte[8];
            random.nextBytes(id);
            return id;
        }

        @Override
        public void accept(byte[] id) {}

        @Override
        public void retire(byte[] id) {}

        @Override
        public byte[] resetToken(byte[] id) {
            return new byte[16];
        }
    }

    // The sockets

    private final class Loop implements DatagramLoop {
        private @Nullable Handler handler;
        private long alarmAt = Connection.NEVER;
        private Runnable alarm = () -> {};

        private void passed() {
            if (alarmAt <= now) {
                Runnable due = alarm;
                alarmAt = Connection.NEVER;
                due.run();
            }
        }

        @Override
        public void start(Handler to) {
            handler = to;
        }

        @Override
        public InetSocketAddress address() {
            return SERVER;
        }

        @Override
        public boolean hasRoom() {
            return room && takes > 0;
        }

        @Override
        public void send(
                byte[] bytes,
                int length,
                InetSocketAddress peer,
                InetAddress local,
                boolean marked) {
            assertTrue(takes-- > 0, "a datagram is lost");
            taken += length;
            sent.add(new Flying(Arrays.copyOf(bytes, length), peer));
            from.add(local);
        }

        @Override
        public void flush() {}

        @Override
        public QuicHandshake handshake() {
            handshakes++;
            return new PlainHandshake(ciphers);
        }

        @Override
        public Dialer dialer() {
            throw new UnsupportedOperationException("nobody dials");
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public boolean runAsLeader(LeaderTask task) {
            return false;
        }

        @Override
        public boolean atRoundEnd(Runnable step) {
            return false;
        }

        @Override
        public void alarm(long nanoTime, Runnable step) {
            alarmAt = nanoTime;
            alarm = step;
        }
    }

    /// The sockets take more again.
    void roomAgain() {
        room = true;
        handlers().forEach(DatagramLoop.Handler::roundEnded);
    }

    List<DatagramLoop.Handler> handlers() {
        return loops.stream().map(each -> Objects.requireNonNull(each.handler)).toList();
    }

    @Override
    public void close() {}

    // What tasks run on

    @Override
    public boolean submit(Runnable task) {
        return tasks.add(task);
    }

    @Override
    public int active() {
        return 0;
    }

    @Override
    public int queued() {
        return 0;
    }
}
