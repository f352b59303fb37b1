package io.margay.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// Ports that were free a moment ago.
final class FreePort {
    private FreePort() {}

    static int next() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
