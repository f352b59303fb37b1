package io.margay.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// Ports of the loopback that were free a moment ago.
public final class FreePort {
    private FreePort() {}

    public static int next() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
