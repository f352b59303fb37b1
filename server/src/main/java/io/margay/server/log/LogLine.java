package io.margay.server.log;

import io.margay.server.exchange.Exchange;
import io.margay.server.forwarded.NodeAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// One line of the access log while it is written. Confined to one thread.
///
/// What a client may have written is escaped, so that one event stays one line and no terminal
/// obeys it (CVE-2009-4487): control characters, DEL, and everything beyond ASCII become `\xHH`,
/// and quotes and backslashes get a backslash. Long values are cut ([LogText]).
final class LogLine {
    private static final LogText PLAIN = LogText.plain();

    final Exchange exchange;

    /// Wall clock at the request's start, milliseconds since 1970.
    final long startMillis;

    /// From the complete head to the end of the response.
    final long tookNanos;

    /// Characters of one value at most, as it is written.
    final int valueMax;

    final StringBuilder text = new StringBuilder(192);

    LogLine(Exchange exchange, int valueMax, long endMillis, long tookNanos) {
        this.exchange = exchange;
        this.valueMax = valueMax;
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
        PLAIN.append(text, value, valueMax);
        return this;
    }

    LogLine number(long value) {
        text.append(value);
        return this;
    }

    /// Appends a fraction with leading zeros.
    LogLine fraction(long value, int digits) {
        String shown = Long.toString(value);
        text.repeat('0', digits - shown.length()).append(shown);
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
                    : NodeAddress.text(inet.getAddress());
        }
        return address.toString();
    }

    /// The same with all groups of an IPv6 address, as Tomcat writes it.
    static String groups(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : address(address);
    }

    static int port(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }
}
