package io.margay.transport.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.transport.epoll.EpollSockets;
import io.margay.transport.libc.DatagramCalls;
import io.margay.transport.libc.Libc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Messages to a system that takes some, refuses to cut others, or takes no more.
@SuppressWarnings("restricted") // looks at what C would see
final class SentMessagesTest {
    private static final InetSocketAddress PEER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);

    /// Datagrams that the system has sent: what each begins with, and the sizes of the messages.
    private final List<Integer> gone = new ArrayList<>();

    private final List<Integer> sizes = new ArrayList<>();
    private int takes = Integer.MAX_VALUE;
    private int pathBytes = 65_536;
    private boolean cutsAny = true;
    private SentMessages sent;

    @BeforeEach
    void make() {
        assumeTrue(EpollSockets.probe().isEmpty(), "no native sockets here");
        sent = new SentMessages(new Libc(), this::system, new Names(false), false, true);
    }

    /// Does what Linux does for one message at a time.
    private int system(MemorySegment errno, int fd, long messages, int count) {
        MemorySegment header = MemorySegment.ofAddress(messages).reinterpret(64);
        long vector = header.get(ValueLayout.JAVA_LONG, 16);
        MemorySegment part = MemorySegment.ofAddress(vector).reinterpret(16);
        int length = (int) part.get(ValueLayout.JAVA_LONG, 8);
        MemorySegment data =
                MemorySegment.ofAddress(part.get(ValueLayout.JAVA_LONG, 0)).reinterpret(length);
        int segment = segment(header);
        if (takes == 0) {
            return -Libc.EAGAIN;
        }
        if (segment > 0 && (!cutsAny || segment > pathBytes)) {
            return -DatagramCalls.EINVAL;
        }
        if (segment == 0 && length > pathBytes) {
            return -DatagramCalls.EMSGSIZE;
        }
        takes--;
        sizes.add(length);
        for (int at = 0; at < length; at += segment == 0 ? length : segment) {
            gone.add(data.get(ValueLayout.JAVA_BYTE, at) & 0xff);
        }
        return 1;
    }

    /// What UDP_SEGMENT says, or 0.
    private static int segment(MemorySegment header) {
        long length = header.get(ValueLayout.JAVA_LONG, 40);
        MemorySegment controls =
                MemorySegment.ofAddress(header.get(ValueLayout.JAVA_LONG, 32)).reinterpret(128);
        for (long at = 0; at < length; ) {
            if (controls.get(ValueLayout.JAVA_INT, at + 8) == DatagramCalls.IPPROTO_UDP) {
                return controls.get(ValueLayout.JAVA_SHORT, at + 16);
            }
            at += MessageHeaders.aligned(controls.get(ValueLayout.JAVA_LONG, at));
        }
        return 0;
    }

    private boolean add(int mark, int length) {
        byte[] datagram = new byte[length];
        datagram[0] = (byte) mark;
        return sent.add(datagram, length, PEER, PEER.getAddress(), true);
    }

    private static List<Integer> marks(int to) {
        return IntStream.range(0, to).boxed().toList();
    }

    @Test
    void systemThatIsFullAgainAndAgain_getsEachDatagramOnce_inTheirOrder() {
        for (int i = 0; i < 40; i++) {
            assertTrue(add(i, 100 + i % 5)); // some together, others alone
        }
        int rounds = 0;
        for (takes = 1; !sent.send(3); takes = 1) {
            rounds++;
        }
        assertEquals(marks(40), gone);
        assertTrue(rounds > 5, () -> sizes + "");
        assertTrue(add(40, 100));
        takes = 1;
        assertTrue(sent.send(3));
        assertEquals(marks(41), gone);
    }

    /// A process that leaves its socket to another does not wait for room.
    @Test
    void whatWaits_isDropped_andTheNextGo() {
        assertTrue(add(7, 100));
        takes = 0;
        assertFalse(sent.send(3));
        assertTrue(add(8, 100));
        sent.drop();
        takes = 9;
        assertTrue(add(0, 100));
        assertTrue(add(1, 100));
        assertTrue(sent.send(3));
        assertEquals(marks(2), gone);
    }

    @Test
    void probeThatIsTooLarge_isLost_andMessagesAreCutAsBefore() {
        pathBytes = 1_400;
        assertTrue(add(99, 1_452));
        assertTrue(add(0, 1_200));
        assertTrue(sent.send(3));
        assertEquals(marks(1), gone, "the probe alone is lost");
        sizes.clear();
        for (int i = 1; i < 9; i++) {
            assertTrue(add(i, 1_200));
        }
        assertTrue(sent.send(3));
        assertEquals(marks(9), gone);
        assertEquals(List.of(9_600), sizes, "they go together");
    }

    @Test
    void interfaceThatCutsNothing_getsDatagramsOneByOne() {
        cutsAny = false;
        for (int i = 0; i < 4; i++) {
            assertTrue(add(i, 1_200));
        }
        assertTrue(sent.send(3));
        cutsAny = true;
        for (int i = 4; i < 8; i++) {
            assertTrue(add(i, 1_200));
        }
        assertTrue(sent.send(3));
        assertEquals(marks(8), gone);
        assertEquals(8, sizes.size(), "it is not asked to again");
    }
}
