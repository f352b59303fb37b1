package io.margay.transport.libc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds descriptors of this process, as Linux lists them in `/proc`: the JDK keeps the numbers of
/// its channels to itself. Stateless.
public final class OpenDescriptors {
    private static final Path OWN = Path.of("/proc/self/fd");

    private OpenDescriptors() {}

    /// The socket that listens at an address; the caller keeps it from being closed meanwhile.
    ///
    /// @param address with the port that is bound
    /// @throws IOException when there is none, or none can be looked for
    public static int listening(SocketAddress address) throws IOException {
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
    /// @throws IOException when it does not, or at an address of another kind
    public static SocketAddress address(int fd) throws IOException {
        Libc libc = new Libc();
        if (!libc.isListening(fd)) {
            throw new IOException("descriptor " + fd + " is not a socket that listens");
        }
        return bound(libc, new SocketAddresses(libc), fd);
    }

    private static SocketAddress bound(Libc libc, SocketAddresses addresses, int fd)
            throws IOException {
        libc.getsockname(fd, addresses.address(), addresses.length());
        return addresses.bound();
    }

    /// Whether two addresses are the same, where every address of the machine has two names.
    public static boolean isSame(SocketAddress one, SocketAddress other) {
        if (!(one instanceof InetSocketAddress first)
                || !(other instanceof InetSocketAddress second)) {
            return one.equals(other);
        }
        if (first.isUnresolved() || first.getPort() != second.getPort()) {
            return false;
        }
        return first.getAddress().equals(second.getAddress())
                || (first.getAddress().isAnyLocalAddress()
                        && second.getAddress().isAnyLocalAddress());
    }
}
