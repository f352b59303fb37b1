package io.margay.transport.handover;

import io.margay.transport.libc.Libc;
import io.margay.transport.libc.SocketAddresses;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where the process that takes over finds the one that hands over: a Unix socket that their user
/// alone may connect to, and that is gone when one has. Used by one thread.
public final class HandoverListener implements AutoCloseable {
    private final Libc libc = new Libc();
    private final Path file;
    private final HandoverLimits limits;
    private final int fd;

    private HandoverListener(Path file, HandoverLimits limits) throws IOException {
        this.file = file;
        this.limits = limits;
        fd = libc.waitingSocket(Libc.AF_UNIX);
    }

    /// Why sockets cannot be handed over here; empty when they can.
    public static Optional<String> obstacle() {
        String os = System.getProperty("os.name", "");
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (!os.equals("Linux")) {
            return Optional.of("sockets are handed over on Linux alone, this is " + os);
        }
        if (!arch.equals("amd64") && !arch.equals("x86_64") && !arch.equals("aarch64")) {
            return Optional.of("sockets are handed over on x86-64 and aarch64, this is " + arch);
        }
        return HandoverListener.class.getModule().isNativeAccessEnabled()
                ? Optional.empty()
                : Optional.of(
                        "native access is not enabled; start Java with"
                                + " --enable-native-access=ALL-UNNAMED");
    }

    /// Listens at a file, which takes the place of one that is left over.
    public static HandoverListener open(Path file, HandoverLimits limits) throws IOException {
        Files.deleteIfExists(file);
        HandoverListener made = new HandoverListener(file, limits);
        try {
            made.listen();
            return made;
        } catch (IOException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private void listen() throws IOException {
        SocketAddresses addresses = new SocketAddresses(libc);
        int length = addresses.put(UnixDomainSocketAddress.of(file));
        libc.bind(fd, addresses.address(), length);
        // Before anybody can connect.
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        libc.listen(fd, 1);
    }

    /// Waits for the other process.
    ///
    /// @return null when none has come in time
    /// @throws IOException when one of another user comes
    public @Nullable HandoverChannel accept(Duration wait) throws IOException {
        libc.receiveTimeout(fd, wait);
        int client = libc.acceptWaiting(fd);
        if (client < 0) {
            return null;
        }
        try {
            requireSameUser(libc, client);
            return new HandoverChannel(libc, client, limits);
        } catch (IOException e) {
            libc.close(client);
            throw e;
        }
    }

    /// The file's mode keeps others off, unless they are root; so does this.
    static void requireSameUser(Libc libc, int socket) throws IOException {
        int user = libc.peer(socket)[1];
        if (user != libc.user()) {
            throw new IOException("user " + user + " is on the other side, and is not ours");
        }
    }

    @Override
    public void close() throws IOException {
        try {
            libc.close(fd);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
