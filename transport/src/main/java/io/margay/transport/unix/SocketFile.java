package io.margay.transport.unix;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;

/// The file of a Unix socket that listens. The system leaves it behind when the socket is closed,
/// so it is removed wherever nobody listens there any more: when a listener closes, and before one
/// opens, for a server may have been killed. A process that has taken the socket over listens, and
/// keeps it. Stateless.
public final class SocketFile {
    /// What clients are said to be, as those of this machine: a Unix socket gives them no address.
    /// So it is with Tomcat.
    public static final InetSocketAddress LOCAL =
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private SocketFile() {}

    /// Whether clients of a listener have no addresses.
    public static boolean isUnix(SocketAddress address) {
        return address instanceof UnixDomainSocketAddress;
    }

    /// Makes sure that a socket can be bound.
    ///
    /// @throws BindException when somebody listens there, or the file is no socket
    public static void claim(Path file) throws IOException {
        if (isThere(file) && !remove(file)) {
            throw new BindException(file + " is in use by another program");
        }
    }

    /// Lets those connect who may.
    ///
    /// @throws IOException when this user cannot give the file away like that
    public static void protect(Path file, SocketAccess access) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        UserPrincipalLookupService names = file.getFileSystem().getUserPrincipalLookupService();
        String wanted = "group " + access.group();
        try {
            if (access.group() != null) {
                view.setGroup(names.lookupPrincipalByGroupName(access.group()));
            }
            // Once it is another's, nothing else can be changed.
            view.setPermissions(access.permissions());
            if (access.owner() != null) {
                wanted = "user " + access.owner();
                view.setOwner(names.lookupPrincipalByName(access.owner()));
            }
        } catch (UserPrincipalNotFoundException e) {
            throw new IOException("there is no " + wanted, e);
        }
    }

    /// Removes the file of a listener that has closed, unless another process listens there.
    public static void closed(SocketAddress address) {
        if (address instanceof UnixDomainSocketAddress unix) {
            try {
                boolean _ = isThere(unix.getPath()) && remove(unix.getPath());
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "the file of a socket stays", e);
            }
        }
    }

    private static boolean isThere(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// @return false when somebody listens there
    /// @throws IOException when it is no socket
    private static boolean remove(Path file) throws IOException {
        BasicFileAttributes found =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isOther()) {
            throw new BindException(file + " is there, and is not a socket");
        }
        try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            client.configureBlocking(false); // An accept queue may be full.
            boolean _ = client.connect(UnixDomainSocketAddress.of(file));
            return false;
        } catch (ConnectException e) {
            Files.deleteIfExists(file);
            return true;
        }
    }
}
