package io.margay.transport.libc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Finds descriptors of this process, as Linux lists them in `/proc`: the JDK keeps the numbers of
/// its channels to itself. Stateless.
public final class OpenDescriptors {
    private static final Path OWN = Path.of("/proc/self/fd");

    private OpenDescriptors() {}

    /// The socket that listens at an address; the caller keeps it from being closed meanwhile.
    ///
    /// @param address with the port that is bound
    /// @throws IOException when there is none, or none can be looked for
    public static int listening(InetSocketAddress address) throws IOException {
        Libc libc = new Libc();
        SocketAddresses addresses = new SocketAddresses(libc);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(OWN)) {
            for (Path each : all) {
                int fd = Integer.parseInt(each.getFileName().toString());
                if (libc.isListening(fd) && isSame(address, bound(libc, addresses, fd))) {
                    return fd;
                }
            }
        }
        throw new IOException("no socket of this process listens at " + address);
    }

    /// Where a socket listens.
    ///
    /// @throws IOException when it does not, or not at an Internet address
    public static InetSocketAddress address(int fd) throws IOException {
        Libc libc = new Libc();
        if (!libc.isListening(fd)) {
            throw new IOException("descriptor " + fd + " is no socket that listens");
        }
        InetSocketAddress found = bound(libc, new SocketAddresses(libc), fd);
        if (found == null) {
            throw new IOException("descriptor " + fd + " does not listen at an Internet address");
        }
        return found;
    }

    private static @Nullable InetSocketAddress bound(Libc libc, SocketAddresses addresses, int fd)
            throws IOException {
        libc.getsockname(fd, addresses.address(), addresses.length());
        return addresses.family() == Libc.AF_UNIX ? null : addresses.get();
    }

    /// Whether two addresses are the same, where every address of the machine has two names.
    public static boolean isSame(InetSocketAddress one, @Nullable InetSocketAddress other) {
        if (other == null || one.isUnresolved() || one.getPort() != other.getPort()) {
            return false;
        }
        return one.getAddress().equals(other.getAddress())
                || (one.getAddress().isAnyLocalAddress() && other.getAddress().isAnyLocalAddress());
    }
}
