package io.margay.gateway.protocol;

import io.margay.gateway.config.ProxyVersion;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.TlsInfo;
import java.io.ByteArrayOutputStream;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What a connection to a peer begins with where that wants to know the client by the PROXY
/// protocol. Stateless.
///
/// ```
/// PROXY TCP4 192.0.2.1 198.51.100.7 56324 443 CRLF
/// signature:12 command:1 family:1 length:2 addresses and ports:12 or 36 (type:1 length:2 value)*
/// ```
public final class ProxyPrefix {
    private static final byte[] SIGNATURE = {
        0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a
    };
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;
    private static final int TLS = 0x20;
    private static final int TLS_VERSION = 0x21;
    private static final int TLS_CIPHER = 0x23;
    private static final int CLIENT_SPEAKS_TLS = 1;
    private static final int TEXT_BYTES_MAX = 64;

    private ProxyPrefix() {}

    /// Puts the client of a request, if the peer wants to know it: the one that a trusted front end
    /// names, where there is one.
    public static void put(PeerRequest request, SendBuffer out) {
        ProxyVersion version = request.peer().pool().proxyProtocol();
        if (version != ProxyVersion.NONE) {
            Exchange exchange = request.exchange();
            TlsInfo tls = exchange.secure() ? exchange.clientTls() : null;
            byte[] prefix =
                    of(exchange.remote(), exchange.local(), exchange.secure(), tls, version);
            out.put(prefix, 0, prefix.length);
        }
    }

    /// This server itself, as in its checks.
    public static byte[] own(ProxyVersion version) {
        return switch (version) {
            case NONE -> new byte[0];
            case V1 -> "PROXY UNKNOWN\r\n".getBytes(StandardCharsets.US_ASCII);
            case V2 -> binary(LOCAL, 0, new byte[0]);
        };
    }

    /// @param tls how the client speaks it, where that is known
    static byte[] of(
            SocketAddress client,
            SocketAddress server,
            boolean secure,
            @Nullable TlsInfo tls,
            ProxyVersion version) {
        if (version == ProxyVersion.NONE
                || !(client instanceof InetSocketAddress from)
                || !(server instanceof InetSocketAddress to)
                || from.isUnresolved()
                || to.isUnresolved()) {
            return own(version);
        }
        boolean wide =
                from.getAddress() instanceof Inet6Address
                        || to.getAddress() instanceof Inet6Address;
        return version == ProxyVersion.V1
                ? text(from, to, wide)
                : binary(from, to, wide, secure, tls);
    }

    private static byte[] text(InetSocketAddress from, InetSocketAddress to, boolean wide) {
        String line =
                String.join(
                        " ",
                        "PROXY",
                        wide ? "TCP6" : "TCP4",
                        literal(from.getAddress(), wide),
                        literal(to.getAddress(), wide),
                        String.valueOf(from.getPort()),
                        String.valueOf(to.getPort()));
        return (line + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /// Both addresses are of one family: an IPv4 address is mapped where the other is not one.
    private static String literal(InetAddress address, boolean wide) {
        String text = AddressText.of(new InetSocketAddress(address, 0));
        return wide && address instanceof Inet4Address ? "::ffff:" + text : text;
    }

    private static byte[] binary(
            InetSocketAddress from,
            InetSocketAddress to,
            boolean wide,
            boolean secure,
            @Nullable TlsInfo tls) {
        ByteBuffer addresses = ByteBuffer.allocate(wide ? 36 : 12);
        addresses.put(bytes(from.getAddress(), wide)).put(bytes(to.getAddress(), wide));
        addresses.putShort((short) from.getPort()).putShort((short) to.getPort());
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        rest.writeBytes(addresses.array());
        if (secure) {
            rest.writeBytes(value(TLS, tls(tls)));
        }
        return binary(PROXY, wide ? TCP6 : TCP4, rest.toByteArray());
    }

    private static byte[] bytes(InetAddress address, boolean wide) {
        byte[] own = address.getAddress();
        if (!wide || own.length == 16) {
            return own;
        }
        return ByteBuffer.allocate(16).position(10).putShort((short) 0xffff).put(own).array();
    }

    /// A byte of flags, four that say that no certificate was verified, and what is known.
    private static byte[] tls(@Nullable TlsInfo tls) {
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.writeBytes(new byte[] {CLIENT_SPEAKS_TLS, 0, 0, 0, 1});
        if (tls != null && !tls.protocol().isEmpty()) {
            value.writeBytes(value(TLS_VERSION, ascii(tls.protocol())));
        }
        if (tls != null && !tls.cipherSuite().isEmpty()) {
            value.writeBytes(value(TLS_CIPHER, ascii(tls.cipherSuite())));
        }
        return value.toByteArray();
    }

    private static byte[] ascii(String text) {
        String some = text.substring(0, Math.min(text.length(), TEXT_BYTES_MAX));
        return some.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] value(int type, byte[] value) {
        return ByteBuffer.allocate(3 + value.length)
                .put((byte) type)
                .putShort((short) value.length)
                .put(value)
                .array();
    }

    private static byte[] binary(int command, int family, byte[] rest) {
        return ByteBuffer.allocate(SIGNATURE.length + 4 + rest.length)
                .put(SIGNATURE)
                .put((byte) command)
                .put((byte) family)
                .putShort((short) rest.length)
                .put(rest)
                .array();
    }
}
