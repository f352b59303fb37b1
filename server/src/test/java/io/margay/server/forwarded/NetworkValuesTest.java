package io.margay.server.forwarded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The smallest network counts, as when all are looked at one after the other.
final class NetworkValuesTest {
    @Test
    void smallestNetwork_counts() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("0.0.0.0/0", "any");
        values.put("10.0.0.0/8", "ten");
        values.put("10.1.2.3/32", "one");
        values.put("10.1.2.3", "self");
        values.put("10.1.0.0/16", "inner");
        values.put("10.1.9.9/16", "again");
        values.put("2001:db8::/32", "docs");
        NetworkValues of = new NetworkValues(values);
        assertEquals("self", of.get(InetAddress.ofLiteral("10.1.2.3")));
        assertEquals("again", of.get(InetAddress.ofLiteral("10.1.2.4")));
        assertEquals("ten", of.get(InetAddress.ofLiteral("10.255.0.1")));
        assertEquals("any", of.get(InetAddress.ofLiteral("255.255.255.255")));
        assertEquals("docs", of.get(InetAddress.ofLiteral("2001:db8::1")));
        assertNull(of.get(InetAddress.ofLiteral("2001:db9::1")));
        assertThrows(
                IllegalArgumentException.class, () -> new NetworkValues(Map.of("10.0.0.x/8", "")));
    }

    @Test
    void networksAtRandom_areFoundAsOneAfterTheOther() throws UnknownHostException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < 300; i++) {
            InetAddress address = address(random);
            int bits = random.nextInt(address.getAddress().length * 8 + 1);
            values.put(address.getHostAddress() + "/" + bits, "v" + i);
        }
        NetworkValues of = new NetworkValues(values);
        for (int i = 0; i < 5_000; i++) {
            InetAddress address = address(random);
            assertEquals(linear(values, address), of.get(address), () -> address + " " + seed);
        }
    }

    /// Few octets differ, so that networks are in one another.
    private static InetAddress address(Random random) throws UnknownHostException {
        byte[] octets = new byte[random.nextBoolean() ? 4 : 16];
        for (int i = 0; i < octets.length; i++) {
            octets[i] = (byte) (random.nextInt(4) == 0 ? 255 : random.nextInt(2));
        }
        return InetAddress.getByAddress(octets);
    }

    private static String linear(Map<String, String> values, InetAddress address) {
        String found = null;
        int longest = -1;
        for (Map.Entry<String, String> one : values.entrySet()) {
            String text = one.getKey();
            int bits = Integer.parseInt(text.substring(text.indexOf('/') + 1));
            if (bits >= longest && Networks.of(List.of(text)).includes(address)) {
                longest = bits;
                found = one.getValue();
            }
        }
        return found;
    }
}
