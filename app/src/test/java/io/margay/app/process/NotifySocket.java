package io.margay.app.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.testkit.Eventually;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/// A Unix socket for datagrams, as systemd has one; by the C library, since the JDK has none. Used
/// by one thread.
public final class NotifySocket implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int MSG_DONTWAIT = 0x40;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment bytes = arena.allocate(100);
    private final MethodHandle recv = call("recv", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private final int fd;

    private NotifySocket(byte[] path) {
        try {
            MethodHandle socket = call("socket", JAVA_INT, JAVA_INT, JAVA_INT);
            fd = (int) socket.invokeExact(AF_UNIX, SOCK_DGRAM, 0);
            MemorySegment address = arena.allocate(110, 2);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(path, 0, address, ValueLayout.JAVA_BYTE, 2, path.length);
            MethodHandle bind = call("bind", JAVA_INT, ADDRESS, JAVA_INT);
            int failed = (int) bind.invokeExact(fd, address, 2 + path.length);
            if (failed != 0) {
                throw new IllegalStateException("bind");
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// @param name a path, or `@` and an abstract name
    public static NotifySocket at(String name) {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        if (path[0] == '@') {
            path[0] = 0;
        }
        return new NotifySocket(path);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle call(String name, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /// What comes next.
    public String next() {
        AtomicInteger length = new AtomicInteger();
        Eventually.holds(
                "a state is told",
                () -> {
                    length.set(receive());
                    return length.get() > 0;
                });
        return new String(
                bytes.asSlice(0, length.get()).toArray(ValueLayout.JAVA_BYTE),
                StandardCharsets.UTF_8);
    }

    private int receive() {
        try {
            return (int) recv.invokeExact(fd, bytes, bytes.byteSize(), MSG_DONTWAIT);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            int _ = (int) call("close", JAVA_INT).invokeExact(fd);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        arena.close();
    }
}
