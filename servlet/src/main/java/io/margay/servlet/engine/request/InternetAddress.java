package io.margay.servlet.engine.request;

import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// An end of a connection as servlets see it: address and port. Stateless.
final class InternetAddress {
    private InternetAddress() {}

    static String text(SocketAddress address) {
        if (address instanceof InetSocketAddress inet) {
            return inet.getAddress() == null
                    ? inet.getHostString()
                    : inet.getAddress().getHostAddress();
        }
        return "";
    }

    static int port(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }
}
