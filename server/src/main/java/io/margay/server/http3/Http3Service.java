package io.margay.server.http3;

import io.margay.protocol.quic.connection.AddressTokens;
import io.margay.protocol.quic.connection.RoutedIds;
import io.margay.protocol.quic.connection.ServerDoor;
import io.margay.protocol.quic.connection.StatelessReset;
import io.margay.server.connection.ConnectionContext;
import io.margay.transport.AddressLimit;
import io.margay.transport.quic.DatagramListener;
import io.margay.transport.quic.DatagramLoop;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// HTTP/3 at one port of UDP: an [Http3Endpoint] on each of its loops, and what these share, which
/// is asked when connections begin and end: how many there are, and the tokens by which clients
/// show where they are. Thread-safe.
///
/// The system divides clients among the loops by their addresses. A client whose address changes
/// may come to another loop than its connection; the connection id says where that is.
public final class Http3Service {
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

    private static final int SECRET_BYTES = 32;

    private final Supplier<ConnectionContext> contexts;
    private final int connectionsMax;
    private final @Nullable AddressLimit addresses;
    private final SecureRandom chance = new SecureRandom();
    private final DatagramListener port;
    private final ServiceState state;
    private final byte[] resetSecret;
    private final List<Http3Endpoint> endpoints;
    private volatile boolean taking = true;

    /// Guards the rest; nothing else is called with it.
    private final ReentrantLock lock = new ReentrantLock();

    private final AddressTokens tokens;
    private final ServerDoor door;
    private final Map<Long, Integer> byAddress = new HashMap<>();
    private long keys;
    private int connections;
    private int handshakes;
    private int wasted;
    private long wastedSeconds;

    private Http3Service(
            DatagramListener port,
            Supplier<ConnectionContext> contexts,
            int connectionsMax,
            @Nullable AddressLimit addresses) {
        this.port = port;
        this.contexts = contexts;
        this.connectionsMax = connectionsMax;
        this.addresses = addresses;
        byte[] before = port.before();
        state =
                before == null
                        ? ServiceState.first(chance, contexts.get().now())
                        : ServiceState.after(before);
        resetSecret = derived("reset", SECRET_BYTES);
        tokens = new AddressTokens(tokenKey(0), chance);
        door = new ServerDoor(tokens, chance, RoutedIds.BYTES);
        List<? extends DatagramLoop> loops = port.loops();
        endpoints =
                IntStream.range(0, loops.size())
                        .mapToObj(place -> new Http3Endpoint(this, loops.get(place), place))
                        .toList();
    }

    /// Has a port speak HTTP/3.
    ///
    /// @param contexts that of connections which begin now
    /// @param connectionsMax connections at a time; clients go on by TCP beyond
    /// @param addresses how many of them one client may hold, or null for no limit
    public static Http3Service open(
            DatagramListener port,
            Supplier<ConnectionContext> contexts,
            int connectionsMax,
            @Nullable AddressLimit addresses) {
        Http3Service made = new Http3Service(port, contexts, connectionsMax, addresses);
        made.endpoints.forEach(Http3Endpoint::start);
        return made;
    }

    /// Takes no more connections; those that are open go on.
    public void stopAccepting() {
        taking = false;
    }

    /// Leaves the port to another server, if that was given the sockets, and keeps its connections;
    /// else they end.
    public void leave() {
        stopAccepting();
        port.leave((place, bytes, peer, local, ecn) ->
                endpoints
                        .get(place % endpoints.size())
                        .hand(bytes, new Origin(peer, local, ecn), true));
    }

    /// What a server that goes on with the port has to know of this one.
    public byte[] state() {
        return state.octets();
    }

    // What its endpoints share

    ConnectionContext context() {
        return contexts.get();
    }

    SecureRandom chance() {
        return chance;
    }

    int generation() {
        return state.generation();
    }

    /// Gives the server before a datagram of one of its connections.
    ///
    /// @return false when there is none
    boolean giveBack(int place, byte[] bytes, int from, int to, Origin origin) {
        return port.giveBack(place, bytes, from, to, origin.peer(), origin.local(), origin.ecn());
    }

    List<Http3Endpoint> endpoints() {
        return endpoints;
    }

    RoutedIds ids() {
        return new RoutedIds(derived("ids", RoutedIds.KEY_BYTES));
    }

    byte[] resetToken(byte[] id) {
        return StatelessReset.token(resetSecret, id);
    }

    private byte[] tokenKey(long number) {
        return derived("tokens " + number, 16);
    }

    private byte[] derived(String what, int bytes) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(
                            HKDFParameterSpec.expandOnly(
                                    new SecretKeySpec(state.secret(), "Generic"),
                                    what.getBytes(StandardCharsets.US_ASCII),
                                    bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HKDF is missing", e);
        }
    }

    /// Seconds since it began, by which the age of its tokens is told.
    private long seconds() {
        return (contexts.get().now() - state.epochNanos()) / 1_000_000_000;
    }

    /// A token for later connections of a client.
    byte[] token(InetSocketAddress client) {
        lock.lock();
        try {
            return tokens.later(client, seconds());
        } finally {
            lock.unlock();
        }
    }

    /// What becomes of a datagram without a connection.
    ServerDoor.Verdict look(byte[] datagram, int from, int to, InetSocketAddress peer) {
        lock.lock();
        try {
            long seconds = seconds();
            while (seconds / KEY_SECONDS > keys) {
                tokens.rotate(tokenKey(++keys));
            }
            return door.look(datagram, from, to, peer, isStrict(seconds), seconds);
        } finally {
            lock.unlock();
        }
    }

    /// Whether clients have to show that they receive at their address.
    private boolean isStrict(long seconds) {
        long forgiven = WASTED_PER_SECOND * (seconds - wastedSeconds);
        wastedSeconds = seconds;
        wasted = (int) Math.max(0, wasted - forgiven);
        return handshakes + wasted >= HANDSHAKES_MAX;
    }

    /// Takes a place for a connection, whose handshake begins.
    ///
    /// @return false when there is none
    boolean enter(InetSocketAddress peer) {
        lock.lock();
        try {
            if (!taking || connections >= connectionsMax || !hasRoomFor(peer)) {
                return false;
            }
            connections++;
            handshakes++;
            byAddress.merge(AddressLimit.client(peer.getAddress()), 1, Integer::sum);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoomFor(InetSocketAddress peer) {
        AddressLimit limit = addresses;
        return limit == null
                || byAddress.getOrDefault(AddressLimit.client(peer.getAddress()), 0)
                        < limit.connectionsMax()
                || limit.exempt().test(peer);
    }

    /// A handshake is over.
    ///
    /// @param well whether it has led to a connection
    void established(boolean well) {
        lock.lock();
        try {
            handshakes--;
            wasted = well ? wasted : Math.min(WASTED_MAX, wasted + 1);
        } finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            if (!hasRoomFor(to)) {
                return false;
            }
            leaves(before);
            byAddress.merge(now, 1, Integer::sum);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leaves(long client) {
        byAddress.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
    }

    /// A place is free again.
    void left(InetSocketAddress peer) {
        lock.lock();
        try {
            connections--;
            leaves(AddressLimit.client(peer.getAddress()));
        } finally {
            lock.unlock();
        }
    }
}
