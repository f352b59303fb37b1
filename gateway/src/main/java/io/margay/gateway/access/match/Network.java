package io.margay.gateway.access.match;

import java.net.InetAddress;
import java.util.Optional;

/// Addresses that begin with the same bits. Immutable.
///
/// @param text as it is written
public record Network(String text, InetAddress address, int bits) {
    private static final int V4_PARTS = 4;

    /// Reads `10.1.2.3`, `10.1`, `10.1.0.0/20`, `10.1.0.0/255.255.240.0`, `::1`, `2001:db8::/32`;
    /// empty for what is none of these.
    public static Optional<Network> parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        String mask = slash < 0 ? "" : text.substring(slash + 1);
        boolean six = address.indexOf(':') >= 0;
        if (!address.matches(six ? "[0-9A-Fa-f:.]+" : "[0-9]{1,3}(\\.[0-9]{1,3}){0,3}\\.?")) {
            return Optional.empty();
        }
        String whole = six ? address : address.replaceFirst("\\.$", "");
        int parts = six ? V4_PARTS : whole.split("\\.").length;
        int most = six ? 128 : 32;
        int bits = slash < 0 ? (six ? most : parts * 8) : bits(mask, six);
        if (bits < 0 || bits > most || (slash >= 0 && parts < V4_PARTS && bits > parts * 8)) {
            return Optional.empty();
        }
        try {
            InetAddress found = InetAddress.ofLiteral(whole + ".0".repeat(V4_PARTS - parts));
            return found.getAddress().length * 8 == most
                    ? Optional.of(new Network(text, found, bits))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// `20` or `255.255.240.0`; -1 for what is neither.
    private static int bits(String mask, boolean six) {
        if (mask.matches("[0-9]{1,3}")) {
            return Integer.parseInt(mask);
        }
        if (six || !mask.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
            return -1;
        }
        long value = 0;
        for (String part : mask.split("\\.")) {
            value = (value << 8) | (Integer.parseInt(part) & 0xff);
        }
        int ones = Long.bitCount(value);
        return value == ((0xffffffffL << (32 - ones)) & 0xffffffffL) ? ones : -1;
    }

    /// Whether an address is one of them.
    public boolean contains(InetAddress candidate) {
        byte[] own = address.getAddress();
        byte[] other = candidate.getAddress();
        if (own.length != other.length) {
            return false;
        }
        for (int i = 0; i < bits; i++) {
            int bit = 0x80 >> (i & 7);
            if ((other[i >> 3] & bit) != (own[i >> 3] & bit)) {
                return false;
            }
        }
        return true;
    }
}
