package io.margay.compat.httpd.expression;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.StringJoiner;

/// Addresses and networks as httpd writes them, as expressions over addresses in the form of
/// [InetAddress#getHostAddress]. Stateless.
final class AddressPattern {
    private static final int V6_GROUPS = 8;
    private static final int V6_BITS = 16;

    private AddressPattern() {}

    /// `10.1.2.3`, `10.1`, `10.1.0.0/20`, `10.1.0.0/255.255.0.0`, `::1`, `2001:db8::/32`,
    /// `localhost`; empty for what is not one of these.
    static Optional<String> regex(String text) {
        if (text.equalsIgnoreCase("localhost")) {
            return Optional.of("^127\\.|^0:0:0:0:0:0:0:1$");
        }
        return text.indexOf(':') >= 0 ? v6(text) : v4(text);
    }

    private static Optional<String> v4(String text) {
        int slash = text.indexOf('/');
        String[] parts = (slash < 0 ? text : text.substring(0, slash)).split("\\.");
        int bits = slash < 0 ? parts.length * 8 : bits(text.substring(slash + 1));
        if (bits < 0 || bits > 32 || parts.length > 4 || (bits + 7) / 8 > parts.length) {
            return Optional.empty();
        }
        StringBuilder regex = new StringBuilder("^");
        for (int i = 0; i < (bits + 7) / 8; i++) {
            if (!parts[i].matches("[0-9]{1,3}") || Integer.parseInt(parts[i]) > 255) {
                return Optional.empty();
            }
            regex.append(range(Integer.parseInt(parts[i]), Math.min(8, bits - i * 8)));
            regex.append(i == 3 ? "$" : "\\.");
        }
        return Optional.of(regex.toString());
    }

    /// A number of which only the first bits count.
    private static String range(int number, int bits) {
        if (bits == 8) {
            return Integer.toString(number);
        }
        int first = number & (0xff << (8 - bits));
        StringJoiner numbers = new StringJoiner("|", "(?:", ")");
        for (int i = first; i < first + (1 << (8 - bits)); i++) {
            numbers.add(Integer.toString(i));
        }
        return numbers.toString();
    }

    /// `20` or `255.255.240.0`; -1 for what is neither.
    private static int bits(String mask) {
        if (mask.matches("[0-9]{1,2}")) {
            return Integer.parseInt(mask);
        }
        if (!mask.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
            return -1;
        }
        long value = 0;
        for (String part : mask.split("\\.")) {
            value = (value << 8) | (Integer.parseInt(part) & 0xff);
        }
        int ones = Long.bitCount(value);
        return value == ((0xffffffffL << (32 - ones)) & 0xffffffffL) ? ones : -1;
    }

    /// Networks of whole groups, of 16 bits each.
    private static Optional<String> v6(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        String mask = slash < 0 ? "128" : text.substring(slash + 1);
        if (!address.matches("[0-9A-Fa-f:.]+") || !mask.matches("[0-9]{1,3}")) {
            return Optional.empty();
        }
        int bits = Integer.parseInt(mask);
        if (bits > V6_GROUPS * V6_BITS || bits % V6_BITS != 0) {
            return Optional.empty();
        }
        try {
            String[] groups = InetAddress.getByName(address).getHostAddress().split(":");
            if (groups.length != V6_GROUPS) {
                return Optional.empty();
            }
            int count = bits / V6_BITS;
            StringBuilder regex = new StringBuilder("^");
            for (int i = 0; i < count; i++) {
                regex.append(groups[i]).append(i == V6_GROUPS - 1 ? "$" : ":");
            }
            return Optional.of(regex.toString());
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
