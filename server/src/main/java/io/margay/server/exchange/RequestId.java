package io.margay.server.exchange;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// What is said of one request in logs, and to members: the text of `X-Request-Id`. Stateless.
public final class RequestId {
    /// The field that carries it.
    public static final String FIELD = "X-Request-Id";

    /// Characters of an identifier at most: what others make has 20 to 64.
    private static final int CHARS_MAX = 128;

    /// Characters of a path that a line of the log shows.
    private static final int PATH_CHARS_MAX = 256;

    private RequestId() {}

    /// Whether a text may be one: visible ASCII without what quotes or separates.
    public static boolean isValid(@Nullable String text) {
        if (text == null || text.isEmpty() || text.length() > CHARS_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean allowed =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || "-_.~+/=:@".indexOf(c) >= 0;
            if (!allowed) {
                return false;
            }
        }
        return true;
    }

    /// Which request it was, for a line of the server's log: method, path without query, client,
    /// identifier.
    public static String describe(ExchangeRequest exchange) {
        String path = exchange.request().target().rawPath();
        String shown =
                path.length() <= PATH_CHARS_MAX ? path : path.substring(0, PATH_CHARS_MAX) + "...";
        return exchange.request().method()
                + " "
                + shown
                + " from "
                + address(exchange.remote())
                + ", request "
                + exchange.requestId();
    }

    private static String address(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : address.toString();
    }
}
