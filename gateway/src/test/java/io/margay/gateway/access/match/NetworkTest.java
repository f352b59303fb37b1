package io.margay.gateway.access.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NetworkTest {
    @ParameterizedTest
    @CsvSource({
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:0db8:0:0:0:0:0:1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "2001:db8:0:0:8000::/65, 2001:db8::8000:0:0:1, true",
        "2001:db8:0:0:8000::/65, 2001:db8::7fff:0:0:1, false",
        "2001:0DB8::0001, 2001:db8::1, true",
        "2001:db8::1, 2001:db8::2, false",
        "::1, 0:0:0:0:0:0:0:1, true",
        "::/0, 2001:db8::1, true",
        "::/0, 192.0.2.1, false",
        "0.0.0.0/0, 2001:db8::1, false",
        "fe80::/10, febf::1, true",
        "fe80::/10, fec0::1, false",
        "10.1.0.0/20, 10.1.15.255, true",
        "10.1.0.0/20, 10.1.16.0, false",
        "10.1, 10.1.2.3, true",
        "10.1, 10.2.1.1, false"
    })
    void network_hasTheAddressesThatBeginAlike_cve2026_44249(
            String network, String address, boolean expected) {
        assertEquals(
                expected,
                Network.parse(network).orElseThrow().contains(InetAddress.ofLiteral(address)),
                network + " " + address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "::ffff:10.1.2.3",
                "2001:db8::/129",
                "2001:db8::/ffff::",
                "2001:db8",
                "[2001:db8::1]",
                "10.1.2.3/33",
                "10.1.2.256",
                "a.example",
                "fe80::1%eth0"
            })
    void text_thatIsNoNetwork_isNone(String text) {
        assertTrue(Network.parse(text).isEmpty(), text);
    }
}
