package io.margay.transport.loop;

import io.margay.transport.ListenerConfig;
import io.margay.transport.libc.Libc;
import io.margay.transport.libc.OpenDescriptors;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;

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
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            if (config.descriptor() != ListenerConfig.NO_DESCRIPTOR) {
                return adopt(channel, config);
            }
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(config.address(), config.backlog());
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
    private static Opened adopt(ServerSocketChannel channel, ListenerConfig config)
            throws IOException {
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        int own = OpenDescriptors.listening((InetSocketAddress) channel.getLocalAddress());
        Libc libc = new Libc();
        SocketAddress address = OpenDescriptors.address(config.descriptor());
        libc.listen(config.descriptor(), config.backlog());
        libc.replace(own, config.descriptor());
        libc.close(config.descriptor());
        return new Opened(channel, address);
    }
}
