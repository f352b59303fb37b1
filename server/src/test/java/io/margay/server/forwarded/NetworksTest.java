package io.margay.server.forwarded;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which addresses are in networks.
final class NetworksTest {
    private static InetSocketAddress at(String address) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), 1);
    }

    @Test
    void networks_containAddressesByTheirPrefix() {
        Networks trusted = Networks.of(List.of("10.1.0.0/15", "fd00::/8", "1.2.3.4"));
        for (String inside : List.of("10.1.2.3", "10.0.0.1", "fd12::1", "1.2.3.4")) {
            assertTrue(trusted.includes(at(inside)), inside);
        }
        for (String outside : List.of("10.2.0.0", "11.0.0.1", "fe00::1", "1.2.3.5", "::1")) {
            assertFalse(trusted.includes(at(outside)), outside);
            assertFalse(Networks.NONE.includes(at(outside)), outside);
        }
        assertThrows(IllegalArgumentException.class, () -> Networks.of(List.of("10.0.0.0/33")));
        assertThrows(IllegalArgumentException.class, () -> Networks.of(List.of("here")));
    }
}
