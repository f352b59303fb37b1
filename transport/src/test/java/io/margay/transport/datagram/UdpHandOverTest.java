package io.margay.transport.datagram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.testkit.Eventually;
import io.margay.transport.HandshakeCounts;
import io.margay.transport.TransportConfig;
import io.margay.transport.epoll.EpollSockets;
import io.margay.transport.handover.DatagramSockets;
import io.margay.transport.libc.Libc;
import io.margay.transport.quic.DatagramLoop;
import io.margay.transport.tls.TlsLayer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A port of UDP that one server leaves to another, both in one process.
@Timeout(120)
final class UdpHandOverTest {
    private static final byte[] STATE = {1, 2, 3};

    private final TransportConfig config = TransportConfig.defaults();
    private final List<UdpListener> open = new ArrayList<>();
    private final List<Runnable> whenAlone = new ArrayList<>();
    private DatagramSocket client;

    @BeforeEach
    void connect() throws IOException {
        assumeTrue(EpollSockets.probe().isEmpty(), "no native sockets here");
        client = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client.setSoTimeout(30_000);
    }

    @AfterEach
    void close() {
        open.forEach(UdpListener::close);
        client.close();
    }

    /// Counts what has come, and sends it back, marked.
    private static final class Server implements DatagramLoop.Handler {
        private final DatagramLoop loop;
        private final byte mark;
        final AtomicInteger count;

        Server(DatagramLoop loop, byte mark, AtomicInteger count) {
            this.loop = loop;
            this.mark = mark;
            this.count = count;
            loop.start(this);
        }

        @Override
        public void received(
                byte[] bytes,
                int from,
                int to,
                InetSocketAddress peer,
                InetAddress local,
                int ecn) {
            count.incrementAndGet();
            byte[] answer = {mark, bytes[from]};
            loop.send(answer, 2, peer, local, false);
        }

        @Override
        public void roundEnded() {}

        @Override
        public void closing() {}
    }

    private AtomicInteger serve(UdpListener listener, int mark) {
        AtomicInteger count = new AtomicInteger();
        listener.loops().forEach(each -> new Server(each, (byte) mark, count));
        open.add(listener);
        return count;
    }

    private static TlsLayer.Quic handshakes() {
        return new TlsLayer.Quic(
                () -> {
                    throw new IllegalStateException("no handshake");
                },
                () -> {},
                () -> {},
                "none",
                () -> new HandshakeCounts(0, 0, 0));
    }

    private UdpListener first() throws IOException {
        TlsLayer tls = new TlsLayer(config, false);
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        List<UdpSocket> sockets = UdpListener.sockets(at, tls, 2);
        List<LoopDatagrams> loops = UdpListener.started(sockets, handshakes(), true, config);
        return new UdpListener(tls, handshakes(), loops, null);
    }

    private UdpListener after(DatagramSockets kept) throws IOException {
        TlsLayer tls = new TlsLayer(config, false);
        // As another process has them.
        List<Integer> own = new ArrayList<>();
        Libc libc = new Libc();
        for (int fd : kept.descriptors()) {
            int placeholder = libc.eventfd();
            libc.replace(placeholder, fd);
            own.add(placeholder);
        }
        DatagramSockets mine = new DatagramSockets(own, kept.link(), kept.state());
        List<UdpSocket> sockets = UdpListener.sockets(own, tls);
        List<LoopDatagrams> loops = UdpListener.started(sockets, handshakes(), false, config);
        return UdpListener.opened(new UdpListener(tls, handshakes(), loops, mine), whenAlone::add);
    }

    /// The server before receives no more.
    private void alone() {
        whenAlone.forEach(Runnable::run);
        whenAlone.clear();
    }

    private byte[] ask(int what) throws IOException {
        client.send(new DatagramPacket(new byte[] {(byte) what}, 1));
        return receive();
    }

    private byte[] receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        client.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    private record Back(int place, byte[] bytes, InetSocketAddress peer, InetAddress local) {}

    @Test
    void next_receivesFromTheTimeOn_andGivesBack_whatIsNotIts() throws Exception {
        UdpListener one = first();
        AtomicInteger ofFirst = serve(one, 1);
        client.connect(one.loops().getFirst().address());
        assertArrayEquals(new byte[] {1, 7}, ask(7));
        DatagramSockets given = one.handOver(STATE);
        assertNotNull(given);
        UdpListener two = after(given);
        assertArrayEquals(STATE, two.before());
        AtomicInteger ofSecond = serve(two, 2);
        for (int i = 0; i < 20; i++) {
            assertArrayEquals(new byte[] {1, 8}, ask(8), "it receives until it leaves");
        }
        List<Back> back = new CopyOnWriteArrayList<>();
        one.leave((place, bytes, peer, local, ecn) -> {
            back.add(new Back(place, bytes, peer, local));
            LoopDatagrams loop = one.loops().get(place);
            loop.execute(() -> {
                loop.send(bytes, bytes.length, peer, local, false);
                loop.flush();
            });
        });
        // Neither receives: what comes waits.
        client.send(new DatagramPacket(new byte[] {9}, 1));
        alone();
        assertArrayEquals(new byte[] {2, 9}, receive());
        assertEquals(21, ofFirst.get());
        assertEquals(1, ofSecond.get());
        InetSocketAddress peer = (InetSocketAddress) client.getLocalSocketAddress();
        InetAddress local = InetAddress.getByName("127.0.0.3");
        assertTrue(two.giveBack(1, new byte[] {0, 5, 6, 0}, 1, 3, peer, peer.getAddress(), 2));
        assertArrayEquals(new byte[] {5, 6}, receive(), "by the same port");
        assertTrue(two.giveBack(0, new byte[60_000], 0, 60_000, peer, local, 2));
        Eventually.holds("both are back", () -> back.size() == 2);
        assertEquals(1, back.getFirst().place);
        assertEquals(peer, back.getFirst().peer);
        assertEquals(local, back.getLast().local);
        assertEquals(60_000, back.getLast().bytes.length);
        one.close();
        Eventually.holds(
                "nobody is there any more",
                () -> !two.giveBack(0, new byte[1], 0, 1, peer, local, 0));
        assertArrayEquals(new byte[] {2, 3}, ask(3));
    }

    @Test
    void datagrams_duringTheChange_areNotLost() throws Exception {
        UdpListener one = first();
        AtomicInteger ofFirst = serve(one, 1);
        client.connect(one.loops().getFirst().address());
        UdpListener two = after(one.handOver(STATE));
        AtomicInteger ofSecond = serve(two, 2);
        Thread sends =
                Thread.ofPlatform()
                        .start(() -> {
                            byte[] each = new byte[4];
                            for (int i = 0; i < 2_000; i++) {
                                while (i - ofFirst.get() - ofSecond.get() > 200) {
                                    LockSupport.parkNanos(20_000); // A socket keeps so many.
                                }
                                ByteBuffer.wrap(each).putInt(i);
                                try {
                                    client.send(new DatagramPacket(each, 4));
                                } catch (IOException e) {
                                    throw new IllegalStateException(e);
                                }
                                LockSupport.parkNanos(20_000);
                            }
                        });
        Eventually.holds("some have come", () -> ofFirst.get() > 100);
        one.leave((_, _, _, _, _) -> {});
        int before = ofFirst.get();
        alone();
        sends.join();
        Eventually.holds("all have come", () -> ofFirst.get() + ofSecond.get() == 2_000);
        assertEquals(before, ofFirst.get(), "it receives no more");
    }

    /// The first may outlive the second, which is told of its datagrams by the third.
    @Test
    void server_betweenTwoOthers_isNeeded_asLongAsTheFirst() throws Exception {
        UdpListener one = first();
        serve(one, 1);
        client.connect(one.loops().getFirst().address());
        UdpListener two = after(one.handOver(STATE));
        serve(two, 2);
        List<Integer> back = new CopyOnWriteArrayList<>();
        one.leave((place, _, _, _, _) -> back.add(place));
        alone();
        assertFalse(two.relays(), "it receives itself");
        UdpListener three = after(two.handOver(STATE));
        serve(three, 3);
        two.leave((place, bytes, peer, local, ecn) ->
                assertTrue(two.giveBack(place, bytes, 0, bytes.length, peer, local, ecn)));
        alone();
        assertTrue(two.relays());
        assertArrayEquals(new byte[] {3, 1}, ask(1));
        InetSocketAddress peer = (InetSocketAddress) client.getLocalSocketAddress();
        assertTrue(three.giveBack(1, new byte[9], 0, 9, peer, peer.getAddress(), 0));
        Eventually.holds("it is back", () -> back.equals(List.of(1)));
        one.close();
        Eventually.holds("the first has ended", () -> !two.relays());
    }

    @Test
    void sockets_whoseNextServerEnds_areTheFirstsAgain() throws Exception {
        UdpListener one = first();
        serve(one, 1);
        client.connect(one.loops().getFirst().address());
        UdpListener two = after(one.handOver(STATE));
        serve(two, 2);
        one.leave((_, _, _, _, _) -> {});
        alone();
        assertArrayEquals(new byte[] {2, 1}, ask(1));
        two.close();
        assertArrayEquals(new byte[] {1, 2}, ask(2));
    }

    @Test
    void sockets_thatNobodyHasUseFor_areClosed() throws Exception {
        UdpListener one = first();
        serve(one, 1);
        InetSocketAddress at = one.loops().getFirst().address();
        one.handOver(STATE).closeLink();
        one.leave((_, _, _, _, _) -> {});
        // Without the option that lets several share a port.
        new DatagramSocket(at).close();
    }
}
