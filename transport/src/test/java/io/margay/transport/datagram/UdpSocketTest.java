package io.margay.transport.datagram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.transport.TransportConfig;
import io.margay.transport.epoll.EpollSockets;
import io.margay.transport.quic.DatagramLoop;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sockets of UDP on loops, beside those of the JDK on loopback.
@Timeout(120)
final class UdpSocketTest {
    private static final int PATIENCE_MILLIS = 30_000;

    /// What has come.
    private record Got(byte[] bytes, InetSocketAddress peer, InetAddress local, int ecn) {}

    private final TlsLayer tls = new TlsLayer(TransportConfig.defaults(), false);
    private final List<LoopDatagrams> open = new ArrayList<>();
    private final List<DatagramSocket> clients = new ArrayList<>();
    private final Random random = new Random(3);

    @AfterEach
    void close() throws InterruptedException {
        clients.forEach(DatagramSocket::close);
        open.forEach(LoopDatagrams::close);
        for (LoopDatagrams each : open) {
            each.join();
        }
        tls.close();
    }

    private UdpSocket bind(String kind, String address) throws IOException {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getByName(address), 0);
        if (kind.equals("channel")) {
            return ChannelSocket.bind(at, tls);
        }
        assumeTrue(EpollSockets.probe().isEmpty(), "no native sockets here");
        return NativeSocket.bind(at, tls);
    }

    /// A loop that says what has come.
    private final class Server implements DatagramLoop.Handler {
        final BlockingQueue<Got> got = new LinkedBlockingQueue<>();
        final LoopDatagrams loop;
        private final boolean echoes;

        /// @param echoes whether everything is sent back
        Server(UdpSocket socket, boolean echoes) {
            this.echoes = echoes;
            loop =
                    new LoopDatagrams(
                            socket,
                            () -> {
                                throw new IllegalStateException("no handshake");
                            },
                            true,
                            "test-udp",
                            _ -> {});
            open.add(loop);
            loop.start(this);
        }

        int port() {
            return loop.address().getPort();
        }

        Got next() throws InterruptedException {
            Got one = got.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            assertNotNull(one, "nothing has come");
            return one;
        }

        @Override
        public void received(
                byte[] bytes,
                int from,
                int to,
                InetSocketAddress peer,
                InetAddress local,
                int ecn) {
            got.add(new Got(Arrays.copyOfRange(bytes, from, to), peer, local, ecn));
            if (echoes) {
                loop.send(bytes, to - from, peer, local, false);
            }
        }

        @Override
        public void roundEnded() {}

        @Override
        public void closing() {}
    }

    private DatagramSocket client(String address) throws IOException {
        DatagramSocket made =
                new DatagramSocket(new InetSocketAddress(InetAddress.getByName(address), 0));
        made.setSoTimeout(PATIENCE_MILLIS);
        made.setReceiveBufferSize(1 << 20);
        clients.add(made);
        return made;
    }

    private static byte[] receive(DatagramSocket at) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
        at.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    private byte[] octets(int length) {
        byte[] made = new byte[length];
        random.nextBytes(made);
        return made;
    }

    @ParameterizedTest
    @ValueSource(strings = {"channel", "native"})
    void datagrams_comeWhole_withTheirSender_andSoDoAnswers(String kind) throws Exception {
        Server server = new Server(bind(kind, "127.0.0.1"), true);
        DatagramSocket client = client("127.0.0.1");
        client.connect(InetAddress.getByName("127.0.0.1"), server.port());
        for (int length : new int[] {1, 20, 1_200, 1_452, 9_000, 60_000}) {
            byte[] sent = octets(length);
            client.send(new DatagramPacket(sent, length));
            Got got = server.next();
            assertArrayEquals(sent, got.bytes);
            assertEquals(client.getLocalSocketAddress(), got.peer);
            assertArrayEquals(sent, receive(client));
        }
    }

    /// What is sent together may go as one message, and may come as one.
    @ParameterizedTest
    @ValueSource(strings = {"channel", "native"})
    void manyDatagrams_ofSeveralSizes_comeOneByOneInTheirOrder(String kind) throws Exception {
        Server sender = new Server(bind(kind, "127.0.0.1"), false);
        Server receiver = new Server(bind(kind, "127.0.0.1"), false);
        DatagramSocket plain = client("127.0.0.1");
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            // So small that a socket keeps all of them where it has 208 KiB, which count double.
            all.add(octets(i % 7 == 3 ? 300 : i % 50 == 9 ? 560 : i > 250 ? 100 : 500));
        }
        InetSocketAddress one = receiver.loop.address();
        InetSocketAddress other = (InetSocketAddress) plain.getLocalSocketAddress();
        for (InetSocketAddress target : List.of(one, other)) {
            sender.loop.execute(() -> {
                InetAddress local = sender.loop.address().getAddress();
                all.forEach(each -> sender.loop.send(each, each.length, target, local, false));
                sender.loop.flush();
            });
            for (byte[] each : all) {
                assertArrayEquals(each, target == one ? receiver.next().bytes : receive(plain));
            }
        }
    }

    /// A client takes answers from the address alone that it has asked.
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "127.0.0.77"})
    void answers_ofASocketAtEveryAddress_leaveFromTheOneThatWasAsked(String asked)
            throws Exception {
        Server server = new Server(bind("native", "0.0.0.0"), true);
        DatagramSocket client = client("127.0.0.1");
        client.connect(InetAddress.getByName(asked), server.port());
        byte[] sent = octets(1_200);
        client.send(new DatagramPacket(sent, sent.length));
        assertEquals(InetAddress.getByName(asked), server.next().local);
        assertArrayEquals(sent, receive(client));
    }

    @Test
    void answers_toClientsOfIpv6_leaveFromTheAddressThatWasAsked() throws Exception {
        assumeTrue(EpollSockets.hasIpv6(), "no IPv6 here");
        Server server = new Server(bind("native", "::"), true);
        DatagramSocket client = client("::1");
        client.connect(InetAddress.getByName("::1"), server.port());
        byte[] sent = octets(1_200);
        client.send(new DatagramPacket(sent, sent.length));
        assertEquals(InetAddress.getByName("::1"), server.next().local);
        assertArrayEquals(sent, receive(client));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
    void marks_areReadAndWritten(String address) throws Exception {
        Server server = new Server(bind("native", address), false);
        Server other = new Server(bind("native", address), false);
        DatagramSocket client = client("127.0.0.1");
        client.setOption(StandardSocketOptions.IP_TOS, 3);
        InetSocketAddress target =
                new InetSocketAddress(InetAddress.getByName("127.0.0.1"), server.port());
        client.send(new DatagramPacket(octets(100), 100, target));
        assertEquals(3, server.next().ecn);
        InetAddress local = target.getAddress();
        for (boolean marked : new boolean[] {true, false}) {
            other.loop.execute(() -> {
                other.loop.send(new byte[50], 50, target, local, marked);
                other.loop.send(new byte[50], 50, target, local, marked);
                other.loop.flush();
            });
            assertEquals(marked ? 2 : 0, server.next().ecn);
            assertEquals(marked ? 2 : 0, server.next().ecn);
        }
    }

    /// The kernel gives each client always the same of several sockets.
    @Test
    void sockets_atOnePort_divideClientsAmongThem() throws Exception {
        assumeTrue(EpollSockets.probe().isEmpty(), "no native sockets here");
        InetSocketAddress at = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
        List<Server> servers = new ArrayList<>();
        for (UdpSocket each : UdpListener.sockets(at, tls, 3)) {
            servers.add(new Server(each, true));
        }
        InetSocketAddress target = servers.getFirst().loop.address();
        for (int i = 0; i < 60; i++) {
            DatagramSocket client = client("127.0.0.1");
            client.connect(target);
            for (int j = 0; j < 3; j++) {
                client.send(new DatagramPacket(new byte[] {(byte) i}, 1));
                assertArrayEquals(new byte[] {(byte) i}, receive(client));
            }
        }
        int sum = 0;
        for (Server each : servers) {
            int count = each.got.size();
            assertEquals(0, count % 3, "a client has come to two sockets");
            assertEquals(true, count > 0 && count < 180, "one socket has all or none");
            sum += count;
        }
        assertEquals(180, sum);
    }
}
