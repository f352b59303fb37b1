package io.margay.compat.tomcat.client;

import java.net.InetAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A block of IP addresses in CIDR notation (RFC 4632, RFC 4291 §2.3), or a single address. Nothing
/// is ever looked up. Immutable.
final class AddressBlock {
    private static final Pattern IPV4 =
            Pattern.compile("(?:(?:0|[1-9][0-9]{0,2})\\.){3}(?:0|[1-9][0-9]{0,2})");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern PREFIX = Pattern.compile("0|[1-9][0-9]{0,2}");

    private final byte[] base;
    private final int bits;

    private AddressBlock(byte[] base, int bits) {
        this.base = base;
        this.bits = bits;
    }

    /// Bits behind the prefix may be set and have no meaning, as in `192.168.0.10/31`.
    ///
    /// @throws IllegalArgumentException with a text safe to show
    static AddressBlock parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        byte[] base = literal(address);
        if (base == null) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither an IP address nor a block such as 10.0.0.0/8");
        }
        if (base.length == 4 && address.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is an IPv4 address in IPv6 form; write it as IPv4");
        }
        int whole = base.length * Byte.SIZE;
        if (slash < 0) {
            return new AddressBlock(base, whole);
        }
        String prefix = text.substring(slash + 1);
        int bits = PREFIX.matcher(prefix).matches() ? Integer.parseInt(prefix) : whole + 1;
        if (bits > whole) {
            throw new IllegalArgumentException(
                    "'" + text + "': the number after / must be from 0 to " + whole);
        }
        return new AddressBlock(base, bits);
    }

    /// The bytes of an address as [#literal(String)] gives them.
    boolean contains(byte[] address) {
        if (address.length != base.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (address[i] != base[i]) {
                return false;
            }
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || ((address[whole] ^ base[whole]) & 0xff) >> (Byte.SIZE - rest) == 0;
    }

    /// The 4 or 16 bytes of an address in its usual form; an IPv4 address in IPv6 form
    /// (`::ffff:192.0.2.1`) gives 4. Null when it is none; a host name is none.
    static byte @Nullable [] literal(String text) {
        boolean four = IPV4.matcher(text).matches();
        if (!four && !IPV6.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.ofLiteral(text).getAddress();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
