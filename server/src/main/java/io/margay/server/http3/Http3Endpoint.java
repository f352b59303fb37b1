package io.margay.server.http3;

import io.margay.protocol.quic.connection.AddressTokens;
import io.margay.protocol.quic.connection.ConnectionIdSource;
import io.margay.protocol.quic.connection.ConnectionOptions;
import io.margay.protocol.quic.connection.QuicConnection;
import io.margay.protocol.quic.connection.ServerDoor;
import io.margay.protocol.quic.connection.StatelessReset;
import io.margay.protocol.quic.packet.PacketHeader;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.AddressLimit;
import io.margay.transport.Connection;
import io.margay.transport.quic.DatagramListener;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A UDP socket that speaks HTTP/3: finds the connection of each datagram by its connection id,
/// begins new ones, and looks after the time of all. Confined to its loop.
///
/// What knocks without a connection costs no memory: tokens, Retry packets under load, and answers
/// that are never larger than what came ([ServerDoor]).
public final class Http3Endpoint implements DatagramListener.Handler {
    private static final System.Logger LOG = System.getLogger("io.margay.server.http3");

    /// Octets of the connection ids that we issue.
    private static final int ID_BYTES = 8;

    /// Handshakes under way, beyond which clients have to show that they receive at their address.
    private static final int HANDSHAKES_MAX = 64;

    /// Attempts that came to nothing count as handshakes under way, and so many are forgiven each
    /// second: first packets that are made up, and handshakes that end at once, keep none under
    /// way.
    private static final int WASTED_PER_SECOND = 8;

    private static final int WASTED_MAX = 2 * HANDSHAKES_MAX;

    /// After which tokens are sealed with another key. The one before opens theirs, so that it is
    /// at least as long as a token is good for.
    private static final long KEY_SECONDS = 24 * 3_600;

    /// Octets that are read from a stream together.
    private static final int PIECE_BYTES = 16_384;

    /// Streams that a connection has without a request: three in each direction.
    static final int OWN_STREAMS = 6;

    /// What QUIC waits for a client of which nothing comes, at least; what idles is closed by
    /// [Http3Connection] before.
    private static final long IDLE_MILLIS_LEAST = 120_000;

    private final DatagramListener socket;
    private final Supplier<ConnectionContext> contexts;
    private final int connectionsMax;
    private final @Nullable AddressLimit addresses;
    private final SecureRandom chance = new SecureRandom();
    private final AddressTokens tokens;
    private final ServerDoor door;
    private final byte[] resetSecret = new byte[32];
    private final PacketHeader header = new PacketHeader();
    private final ConnectionOptions options;
    private final MemoryBudget memory;
    private final byte[] scratch = new byte[65_536];
    private final byte[] datagram = new byte[2_048];
    private final byte[] piece = new byte[PIECE_BYTES];

    private final Map<String, Http3Connection> byId = new HashMap<>();
    private final Map<Long, Integer> byAddress = new HashMap<>();
    private final ArrayDeque<Http3Connection> dirty = new ArrayDeque<>();
    private final TreeSet<Http3Connection> timed =
            new TreeSet<>((a, b) -> {
                int order = Long.compare(a.deadline, b.deadline);
                return order != 0 ? order : Long.compare(a.number(), b.number());
            });
    private final long epoch;
    private long keyedSeconds;
    private int connections;
    private int handshakes;
    private int wasted;
    private long wastedSeconds;
    private boolean scheduled;
    private boolean taking = true;

    private Http3Endpoint(
            DatagramListener socket,
            Supplier<ConnectionContext> contexts,
            int connectionsMax,
            @Nullable AddressLimit addresses) {
        this.socket = socket;
        this.contexts = contexts;
        this.connectionsMax = connectionsMax;
        this.addresses = addresses;
        chance.nextBytes(resetSecret);
        tokens = new AddressTokens(newKey(), chance);
        door = new ServerDoor(tokens, chance, ID_BYTES);
        ConnectionOptions usual = ConnectionOptions.defaults();
        ConnectionContext context = contexts.get();
        memory = context.memory.ofDatagrams();
        epoch = context.now();
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

    /// Has a socket speak HTTP/3.
    ///
    /// @param contexts that of connections which begin now
    /// @param connectionsMax connections at a time; clients go on by TCP beyond
    /// @param addresses how many of them one client may hold, or null for no limit
    public static Http3Endpoint open(
            DatagramListener socket,
            Supplier<ConnectionContext> contexts,
            int connectionsMax,
            @Nullable AddressLimit addresses) {
        Http3Endpoint made = new Http3Endpoint(socket, contexts, connectionsMax, addresses);
        socket.start(made);
        return made;
    }

    // What its connections share

    DatagramListener socket() {
        return socket;
    }

    ConnectionOptions options() {
        return options;
    }

    SecureRandom chance() {
        return chance;
    }

    MemoryBudget memory() {
        return memory;
    }

    byte[] scratch() {
        return scratch;
    }

    byte[] datagram() {
        return datagram;
    }

    byte[] piece() {
        return piece;
    }

    /// A token for later connections of a client.
    byte[] token(InetSocketAddress client) {
        return tokens.later(client, seconds());
    }

    /// Seconds since it began, by which the age of its tokens is told.
    private long seconds() {
        return (contexts.get().now() - epoch) / 1_000_000_000;
    }

    /// A handshake is over.
    void established() {
        handshakes--;
    }

    /// A connection has ended before its handshake was over.
    void gaveUp() {
        handshakes--;
        wasted = Math.min(WASTED_MAX, wasted + 1);
    }

    /// Whether clients have to show that they receive at their address.
    private boolean isStrict() {
        long now = seconds();
        long forgiven = WASTED_PER_SECOND * (now - wastedSeconds);
        wastedSeconds = now;
        wasted = (int) Math.max(0, wasted - forgiven);
        return handshakes + wasted >= HANDSHAKES_MAX;
    }

    /// Takes no more connections; those that are open go on. Any thread.
    public void stopAccepting() {
        socket.execute(() -> taking = false);
    }

    private byte[] newKey() {
        byte[] key = new byte[16];
        chance.nextBytes(key);
        return key;
    }

    private static String key(byte[] id) {
        return new String(id, StandardCharsets.ISO_8859_1);
    }

    /// The connection ids of a connection.
    ConnectionIdSource ids(Http3Connection of) {
        return new ConnectionIdSource() {
            @Override
            public byte[] issue() {
                byte[] id = new byte[ID_BYTES];
                do {
                    chance.nextBytes(id);
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
                return StatelessReset.token(resetSecret, id);
            }
        };
    }

    // Datagrams

    @Override
    public void received(byte[] bytes, int from, int to, InetSocketAddress peer) {
        if (to - from < StatelessReset.LEAST_BYTES) {
            return;
        }
        header.read(bytes, from, to, ID_BYTES, true);
        Http3Connection known = byId.get(key(header.id()));
        long now = contexts.get().now();
        if (known != null) {
            try {
                known.received(bytes, from, to, peer, now);
            } catch (RuntimeException e) {
                failed(known, e);
            }
            changed(known);
        } else if ((bytes[from] & 0x80) != 0) {
            knock(bytes, from, to, peer, now);
        } else {
            byte[] token = StatelessReset.token(resetSecret, header.id());
            byte[] reset = StatelessReset.answer(to - from, token, chance);
            if (reset.length > 0) {
                boolean _ = socket.send(reset, reset.length, peer);
            }
        }
    }

    private void knock(byte[] bytes, int from, int to, InetSocketAddress peer, long now) {
        if (seconds() - keyedSeconds > KEY_SECONDS) {
            keyedSeconds = seconds();
            tokens.rotate(newKey());
        }
        ServerDoor.Verdict verdict = door.look(bytes, from, to, peer, isStrict(), seconds());
        if (verdict instanceof ServerDoor.Answer answer) {
            boolean _ = socket.send(answer.datagram(), answer.datagram().length, peer);
        } else if (verdict instanceof ServerDoor.Accepted accepted && enters(peer)) {
            begin(accepted, bytes, from, to, now);
        }
    }

    private boolean enters(InetSocketAddress peer) {
        return taking && connections < connectionsMax && hasRoomFor(peer);
    }

    /// A connection goes on from another address.
    ///
    /// @return false when there are too many from there
    boolean moves(InetSocketAddress from, InetSocketAddress to) {
        long before = AddressLimit.client(from.getAddress());
        long now = AddressLimit.client(to.getAddress());
        if (before == now) {
            return true;
        }
        if (!hasRoomFor(to)) {
            return false;
        }
        leaves(before);
        byAddress.merge(now, 1, Integer::sum);
        return true;
    }

    private void leaves(long client) {
        byAddress.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
    }

    private boolean hasRoomFor(InetSocketAddress peer) {
        AddressLimit limit = addresses;
        return limit == null
                || byAddress.getOrDefault(AddressLimit.client(peer.getAddress()), 0)
                        < limit.connectionsMax()
                || limit.exempt().test(peer);
    }

    private void begin(ServerDoor.Accepted accepted, byte[] bytes, int from, int to, long now) {
        ConnectionContext context = contexts.get();
        Http3Connection made = new Http3Connection(this, context, accepted, now);
        handshakes++;
        boolean begins = false;
        try {
            made.received(bytes, from, to, accepted.client(), now);
            begins = made.begins();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "HTTP/3: a connection cannot begin", e);
        }
        if (!begins) {
            gaveUp();
            made.discard();
            return;
        }
        connections++;
        byAddress.merge(AddressLimit.client(accepted.client().getAddress()), 1, Integer::sum);
        context.opened(made);
        if (context.isDraining()) {
            made.drain(true);
        }
        changed(made);
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
        work();
    }

    private void work() {
        scheduled = false;
        for (int left = dirty.size(); left > 0; left--) {
            Http3Connection next = dirty.remove();
            next.isDirty = false;
            step(next, next::work);
        }
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
        connections--;
        leaves(AddressLimit.client(connection.remote().getAddress()));
    }

    private void alarm() {
        socket.alarm(timed.isEmpty() ? Connection.NEVER : timed.first().deadline, this::passed);
    }

    private void passed() {
        long now = contexts.get().now();
        while (!timed.isEmpty() && timed.first().deadline - now <= 0) {
            Http3Connection next = timed.removeFirst();
            step(
                    next,
                    () -> {
                        next.passed(now);
                        next.work();
                    });
        }
        alarm();
    }

    @Override
    public void closing() {
        for (Http3Connection one : List.copyOf(byId.values())) {
            one.end();
            forget(one);
        }
        byId.clear();
        timed.clear();
        Arrays.fill(resetSecret, (byte) 0);
    }
}
