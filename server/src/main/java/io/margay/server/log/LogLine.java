package io.margay.server.log;

import io.margay.server.exchange.Exchange;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// One line of the access log while it is written. Confined to one thread.
///
/// What a client may have written is escaped, so that one event stays one line and no terminal
/// obeys it (CVE-2009-4487): control characters, DEL, and everything beyond ASCII become `\xHH`,
/// and quotes and backslashes get a backslash.
final class LogLine {
    private static final String HEX = "0123456789abcdef";

    final Exchange exchange;

    /// Wall clock at the request's start, milliseconds since 1970.
    final long startMillis;

    /// From the complete head to the end of the response.
    final long tookNanos;

    final StringBuilder text = new StringBuilder(192);

    LogLine(Exchange exchange, long endMillis, long tookNanos) {
        this.exchange = exchange;
        this.tookNanos = tookNanos;
        startMillis = endMillis - tookNanos / 1_000_000;
    }

    /// Appends a value that a client may have chosen; `-` for none.
    LogLine value(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            text.append('-');
        } else {
            escape(value);
        }
        return this;
    }

    /// Appends the same, but nothing for none.
    LogLine escape(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c >= 0x20 && c < 0x7f) {
                text.append(c);
            } else if (c > 0xff) {
                text.append("\\u").append(HEX.charAt(c >> 12)).append(HEX.charAt(c >> 8 & 15));
                text.append(HEX.charAt(c >> 4 & 15)).append(HEX.charAt(c & 15));
            } else {
                text.append("\\x").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            }
        }
        return this;
    }

    LogLine number(long value) {
        text.append(value);
        return this;
    }

    LogLine numberOrDash(long value) {
        if (value == 0) {
            text.append('-');
        } else {
            text.append(value);
        }
        return this;
    }

    /// The address without port; the path of a Unix socket as it is.
    static String address(SocketAddress address) {
        if (address instanceof InetSocketAddress inet) {
            return inet.getAddress() == null
                    ? inet.getHostString()
                    : inet.getAddress().getHostAddress();
        }
        return address.toString();
    }

    static int port(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }
}
