package io.margay.transport.datagram;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.transport.libc.DatagramCalls;
import io.margay.transport.libc.Libc;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/// What one call receives: messages, each of which the system may have made of several datagrams of
/// one sender and one size, with the address that they were sent to and their mark. Confined to its
/// loop.
final class ReceivedMessages {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    /// Messages of a call; the room for their content takes 1 MiB per loop.
    private static final int MESSAGES = 16;

    private static final int BYTES = UdpSocket.DATAGRAM_BYTES_MAX;
    private static final int ECN_BITS = 3;

    private final DatagramCalls calls;
    private final MessageHeaders messages;
    private final MemorySegment data;
    private final MemorySegment errno;
    private final Names names;
    private final byte[] bytes = new byte[BYTES];

    /// Where datagrams are sent to when the system does not say otherwise.
    private final InetAddress usual;

    private int used = MESSAGES;

    // What the control messages of a message say
    private int ecn;
    private int segment;
    private InetAddress local;
    private long localA;
    private long localB;
    private InetAddress localKnown;

    ReceivedMessages(Libc libc, Names names, InetAddress usual) {
        calls = new DatagramCalls(libc);
        messages = new MessageHeaders(libc, MESSAGES);
        data = libc.allocate((long) MESSAGES * BYTES);
        errno = libc.allocate(8);
        this.names = names;
        this.usual = usual;
        local = usual;
        localKnown = usual;
        for (int i = 0; i < MESSAGES; i++) {
            messages.data(i, data.address() + (long) i * BYTES, BYTES);
        }
    }

    /// Receives by one call.
    void receive(int fd, UdpSocket.Receiver to) {
        for (int i = 0; i < used; i++) {
            messages.nameLength(i, MessageHeaders.NAME_BYTES);
            messages.controlLength(i, MessageHeaders.CONTROL_BYTES);
        }
        used = 0;
        int count = calls.receive(errno, fd, messages.headers, MESSAGES);
        if (count < 0) {
            if (count != -Libc.EAGAIN && count != -Libc.EINTR) {
                LOG.log(Level.DEBUG, () -> "no datagram can be received: error " + -count);
            }
            return;
        }
        used = count;
        for (int i = 0; i < count; i++) {
            try {
                InetSocketAddress peer = names.get(messages.names, MessageHeaders.name(i));
                if (peer != null) {
                    readControl(i);
                    give(i, peer, to);
                }
            } catch (UnknownHostException e) {
                throw new IllegalStateException("an address has 4 or 16 octets", e);
            }
        }
    }

    private void give(int place, InetSocketAddress peer, UdpSocket.Receiver to) {
        int whole = messages.bytes(place);
        int each = segment > 0 ? segment : whole;
        InetAddress at = local;
        int mark = ecn;
        for (int from = 0; from < whole; from += each) {
            int size = Math.min(each, whole - from);
            MemorySegment.copy(data, JAVA_BYTE, (long) place * BYTES + from, bytes, 0, size);
            to.received(bytes, 0, size, peer, at, mark);
        }
    }

    private void readControl(int place) throws UnknownHostException {
        ecn = 0;
        segment = 0;
        local = usual;
        MemorySegment from = messages.controls;
        long at = MessageHeaders.control(place);
        long end = at + messages.controlLength(place);
        while (end - at >= MessageHeaders.CONTROL_HEADER) {
            long length = from.get(JAVA_LONG, at);
            if (length < MessageHeaders.CONTROL_HEADER || length > end - at) {
                return;
            }
            read(from, at, at + MessageHeaders.CONTROL_HEADER);
            at += MessageHeaders.aligned(length);
        }
    }

    private void read(MemorySegment from, long at, long content) throws UnknownHostException {
        int level = from.get(JAVA_INT, at + 8);
        int type = from.get(JAVA_INT, at + 12);
        if (level == DatagramCalls.IPPROTO_UDP && type == DatagramCalls.UDP_GRO) {
            segment = from.get(JAVA_INT, content);
        } else if (level == DatagramCalls.IPPROTO_IP && type == DatagramCalls.IP_TOS) {
            ecn = from.get(JAVA_BYTE, content) & ECN_BITS;
        } else if (level == Libc.IPPROTO_IPV6 && type == DatagramCalls.IPV6_TCLASS) {
            ecn = from.get(JAVA_INT, content) & ECN_BITS;
        } else if (level == DatagramCalls.IPPROTO_IP && type == DatagramCalls.IP_PKTINFO) {
            local(from, content + 8, 4, 0);
        } else if (level == Libc.IPPROTO_IPV6 && type == DatagramCalls.IPV6_PKTINFO) {
            boolean near =
                    from.get(JAVA_BYTE, content) == (byte) 0xfe
                            && (from.get(JAVA_BYTE, content + 1) & 0xc0) == 0x80;
            local(from, content, 16, near ? from.get(JAVA_INT, content + 16) : 0);
        }
    }

    /// Most datagrams are sent to the same address.
    private void local(MemorySegment from, long at, int length, int scope)
            throws UnknownHostException {
        long a = length == 4 ? from.get(JAVA_INT, at) : from.get(JAVA_LONG, at);
        long b = length == 4 ? Long.MIN_VALUE : from.get(JAVA_LONG, at + 8) + scope;
        if (localKnown.equals(usual) || a != localA || b != localB) {
            localKnown = Names.address(from, at, length, scope);
            localA = a;
            localB = b;
        }
        local = localKnown;
    }
}
