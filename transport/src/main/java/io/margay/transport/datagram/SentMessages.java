package io.margay.transport.datagram;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.margay.transport.libc.DatagramCalls;
import io.margay.transport.libc.Libc;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Datagrams that one call sends. Those for one client that follow each other and have one size,
/// but for the last, are one message, which the system cuts. Confined to its loop.
final class SentMessages {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private static final int MESSAGES = 64;
    private static final int BYTES = 256 * 1024;

    /// What the system cuts: so many segments, and what one datagram of IP could have.
    private static final int SEGMENTS_MAX = 64;

    private static final int MESSAGE_BYTES_MAX = 65_000;
    private static final int ECT_0 = 2;

    private final Call call;
    private final MessageHeaders messages;
    private final MemorySegment data;
    private final MemorySegment errno;
    private final Names names;
    private final boolean v6;
    private boolean cuts;

    private int count;
    private int used;

    /// The first that the system has not taken.
    private int first;

    /// The first whose headers are not complete.
    private int unfinished;

    private final int[] starts = new int[MESSAGES];
    private final int[] lengths = new int[MESSAGES];
    private final int[] segments = new int[MESSAGES];

    // The message that the next datagram may belong to
    private @Nullable InetSocketAddress peer;
    private @Nullable InetAddress local;
    private boolean marked;
    private int segmentCount;
    private boolean ended;

    /// What sends; see [DatagramCalls#send].
    @FunctionalInterface
    interface Call {
        int send(MemorySegment errno, int fd, long messages, int count);
    }

    /// @param cuts whether the system cuts messages
    SentMessages(Libc libc, Call call, Names names, boolean v6, boolean cuts) {
        this.call = call;
        messages = new MessageHeaders(libc, MESSAGES);
        data = libc.allocate(BYTES);
        errno = libc.allocate(8);
        this.names = names;
        this.v6 = v6;
        this.cuts = cuts;
    }

    /// Takes a datagram.
    ///
    /// @return false when it does not fit
    boolean add(byte[] source, int length, InetSocketAddress to, InetAddress from, boolean mark) {
        if (length > BYTES - used) {
            return false;
        }
        boolean more = continues(length, to, from, mark);
        if (!more && count == MESSAGES) {
            return false;
        }
        MemorySegment.copy(source, 0, data, JAVA_BYTE, used, length);
        if (!more) {
            begin(length, to, from, mark);
        }
        int message = count - 1;
        lengths[message] += length;
        used += length;
        segmentCount++;
        ended = length < segments[message];
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // a connection keeps its addresses
    private boolean continues(int length, InetSocketAddress to, InetAddress from, boolean mark) {
        return cuts
                && count > 0
                && !ended
                && to == peer
                && from == local
                && mark == marked
                && length <= segments[count - 1]
                && segmentCount < SEGMENTS_MAX
                && lengths[count - 1] + length <= MESSAGE_BYTES_MAX;
    }

    private void begin(int length, InetSocketAddress to, InetAddress from, boolean mark) {
        starts[count] = used;
        lengths[count] = 0;
        segments[count] = length;
        messages.nameLength(count, names.put(to, messages.names, MessageHeaders.name(count)));
        long begin = MessageHeaders.control(count);
        long at = begin;
        boolean six = to.getAddress() instanceof Inet6Address;
        if (!from.isAnyLocalAddress()) {
            at = putLocal(at, from);
        }
        if (mark) {
            int level = six ? Libc.IPPROTO_IPV6 : DatagramCalls.IPPROTO_IP;
            int type = six ? DatagramCalls.IPV6_TCLASS : DatagramCalls.IP_TOS;
            messages.controls.set(JAVA_INT, at + MessageHeaders.CONTROL_HEADER, ECT_0);
            at = messages.putControl(at, level, type, 4);
        }
        messages.controlLength(count, at - begin);
        peer = to;
        local = from;
        marked = mark;
        segmentCount = 0;
        ended = false;
        count++;
    }

    private long putLocal(long at, InetAddress from) {
        long content = at + MessageHeaders.CONTROL_HEADER;
        MemorySegment into = messages.controls;
        if (v6) {
            names.putOctets(from, into, content);
            into.set(
                    JAVA_INT,
                    content + 16,
                    from instanceof Inet6Address six ? six.getScopeId() : 0);
            return messages.putControl(at, Libc.IPPROTO_IPV6, DatagramCalls.IPV6_PKTINFO, 20);
        }
        into.set(JAVA_INT, content, 0);
        names.putOctets(from, into, content + 4);
        into.set(JAVA_INT, content + 8, 0);
        return messages.putControl(at, DatagramCalls.IPPROTO_IP, DatagramCalls.IP_PKTINFO, 12);
    }

    /// Sends what there is.
    ///
    /// @return false when the system takes no more now; then the rest waits
    boolean send(int fd) {
        for (int i = unfinished; i < count; i++) {
            messages.data(i, data.address() + starts[i], lengths[i]);
            if (lengths[i] > segments[i]) {
                putSegments(i);
            }
        }
        unfinished = count;
        while (first < count) {
            int sent = call.send(errno, fd, messages.address(first), count - first);
            if (sent > 0) {
                first += sent;
            } else if (sent == -Libc.EAGAIN) {
                forgetLast();
                return false;
            } else if (sent != -Libc.EINTR) {
                failed(fd, -sent);
                first++;
            }
        }
        drop();
        return true;
    }

    /// What waits is lost, as any may be.
    void drop() {
        first = 0;
        unfinished = 0;
        count = 0;
        used = 0;
        forgetLast();
    }

    /// What waits is not added to: it has its header.
    private void forgetLast() {
        peer = null;
    }

    private void putSegments(int place) {
        long begin = MessageHeaders.control(place);
        long at = begin + messages.controlLength(place);
        messages.controls.set(
                JAVA_SHORT, at + MessageHeaders.CONTROL_HEADER, (short) segments[place]);
        long end = messages.putControl(at, DatagramCalls.IPPROTO_UDP, DatagramCalls.UDP_SEGMENT, 2);
        messages.controlLength(place, end - begin);
    }

    /// The first message cannot be sent: its datagrams go one by one. Where the interface cannot
    /// cut messages at all, so do all others from now on. It refuses to cut one, too, whose first
    /// datagram is larger than the path takes, as a probe may be.
    private void failed(int fd, int error) {
        int place = first;
        boolean cut = lengths[place] > segments[place];
        boolean tooLarge = error == DatagramCalls.EMSGSIZE;
        if (!cut || (!tooLarge && error != DatagramCalls.EIO && error != DatagramCalls.EINVAL)) {
            LOG.log(Level.DEBUG, () -> "a datagram cannot be sent: error " + error);
            return;
        }
        LOG.log(Level.DEBUG, () -> "datagrams go one by one: error " + error);
        long control = messages.controlLength(place);
        messages.controlLength(place, control - MessageHeaders.CONTROL_HEADER - 8);
        for (int from = 0; from < lengths[place]; from += segments[place]) {
            int size = Math.min(segments[place], lengths[place] - from);
            messages.data(place, data.address() + starts[place] + from, size);
            tooLarge |= call.send(errno, fd, messages.address(place), 1) == -DatagramCalls.EMSGSIZE;
        }
        cuts = cuts && tooLarge;
    }
}
