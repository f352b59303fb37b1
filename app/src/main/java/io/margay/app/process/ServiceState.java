package io.margay.app.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// How far this server is, for whoever has started it as a service and wants to know: systemd, with
/// `Type=notify`. Each state is one datagram to the Unix socket that `NOTIFY_SOCKET` names
/// (sd_notify(3)); the JDK has no datagrams on Unix sockets, hence the C library. Where the
/// variable is not set, nothing is linked or sent. Thread-safe.
public final class ServiceState {
    private static final System.Logger LOG = System.getLogger(ServiceState.class.getName());
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int PATH_BYTES_MAX = 108;

    private final @Nullable String socket;

    /// @param socket a path, or `@` and an abstract name; null or empty = nobody wants to know
    public ServiceState(@Nullable String socket) {
        this.socket = socket == null || socket.isEmpty() ? null : socket;
    }

    /// Requests are answered.
    public void ready() {
        tell("READY=1");
    }

    /// The configuration is read again; [#ready] follows, also where it was refused.
    public void reloading() {
        tell("RELOADING=1");
    }

    /// Another process serves from now on, and tells its states itself.
    public void succeededBy(long pid) {
        tell("MAINPID=" + pid);
    }

    /// The server ends, once running requests are finished.
    public void stopping() {
        tell("STOPPING=1");
    }

    /// A state that cannot be told is logged: the service manager has a time limit of its own.
    private void tell(String line) {
        if (socket == null) {
            return;
        }
        try {
            Datagrams.send(socket, line);
        } catch (IOException | UnsatisfiedLinkError e) {
            LOG.log(Level.WARNING, "NOTIFY_SOCKET {0}: {1}", socket, e.getMessage());
        }
    }

    /// The calls into the C library, linked with the first.
    @SuppressWarnings("restricted")
    private static final class Datagrams {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final MethodHandle SOCKET =
                link("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        private static final MethodHandle SENDTO =
                link(
                        "sendto",
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS,
                                JAVA_INT));
        private static final MethodHandle CLOSE =
                link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

        private Datagrams() {}

        private static MethodHandle link(String name, FunctionDescriptor shape) {
            return LINKER.downcallHandle(
                    LINKER.defaultLookup()
                            .find(name)
                            .orElseThrow(() -> new UnsatisfiedLinkError("no " + name)),
                    shape);
        }

        static void send(String socket, String line) throws IOException {
            byte[] path = socket.getBytes(StandardCharsets.UTF_8);
            if (path[0] == '@') {
                path[0] = 0; // An abstract name.
            }
            if (path.length >= PATH_BYTES_MAX) {
                throw new IOException("the path is too long");
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment address = arena.allocate(2L + PATH_BYTES_MAX, 2);
                address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
                MemorySegment.copy(path, 0, address, ValueLayout.JAVA_BYTE, 2, path.length);
                MemorySegment text = arena.allocateFrom(line);
                int fd = (int) SOCKET.invokeExact(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
                if (fd < 0) {
                    throw new IOException("no socket can be opened");
                }
                long sent =
                        (long)
                                SENDTO.invokeExact(
                                        fd,
                                        text,
                                        (long) line.length(),
                                        MSG_NOSIGNAL,
                                        address,
                                        2 + path.length);
                int _ = (int) CLOSE.invokeExact(fd);
                if (sent < 0) {
                    throw new IOException("nobody listens there");
                }
            } catch (IOException | RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
