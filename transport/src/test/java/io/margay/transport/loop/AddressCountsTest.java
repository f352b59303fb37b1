package io.margay.transport.loop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.AddressLimit;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;

final class AddressCountsTest {
    private final SocketAddress front = at("10.0.0.1");
    private final AddressCounts counts =
            new AddressCounts(new AddressLimit(2, front::equals), false);

    private static SocketAddress at(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 1);
    }

    @Test
    void address_withAsManyAsItMay_isRefused_untilOneIsClosed() {
        assertTrue(counts.enter(at("192.0.2.1")));
        assertTrue(counts.enter(at("192.0.2.1")));
        assertFalse(counts.enter(at("192.0.2.1")));
        assertFalse(counts.enter(at("192.0.2.1")), "a refused one does not count");
        assertTrue(counts.enter(at("192.0.2.2")));
        counts.leave(at("192.0.2.1"), null);
        assertTrue(counts.enter(at("192.0.2.1")));
        assertFalse(counts.enter(at("192.0.2.1")));
    }

    @Test
    void addresses_ofOneNetworkOf64Bits_areOneClient() {
        assertTrue(counts.enter(at("2001:db8::1")));
        assertTrue(counts.enter(at("2001:db8:0:0:ffff::2")));
        assertFalse(counts.enter(at("2001:db8::3")));
        assertTrue(counts.enter(at("2001:db8:0:1::1")));
    }

    @Test
    void exempted_andSocketsWithoutAddress_haveNoLimit() {
        for (int i = 0; i < 5; i++) {
            assertTrue(counts.enter(front));
            assertTrue(counts.enter(UnixDomainSocketAddress.of("/run/x")));
        }
        for (int i = 0; i < 5; i++) {
            counts.leave(front, null);
        }
    }
}
