package io.margay.app.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.LoggedLines;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class ServiceStateTest {
    @TempDir Path folder;

    /// A Unix socket for datagrams, as systemd has one; by the C library, since the JDK has none.
    private static final class Receiver implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final int fd;

        Receiver(byte[] path) throws Throwable {
            fd = (int) call("socket", JAVA_INT, JAVA_INT, JAVA_INT).invokeExact(1, 2, 0);
            MemorySegment address = arena.allocate(110, 2);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
            MemorySegment.copy(path, 0, address, ValueLayout.JAVA_BYTE, 2, path.length);
            int bound =
                    (int)
                            call("bind", JAVA_INT, ADDRESS, JAVA_INT)
                                    .invokeExact(fd, address, 2 + path.length);
            assertEquals(0, bound);
        }

        @SuppressWarnings("restricted")
        private static MethodHandle call(String name, java.lang.foreign.MemoryLayout... arguments) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().find(name).orElseThrow(),
                    FunctionDescriptor.of(JAVA_INT, arguments));
        }

        String next() throws Throwable {
            MemorySegment bytes = arena.allocate(100);
            int count =
                    (int)
                            call("recv", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT)
                                    .invokeExact(fd, bytes, 100L, 0);
            return new String(
                    bytes.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
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

    @Test
    void states_reachTheSocket() throws Throwable {
        String path = folder.resolve("notify").toString();
        try (Receiver receiver = new Receiver(path.getBytes(StandardCharsets.UTF_8))) {
            ServiceState state = new ServiceState(path);
            state.ready();
            assertEquals("READY=1", receiver.next());
            state.reloading();
            assertEquals("RELOADING=1", receiver.next());
            state.stopping();
            assertEquals("STOPPING=1", receiver.next());
        }
    }

    @Test
    void states_reachAnAbstractSocket() throws Throwable {
        String name = "@margay-test-" + ProcessHandle.current().pid();
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        path[0] = 0;
        try (Receiver receiver = new Receiver(path)) {
            new ServiceState(name).ready();
            assertEquals("READY=1", receiver.next());
        }
    }

    @Test
    void socket_thatNobodyListensAt_isLogged() {
        String path = folder.resolve("nobody").toString();
        try (LoggedLines log = LoggedLines.of(ServiceState.class.getName())) {
            new ServiceState(path).ready();
            assertEquals(1, log.count("NOTIFY_SOCKET " + path + ": nobody listens there"));
        }
    }

    @Test
    void noSocket_isQuiet() {
        try (LoggedLines log = LoggedLines.of(ServiceState.class.getName())) {
            new ServiceState(null).ready();
            new ServiceState("").ready();
            assertEquals(0, log.count(""));
        }
    }
}
