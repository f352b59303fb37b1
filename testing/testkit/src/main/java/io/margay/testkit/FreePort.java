package io.margay.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Ports of the loopback that are free, for processes that want to be told one. No port is given
/// out twice while this process runs, not to another process of these tests either, which is what a
/// locked byte of a file is for; and the system gives none of them to somebody who asks for any
/// port. Thread-safe.
public final class FreePort {
    /// Below what Linux (32768) and others (49152) give by themselves.
    static final int FIRST = 12_000;

    static final int LAST = 31_999;

    private static @Nullable FileChannel locks;
    private static int last =
            FIRST + (int) (ProcessHandle.current().pid() * 97 % (LAST - FIRST + 1));

    private FreePort() {}

    public static synchronized int next() throws IOException {
        for (int i = FIRST; i <= LAST; i++) {
            last = last == LAST ? FIRST : last + 1;
            if (isOurs(last) && isFree(last)) {
                return last;
            }
        }
        throw new IOException("there is no free port");
    }

    /// Whether nobody else has it now; the lock goes with this process.
    private static boolean isOurs(int port) throws IOException {
        FileChannel open = locks;
        if (open == null) {
            String name = "margay-test-ports-" + System.getProperty("user.name");
            open =
                    FileChannel.open(
                            Path.of(System.getProperty("java.io.tmpdir"), name),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            locks = open;
        }
        try {
            return open.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false; // it was given out already
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false; // somebody listens there
        }
    }
}
