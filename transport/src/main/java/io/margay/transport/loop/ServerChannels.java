package io.margay.transport.loop;

import io.margay.transport.ListenerConfig;
import io.margay.transport.libc.Libc;
import io.margay.transport.libc.OpenDescriptors;
import io.margay.transport.unix.SocketAccess;
import io.margay.transport.unix.SocketFile;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// Opens server channels. Stateless.
public final class ServerChannels {
    private ServerChannels() {}

    /// A channel that listens.
    ///
    /// @param address where; the channel may say otherwise of a socket that was open before
    public record Opened(ServerSocketChannel channel, SocketAddress address) {}

    /// Opens a blocking server channel.
    ///
    /// @throws BindException when the address cannot be had; the message names it
    public static Opened bind(ListenerConfig config) throws IOException {
        boolean open = config.descriptor() != ListenerConfig.NO_DESCRIPTOR;
        SocketAddress address =
                open ? OpenDescriptors.address(config.descriptor()) : config.address();
        Path file = address instanceof UnixDomainSocketAddress unix ? unix.getPath() : null;
        ServerSocketChannel channel =
                file == null
                        ? ServerSocketChannel.open()
                        : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            if (open) {
                adopt(channel, config, file != null);
                return new Opened(channel, address);
            }
            if (file == null) {
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            } else {
                SocketFile.claim(file);
            }
            channel.bind(address, config.backlog());
            if (file != null) {
                protect(file, config.access());
            }
            return new Opened(channel, channel.getLocalAddress());
        } catch (SocketException e) {
            channel.close();
            BindException failure =
                    new BindException(
                            "cannot listen on " + config.address() + ": " + e.getMessage());
            failure.initCause(e);
            throw failure;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// Puts a socket that listens already in the place of the channel's own: the JDK makes no
    /// channel of a descriptor. The channel is bound before, or it would not accept.
    private static void adopt(ServerSocketChannel channel, ListenerConfig config, boolean unix)
            throws IOException {
        // Without an address a Unix socket gets a file with a name of its own.
        channel.bind(unix ? null : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        SocketAddress anywhere = channel.getLocalAddress();
        int own = OpenDescriptors.listening(anywhere);
        Libc libc = new Libc();
        libc.listen(config.descriptor(), config.backlog());
        libc.replace(own, config.descriptor());
        libc.close(config.descriptor());
        SocketFile.closed(anywhere);
    }

    private static void protect(Path file, SocketAccess access) throws IOException {
        try {
            SocketFile.protect(file, access);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw new SocketException(String.valueOf(e.getMessage()), e);
        }
    }
}
