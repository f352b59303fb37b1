package io.margay.transport.handover;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.transport.libc.Libc;
import io.margay.transport.libc.SocketAddresses;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;

/// Messages between two processes of one user, each of which may carry a descriptor: a Unix socket
/// with `SCM_RIGHTS`, which the JDK's channels do not know. Each message is its length, big endian,
/// and its bytes; the descriptor travels with the length. Sent by one thread and received by one
/// thread at a time, both of which wait; closed by any, once neither does.
public final class HandoverChannel implements AutoCloseable {
    private static final int PART_BYTES = 64 << 10;
    private static final int LENGTH_BYTES = 4;
    private static final int SCM_RIGHTS = 1;

    /// `cmsghdr` with one descriptor, and the room that it takes.
    private static final int CONTROL_BYTES = 20;

    private static final int CONTROL_SPACE = 24;

    private final Libc libc;
    private final int fd;
    private final HandoverLimits limits;
    private final Packet sent;
    private final Packet received;

    HandoverChannel(Libc libc, int fd, HandoverLimits limits) {
        this.libc = libc;
        this.fd = fd;
        this.limits = limits;
        sent = new Packet(libc);
        received = new Packet(libc);
    }

    /// What is sent at once. Whoever has it owns its bytes.
    public static final class Message {
        /// No descriptor.
        public static final int NONE = -1;

        private final byte[] body;
        private final int descriptor;

        /// @param descriptor one that goes with it, or [#NONE]
        public Message(byte[] body, int descriptor) {
            this.body = body;
            this.descriptor = descriptor;
        }

        public byte[] body() {
            return body;
        }

        public int descriptor() {
            return descriptor;
        }
    }

    /// Connects to a process that waits for it.
    ///
    /// @throws IOException when nobody listens there, or a process of another user
    public static HandoverChannel connect(Path file, HandoverLimits limits) throws IOException {
        Libc libc = new Libc();
        int fd = libc.waitingSocket(Libc.AF_UNIX);
        try {
            SocketAddresses addresses = new SocketAddresses(libc);
            int length = addresses.put(UnixDomainSocketAddress.of(file));
            boolean _ = libc.connect(fd, addresses.address(), length);
            HandoverListener.requireSameUser(libc, fd);
            return new HandoverChannel(libc, fd, limits);
        } catch (IOException e) {
            libc.close(fd);
            throw e;
        }
    }

    /// The process on the other side.
    public long peer() throws IOException {
        return libc.peer(fd)[0];
    }

    /// How long [#receive] waits for a message.
    public void patience(Duration time) throws IOException {
        libc.receiveTimeout(fd, time);
    }

    /// Sends a message; the descriptor stays open here.
    public void send(Message message) throws IOException {
        byte[] body = message.body;
        if (body.length > limits.messageBytesMax()) {
            throw new IOException("a message of " + body.length + " bytes is too large");
        }
        sent.data.set(JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), 0, body.length);
        sent.descriptor(message.descriptor);
        int from = 0;
        while (from < LENGTH_BYTES) {
            from += libc.sendmsg(fd, sent.of(from, LENGTH_BYTES - from));
            sent.descriptor(Message.NONE);
        }
        for (int offset = 0; offset < body.length; ) {
            int part = Math.min(PART_BYTES, body.length - offset);
            MemorySegment.copy(body, offset, sent.data, JAVA_BYTE, 0, part);
            offset += libc.sendmsg(fd, sent.of(0, part));
        }
    }

    /// Receives a message; the descriptor is the caller's.
    ///
    /// @throws IOException at the end, when nothing comes for too long, or what comes is no message
    public Message receive() throws IOException {
        int descriptor = Message.NONE;
        int at = 0;
        while (at < LENGTH_BYTES) {
            int count = libc.recvmsg(fd, received.forReceiving(at, LENGTH_BYTES - at));
            if (count == 0) {
                throw new HandoverEndException();
            }
            at += count;
            descriptor = Math.max(descriptor, received.descriptor());
        }
        int length = received.data.get(JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), 0);
        if (length < 0 || length > limits.messageBytesMax()) {
            throw new IOException("a message of " + length + " bytes is not read");
        }
        byte[] body = new byte[length];
        for (int offset = 0; offset < length; ) {
            int part = Math.min(PART_BYTES, length - offset);
            int count = libc.recvmsg(fd, received.of(0, part));
            if (count == 0) {
                throw new HandoverEndException();
            }
            MemorySegment.copy(received.data, JAVA_BYTE, 0, body, offset, count);
            offset += count;
        }
        return new Message(body, descriptor);
    }

    /// Has a thread that receives see the end.
    public void end() throws IOException {
        libc.shutdown(fd);
    }

    @Override
    public void close() throws IOException {
        libc.close(fd);
    }

    /// The memory of one message's part as C sees it.
    ///
    /// ```
    /// msghdr    name:8 its length:4 pad:4 iovec:8 count:8 control:8 its length:8 flags:4 pad:4
    /// iovec     data:8 length:8
    /// cmsghdr   length:8 level:4 type:4 descriptor:4 pad:4
    /// ```
    private static final class Packet {
        private static final long IOVEC = 16;
        private static final long IOVEC_COUNT = 24;
        private static final long CONTROL = 32;
        private static final long CONTROL_LENGTH = 40;

        final MemorySegment data;
        private final MemorySegment header;
        private final MemorySegment vector;
        private final MemorySegment control;

        Packet(Libc libc) {
            data = libc.allocate(PART_BYTES);
            header = libc.allocate(56);
            vector = libc.allocate(16);
            control = libc.allocate(CONTROL_SPACE);
            header.set(JAVA_LONG, IOVEC, vector.address());
            header.set(JAVA_LONG, IOVEC_COUNT, 1);
            header.set(JAVA_LONG, CONTROL, control.address());
        }

        /// A part of the data, with what [#descriptor(int)] has put.
        MemorySegment of(int offset, int length) {
            vector.set(JAVA_LONG, 0, data.address() + offset);
            vector.set(JAVA_LONG, 8, length);
            return header;
        }

        MemorySegment forReceiving(int offset, int length) {
            control.fill((byte) 0);
            header.set(JAVA_LONG, CONTROL_LENGTH, CONTROL_SPACE);
            return of(offset, length);
        }

        void descriptor(int descriptor) {
            boolean none = descriptor == Message.NONE;
            header.set(JAVA_LONG, CONTROL_LENGTH, none ? 0 : CONTROL_SPACE);
            control.set(JAVA_LONG, 0, CONTROL_BYTES);
            control.set(JAVA_INT, 8, Libc.SOL_SOCKET);
            control.set(JAVA_INT, 12, SCM_RIGHTS);
            control.set(JAVA_INT, 16, descriptor);
        }

        /// What has come, or [Message#NONE]; nothing else comes with what follows.
        int descriptor() {
            boolean one =
                    header.get(JAVA_LONG, CONTROL_LENGTH) >= CONTROL_BYTES
                            && control.get(JAVA_INT, 12) == SCM_RIGHTS;
            header.set(JAVA_LONG, CONTROL_LENGTH, 0);
            return one ? control.get(JAVA_INT, 16) : Message.NONE;
        }
    }
}
