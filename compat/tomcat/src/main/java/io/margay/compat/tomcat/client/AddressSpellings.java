package io.margay.compat.tomcat.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The ways to write one IP address, so that an expression for `::1` and one for `0:0:0:0:0:0:0:1`
/// both mean the same client. Stateless.
final class AddressSpellings {
    private static final int GROUPS = 8;

    private AddressSpellings() {}

    /// As given, in full, and in short (RFC 5952); empty when it is not an address.
    static List<String> of(@Nullable String address) {
        byte[] bytes =
                address == null ? null : AddressBlock.literal(AddressList.withoutZone(address));
        if (address == null || bytes == null) {
            return List.of();
        }
        TreeSet<String> spellings = new TreeSet<>();
        spellings.add(address);
        spellings.add(full(bytes));
        if (bytes.length == 2 * GROUPS) {
            spellings.add(compressed(bytes));
        }
        return List.copyOf(spellings);
    }

    private static String full(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    /// The longest run of two or more zero groups becomes `::`.
    private static String compressed(byte[] bytes) {
        int bestStart = -1;
        int bestLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            int length = 0;
            while (i + length < GROUPS && group(bytes, i + length) == 0) {
                length++;
            }
            if (length > bestLength) {
                bestStart = i;
                bestLength = length;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == bestStart) {
                text.append("::");
                i += bestLength - 1;
            } else {
                if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                    text.append(':');
                }
                text.append(Integer.toHexString(group(bytes, i)));
            }
        }
        return text.toString();
    }

    private static int group(byte[] bytes, int index) {
        return ((bytes[2 * index] & 0xff) << Byte.SIZE) | (bytes[2 * index + 1] & 0xff);
    }
}
