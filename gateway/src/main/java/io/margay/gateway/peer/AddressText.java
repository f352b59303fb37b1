package io.margay.gateway.peer;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Writes IP addresses as text, and remembers the last one. Confined to its connection's loop.
final class AddressText {
    private static final String NO_IP = "127.0.0.1";

    private @Nullable InetAddress last;
    private String text = NO_IP;

    /// The address without its port and scope; that of the loopback for a socket that has none.
    String of(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return NO_IP;
        }
        InetAddress ip = inet.getAddress();
        if (ip == null) {
            return inet.getHostString();
        }
        if (!ip.equals(last)) {
            String literal = ip.getHostAddress();
            int scope = literal.indexOf('%');
            text = scope < 0 ? literal : literal.substring(0, scope);
            last = ip;
        }
        return text;
    }
}
