package io.margay.server.forwarded;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A value for each of many networks: the smallest one that an address is in counts. It is found by
/// one look into a table for each length of prefix that there is, the longest first, however many
/// networks there are. Immutable.
public final class NetworkValues {
    private static final int OCTET_BITS = 8;

    /// Networks of one length.
    ///
    /// @param octets of an address: 4 or 16
    private record Length(int octets, int bits, Map<Prefix, String> values) {}

    /// The first bits of an address, the others 0.
    private record Prefix(long high, long low) {
        static Prefix of(byte[] address, int bits) {
            long[] words = new long[2];
            for (int i = 0; i < address.length; i++) {
                int left = Math.clamp(bits - (long) OCTET_BITS * i, 0, OCTET_BITS);
                int mask = (0xff00 >> left) & 0xff;
                int shift = OCTET_BITS * (Long.BYTES - 1 - i % Long.BYTES);
                words[i / Long.BYTES] |= (long) (address[i] & mask) << shift;
            }
            return new Prefix(words[0], words[1]);
        }
    }

    private final List<Length> lengths;

    /// @param values by networks and addresses; of those that are equal the last counts
    /// @throws IllegalArgumentException for what is neither
    public NetworkValues(Map<String, String> values) {
        Map<List<Integer>, Length> made = new HashMap<>();
        values.forEach((text, value) -> {
            int slash = text.indexOf('/');
            byte[] address =
                    InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash)).getAddress();
            int bits =
                    slash < 0
                            ? OCTET_BITS * address.length
                            : Integer.parseInt(text.substring(slash + 1));
            Length length =
                    made.computeIfAbsent(
                            List.of(address.length, bits),
                            _ -> new Length(address.length, bits, new HashMap<>()));
            length.values.put(Prefix.of(address, bits), value);
        });
        List<Length> all = new ArrayList<>(made.values());
        all.sort(Comparator.comparingInt(Length::bits).reversed());
        lengths = List.copyOf(all);
    }

    /// The value of the smallest network; null = it is in none.
    public @Nullable String get(InetAddress address) {
        byte[] octets = address.getAddress();
        for (Length length : lengths) {
            if (length.octets == octets.length) {
                String value = length.values.get(Prefix.of(octets, length.bits));
                if (value != null) {
                    return value;
                }
            }
        }
        return null;
    }
}
