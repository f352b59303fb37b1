package io.margay.protocol.quic.connection;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.packet.PacketHeader;
import io.margay.protocol.quic.recovery.Congestion.Algorithm;
import io.margay.protocol.quic.stream.QuicStream;
import io.margay.protocol.quic.stream.StreamSettings;
import io.margay.protocol.quic.tls.ScriptedTls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A client and a server of ours with a simulated network between them. The server sends back what
/// it gets on each bidirectional stream.
final class Simulation {
    private static final int STEPS_MAX = 2_000_000;
    private static final long SECOND = 1_000_000_000;

    /// Connection ids by number, and which are in use.
    static final class Ids implements ConnectionIdSource {
        final List<String> inUse = new ArrayList<>();
        final Random random;

        Ids(long seed) {
            random = new Random(seed);
        }

        @Override
        public byte[] issue() {
            byte[] id = new byte[8];
            random.nextBytes(id);
            accept(id);
            return id;
        }

        @Override
        public void accept(byte[] id) {
            inUse.add(HexFormat.of().formatHex(id));
        }

        @Override
        public void retire(byte[] id) {
            inUse.remove(HexFormat.of().formatHex(id));
        }

        @Override
        public byte[] resetToken(byte[] id) {
            return StatelessReset.token(new byte[32], id);
        }
    }

    static InetSocketAddress address(int last, int port) {
        try {
            byte[] octets = {10, 0, 0, (byte) last};
            return new InetSocketAddress(InetAddress.getByAddress(octets), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    static final InetSocketAddress SERVER = address(1, 443);

    final SimulatedNetwork network;
    final Random random;
    final AddressTokens tokens;
    final ServerDoor door;
    final Ids serverIds;
    final Ids clientIds;
    final ConnectionOptions serverOptions;
    final int suite;
    final int certificate;
    private final byte[] scratch = new byte[65_536];
    private final byte[] buffer = new byte[2_048];
    private final byte[] piece = new byte[65_536];
    private final Map<QuicStream, byte[]> echoes = new HashMap<>();
    QuicConnection client;
    @Nullable QuicConnection server;
    InetSocketAddress clientAddress = address(2, 5_000);
    boolean strict;
    long now = 1_000;
    long sentByServer;
    long sentByClient;

    Simulation(SimulatedNetwork.Profile profile, long seed) {
        this(profile, seed, options(Algorithm.CUBIC), 0x1301, 2_500);
    }

    Simulation(
            SimulatedNetwork.Profile profile,
            long seed,
            ConnectionOptions options,
            int suite,
            int certificate) {
        network = new SimulatedNetwork(profile, seed);
        random = new Random(seed);
        tokens = new AddressTokens(new byte[16], random);
        door = new ServerDoor(tokens, random, 8);
        serverIds = new Ids(seed + 1);
        clientIds = new Ids(seed + 2);
        serverOptions = options;
        this.suite = suite;
        this.certificate = certificate;
        client = newClient(options, new byte[0]);
    }

    static ConnectionOptions options(Algorithm algorithm) {
        ConnectionOptions usual = ConnectionOptions.defaults();
        return new ConnectionOptions(
                usual.version(), StreamSettings.defaults(), algorithm, 30_000, 1_452, true);
    }

    QuicConnection newClient(ConnectionOptions options, byte[] token) {
        return QuicConnection.client(
                options,
                new ScriptedTls(false, suite, "h3", 300),
                clientIds,
                random,
                SERVER,
                scratch,
                token,
                now);
    }

    // Running

    /// Goes on until something holds.
    ///
    /// @return whether it came to hold before so many virtual seconds were over
    boolean run(BooleanSupplier until, int seconds) {
        long end = now + seconds * SECOND;
        for (int step = 0; step < STEPS_MAX; step++) {
            pump();
            if (until.getAsBoolean()) {
                return true;
            }
            long next = Math.min(network.next(), client.deadline());
            if (server != null) {
                next = Math.min(next, server.deadline());
            }
            if (next > end) {
                now = end;
                return false;
            }
            now = Math.max(now, next);
            deliver();
            client.timeout(now);
            if (server != null) {
                server.timeout(now);
            }
        }
        throw new AssertionError("no end of steps at " + now / SECOND + " s");
    }

    void pump() {
        for (int size = client.send(buffer, now); size > 0; size = client.send(buffer, now)) {
            sentByClient += size;
            int ecn = client.isMarked() ? 2 : 0;
            network.send(buffer, size, clientAddress, client.target(), ecn, true, now);
        }
        QuicConnection there = server;
        if (there == null) {
            return;
        }
        echo(there);
        for (int size = there.send(buffer, now); size > 0; size = there.send(buffer, now)) {
            sentByServer += size;
            int ecn = there.isMarked() ? 2 : 0;
            network.send(buffer, size, SERVER, there.target(), ecn, false, now);
        }
    }

    private void deliver() {
        SimulatedNetwork.Delivery delivery = network.deliver(now);
        while (delivery != null) {
            byte[] datagram = delivery.datagram();
            if (!delivery.to().equals(SERVER)) {
                if (delivery.to().equals(clientAddress)) {
                    client.receive(datagram, 0, datagram.length, SERVER, delivery.ecn(), now);
                }
            } else if (server != null && isKnown(datagram)) {
                server.receive(datagram, 0, datagram.length, delivery.from(), delivery.ecn(), now);
            } else {
                knock(datagram, delivery.from(), delivery.ecn());
            }
            delivery = network.deliver(now);
        }
    }

    private boolean isKnown(byte[] datagram) {
        PacketHeader header = new PacketHeader();
        header.read(datagram, 0, datagram.length, 8, true);
        return serverIds.inUse.contains(HexFormat.of().formatHex(header.id()));
    }

    private void knock(byte[] datagram, InetSocketAddress from, int ecn) {
        var verdict = door.look(datagram, 0, datagram.length, from, strict, now / SECOND);
        switch (verdict) {
            case ServerDoor.Answer answer -> {
                byte[] bytes = answer.datagram();
                network.send(bytes, bytes.length, SERVER, from, 0, false, now);
            }
            case ServerDoor.Accepted accepted -> {
                if (server == null) {
                    QuicConnection made =
                            QuicConnection.server(
                                    serverOptions,
                                    new ScriptedTls(true, suite, "h3", certificate),
                                    serverIds,
                                    random,
                                    accepted,
                                    scratch,
                                    now);
                    made.receive(datagram, 0, datagram.length, from, ecn, now);
                    server = made.isGenuine() ? made : null;
                }
            }
            case ServerDoor.Dropped dropped -> {}
        }
    }

    /// Sends back what came.
    private void echo(QuicConnection there) {
        for (QuicStream s = there.streams().next(); s != null; s = there.streams().next()) {
            echoes.putIfAbsent(s, new byte[0]);
        }
        echoes.entrySet().removeIf(entry -> entry.getKey().isForgotten());
        for (Map.Entry<QuicStream, byte[]> entry : echoes.entrySet()) {
            QuicStream stream = entry.getKey();
            if (!stream.isBidirectional() || stream.resetCode() != QuicStream.NONE) {
                stream.stop(0);
                stream.reset(0);
                stream.release();
                continue;
            }
            byte[] rest = entry.getValue();
            while (!stream.isEnded()) {
                if (rest.length == 0 && stream.readable() > 0) {
                    int count = stream.read(piece, 0, piece.length);
                    rest = Arrays.copyOf(piece, count);
                }
                boolean last = stream.isAtEnd();
                if (rest.length == 0 && !last) {
                    break;
                }
                int taken = stream.write(rest, 0, rest.length, last);
                rest = Arrays.copyOfRange(rest, taken, rest.length);
                if (stream.isEnded()) {
                    stream.release();
                } else if (rest.length > 0) {
                    break;
                }
            }
            entry.setValue(rest);
        }
    }

    // What clients do

    void handshake() {
        assertTrue(
                run(() -> client.isEstablished() && server != null && server.isEstablished(), 30),
                "no handshake");
    }

    /// Sends data on so many streams at a time and has it sent back.
    ///
    /// @return the virtual nanoseconds that took
    long transfer(int streams, int octetsEach, int seconds) {
        long began = now;
        List<Transfer> all = new ArrayList<>();
        for (int i = 0; i < streams; i++) {
            all.add(new Transfer(octetsEach, i));
        }
        boolean done =
                run(
                        () -> {
                            if (!client.isEstablished()) {
                                return false;
                            }
                            boolean over = true;
                            for (Transfer transfer : all) {
                                over &= transfer.step();
                            }
                            pump();
                            return over;
                        },
                        seconds);
        assertTrue(
                done,
                () -> "the transfer does not end: " + all.stream().mapToInt(t -> t.got).sum());
        return now - began;
    }

    private final class Transfer {
        private final byte[] data;
        private final byte[] back;
        private @Nullable QuicStream stream;
        private int sent;
        private int got;
        private boolean over;

        Transfer(int octets, long seed) {
            data = new byte[octets];
            new Random(seed).nextBytes(data);
            back = new byte[octets];
        }

        boolean step() {
            if (over) {
                return true;
            }
            QuicStream on = stream;
            if (on == null) {
                on = client.streams().open(true);
                stream = on;
                if (on == null) {
                    return false;
                }
            }
            if (!on.isEnded()) {
                sent += on.write(data, sent, data.length, true);
            }
            got += on.read(back, got, back.length);
            if (on.isAtEnd()) {
                assertTrue(Arrays.equals(data, back), "what came back differs");
                on.release();
                over = true;
            }
            return over;
        }
    }
}
