package io.margay.server.http3;

import io.margay.protocol.quic.connection.ConnectionIdSource;
import io.margay.protocol.quic.connection.ConnectionOptions;
import io.margay.protocol.quic.connection.QuicConnection;
import io.margay.protocol.quic.connection.RoutedIds;
import io.margay.protocol.quic.connection.ServerDoor;
import io.margay.protocol.quic.connection.StatelessReset;
import io.margay.protocol.quic.packet.PacketHeader;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.Connection;
import io.margay.transport.quic.DatagramLoop;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/// A loop that speaks HTTP/3: finds the connection of each datagram by its connection id, begins
/// new ones, and looks after the time of all. Confined to its loop.
///
/// What knocks without a connection costs no memory: tokens, Retry packets under load, and answers
/// that are never larger than what came ([ServerDoor]).
final class Http3Endpoint implements DatagramLoop.Handler {
    private static final System.Logger LOG = System.getLogger("io.margay.server.http3");

    /// Octets that are read from a stream together.
    private static final int PIECE_BYTES = 16_384;

    /// Streams that a connection has without a request: three in each direction.
    static final int OWN_STREAMS = 6;

    /// What QUIC waits for a client of which nothing comes, at least; what idles is closed by
    /// [Http3Connection] before.
    private static final long IDLE_MILLIS_LEAST = 120_000;

    /// What comes for so long after clients were told that the server drains is answered: it was on
    /// its way.
    static final long GRACE_NANOS = 500_000_000L;

    /// How long a client has to end the connection itself when all is sent to it: some forget what
    /// has come and was not read yet when the server does.
    static final long LINGER_NANOS = 10_000_000_000L;

    /// Datagrams that wait for another loop, which has their connections.
    private static final int HANDED_MAX = 256;

    private final Http3Service service;
    private final DatagramLoop socket;
    private final int place;
    private final RoutedIds routed;
    private final PacketHeader header = new PacketHeader();
    private final ConnectionOptions options;
    private final MemoryBudget memory;
    private final byte[] scratch = new byte[65_536];
    private final byte[] piece = new byte[PIECE_BYTES];
    private final Flight flight;

    private final Map<String, Http3Connection> byId = new HashMap<>();
    private final ArrayDeque<Http3Connection> dirty = new ArrayDeque<>();
    private final TreeSet<Http3Connection> timed =
            new TreeSet<>((a, b) -> {
                int order = Long.compare(a.deadline, b.deadline);
                return order != 0 ? order : Long.compare(a.number(), b.number());
            });

    /// Those that have more to send than the system takes.
    private final ArrayDeque<Http3Connection> waiting = new ArrayDeque<>();

    private final AtomicInteger handed = new AtomicInteger();
    private boolean scheduled;
    private boolean closed;

    Http3Endpoint(Http3Service service, DatagramLoop socket, int place) {
        this.service = service;
        this.socket = socket;
        this.place = place;
        flight = new Flight(socket);
        routed = service.ids();
        ConnectionOptions usual = ConnectionOptions.defaults();
        ConnectionContext context = service.context();
        memory = context.memory.ofDatagrams();
        long patience = Math.max(context.bodyNanos, context.writeNanos) / 1_000_000;
        options =
                new ConnectionOptions(
                        usual.version(),
                        usual.streams(),
                        usual.algorithm(),
                        Math.max(IDLE_MILLIS_LEAST, patience),
                        usual.datagramMax(),
                        usual.migration());
    }

    void start() {
        socket.start(this);
    }

    // What its connections share

    DatagramLoop socket() {
        return socket;
    }

    ConnectionOptions options() {
        return options;
    }

    SecureRandom chance() {
        return service.chance();
    }

    MemoryBudget memory() {
        return memory;
    }

    byte[] scratch() {
        return scratch;
    }

    Flight flight() {
        return flight;
    }

    byte[] piece() {
        return piece;
    }

    /// A token for later connections of a client.
    byte[] token(InetSocketAddress client) {
        return service.token(client);
    }

    /// A handshake is over.
    ///
    /// @param well whether it has led to a connection
    void established(boolean well) {
        service.established(well);
    }

    /// See [Http3Service#moves].
    boolean moves(InetSocketAddress from, InetSocketAddress to) {
        return service.moves(from, to);
    }

    private static String key(byte[] id) {
        return new String(id, StandardCharsets.ISO_8859_1);
    }

    /// The connection ids of a connection.
    ConnectionIdSource ids(Http3Connection of) {
        return new ConnectionIdSource() {
            @Override
            public byte[] issue() {
                byte[] id;
                do {
                    id = routed.make(service.generation(), place, chance());
                } while (byId.putIfAbsent(key(id), of) != null);
                return id;
            }

            @Override
            public void accept(byte[] id) {
                byId.putIfAbsent(key(id), of);
            }

            @Override
            public void retire(byte[] id) {
                byId.remove(key(id), of);
            }

            @Override
            public byte[] resetToken(byte[] id) {
                return service.resetToken(id);
            }
        };
    }

    // Datagrams

    @Override
    public void received(
            byte[] bytes, int from, int to, InetSocketAddress peer, InetAddress local, int ecn) {
        received(bytes, from, to, new Origin(peer, local, ecn), true);
    }

    /// @param spreads whether it may belong elsewhere
    private void received(byte[] bytes, int from, int to, Origin origin, boolean spreads) {
        if (closed || to - from < StatelessReset.LEAST_BYTES) {
            return;
        }
        header.read(bytes, from, to, RoutedIds.BYTES, true);
        Http3Connection known = byId.get(key(header.id()));
        long now = service.context().now();
        if (known != null) {
            try {
                known.received(bytes, from, to, origin, now);
            } catch (RuntimeException e) {
                failed(known, e);
            }
            changed(known);
        } else if (spreads && goesElsewhere(bytes, from, to, origin)) {
            return;
        } else if ((bytes[from] & 0x80) != 0) {
            knock(bytes, from, to, origin, now);
        } else {
            byte[] token = service.resetToken(header.id());
            answer(StatelessReset.answer(to - from, token, chance()), origin);
        }
    }

    private void answer(byte[] with, Origin origin) {
        if (with.length > 0) {
            socket.send(with, with.length, origin.peer(), origin.local(), false);
        }
    }

    // Connections of other loops, and of the server before

    private boolean goesElsewhere(byte[] bytes, int from, int to, Origin origin) {
        int route = routed.read(header.id());
        if (route == RoutedIds.NONE) {
            return false;
        }
        int at = route & 0xffff;
        if (route >> 16 != service.generation()) {
            // A later server may serve it: a stateless reset from here would end its connection.
            boolean later = (((route >> 16) - service.generation()) & 0xff) < 0x80;
            return later || service.giveBack(at, bytes, from, to, origin);
        }
        List<Http3Endpoint> all = service.endpoints();
        if (at == place || at >= all.size()) {
            return false;
        }
        all.get(at).hand(Arrays.copyOfRange(bytes, from, to), origin, false);
        return true;
    }

    /// Takes a datagram that has come to another loop, or to another server. Any thread.
    ///
    /// @param spreads whether it may belong elsewhere
    void hand(byte[] bytes, Origin origin, boolean spreads) {
        if (handed.incrementAndGet() > HANDED_MAX) {
            handed.decrementAndGet(); // It is lost, as any may be.
            return;
        }
        socket.execute(() -> {
            handed.decrementAndGet();
            received(bytes, 0, bytes.length, origin, spreads);
            work();
        });
    }

    // New connections

    private void knock(byte[] bytes, int from, int to, Origin origin, long now) {
        ServerDoor.Verdict verdict = service.look(bytes, from, to, origin.peer());
        if (verdict instanceof ServerDoor.Answer answer) {
            answer(answer.datagram(), origin);
        } else if (verdict instanceof ServerDoor.Accepted accepted
                && service.enter(origin.peer())) {
            begin(accepted, bytes, from, to, origin, now);
        }
    }

    private void begin(
            ServerDoor.Accepted accepted, byte[] bytes, int from, int to, Origin origin, long now) {
        ConnectionContext context = service.context();
        Http3Connection made = null;
        boolean begins = false;
        try {
            made = new Http3Connection(this, context, accepted, origin.local(), now);
            made.received(bytes, from, to, origin, now);
            begins = made.begins();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "HTTP/3: a connection cannot begin", e);
        }
        if (made == null || !begins) {
            established(false);
            service.left(origin.peer());
            if (made != null) {
                made.discard();
            }
            return;
        }
        context.opened(made);
        if (context.isDraining()) {
            made.drain(true);
        }
        changed(made);
    }

    /// A connection has more to send than the system takes: it is looked at when that takes more.
    void waits(Http3Connection connection) {
        waiting.add(connection);
    }

    /// Something has happened to a connection: it is looked at when the round ends.
    void changed(Http3Connection connection) {
        if (!connection.isDirty) {
            connection.isDirty = true;
            dirty.add(connection);
        }
        if (!scheduled) {
            scheduled = true;
            if (!socket.atRoundEnd(this::work)) {
                socket.execute(this::work);
            }
        }
    }

    @Override
    public void roundEnded() {
        if (!waiting.isEmpty() && flight.send()) {
            for (Http3Connection next : waiting) {
                next.isWaiting = false;
                changed(next);
            }
            waiting.clear();
        }
        work();
    }

    private void work() {
        scheduled = false;
        for (int left = dirty.size(); left > 0; left--) {
            Http3Connection next = dirty.remove();
            next.isDirty = false;
            step(next, next::work);
        }
        socket.flush();
        alarm();
    }

    /// A fault is that of one connection, and the others go on.
    private void step(Http3Connection of, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            failed(of, e);
        }
        time(of);
    }

    private static void failed(Http3Connection one, RuntimeException why) {
        LOG.log(Level.WARNING, "HTTP/3: connection " + one.number() + " has failed", why);
        one.abandon();
    }

    // Time

    private void time(Http3Connection connection) {
        boolean _ = timed.remove(connection);
        if (connection.isClosed()) {
            forget(connection);
            return;
        }
        long next = connection.nextDeadline();
        connection.deadline = next;
        if (next != QuicConnection.NEVER) {
            timed.add(connection);
        }
    }

    private void forget(Http3Connection connection) {
        if (connection.forgotten()) {
            return;
        }
        service.left(connection.remote());
    }

    private void alarm() {
        socket.alarm(timed.isEmpty() ? Connection.NEVER : timed.first().deadline, this::passed);
    }

    private void passed() {
        long now = service.context().now();
        int left = timed.size();
        for (; left > 0 && !timed.isEmpty() && timed.first().deadline - now <= 0; left--) {
            Http3Connection next = timed.removeFirst();
            step(
                    next,
                    () -> {
                        next.passed(now);
                        next.work();
                    });
        }
        socket.flush();
        alarm();
    }

    @Override
    public void closing() {
        for (Http3Connection one : List.copyOf(byId.values())) {
            one.end();
            forget(one);
        }
        closed = true;
        byId.clear();
        timed.clear();
        waiting.clear();
    }
}
