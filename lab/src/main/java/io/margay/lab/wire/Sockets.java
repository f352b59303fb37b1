package io.margay.lab.wire;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.Channel;

/// What both kinds of wire do with a socket. Stateless.
public final class Sockets {
    private static final System.Logger LOG = System.getLogger(Sockets.class.getName());

    private Sockets() {}

    public static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a socket could not be closed", e);
        }
    }
}
