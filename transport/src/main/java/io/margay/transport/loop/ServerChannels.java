package io.margay.transport.loop;

import io.margay.transport.ListenerConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;

/// Opens server channels. Stateless.
public final class ServerChannels {
    private ServerChannels() {}

    /// Opens a blocking server channel.
    ///
    /// @throws BindException when the address cannot be had; the message names it
    public static ServerSocketChannel bind(ListenerConfig config) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(config.address(), config.backlog());
            return channel;
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
}
