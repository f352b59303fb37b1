package io.margay.gateway.rules.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.margay.gateway.rules.ClientAddress;
import io.margay.protocol.http.Fields;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Who is found by what front ends tell.
final class ClientAddressesTest {
    private static final InetSocketAddress FRONT =
            new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 4711);

    @Test
    void address_ofTheLastHopAlone_isBelievedWhereNoMoreAreToBe() {
        Fields.Builder fields = new Fields.Builder();
        String field = "X-Forwarded-For";
        fields.add(field, "192.0.2.1, 10.0.0.1");
        ClientAddress one =
                new ClientAddress(field, List.of(), List.of("10.0.0.0/8"), null, 1, true);
        ClientAddress all =
                new ClientAddress(field, List.of(), List.of("10.0.0.0/8"), null, 0, true);
        assertEquals(
                "10.0.0.1",
                ClientAddresses.of(one).of(fields.build(), FRONT).getAddress().getHostAddress());
        assertEquals(
                "192.0.2.1",
                ClientAddresses.of(all).of(fields.build(), FRONT).getAddress().getHostAddress());
    }

    private static String client(String told) {
        Fields.Builder fields = new Fields.Builder();
        fields.add("X-Forwarded-For", told);
        return ClientAddresses.of(
                        new ClientAddress("X-Forwarded-For", List.of(), List.of("10.0.0.1"), null))
                .of(fields.build(), FRONT)
                .getAddress()
                .getHostAddress();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | 192.0.2.1",
                "9.9.9.9, 192.0.2.1 | 192.0.2.1",
                "2001:db8::1 | 2001:db8:0:0:0:0:0:1",
                "2001:0db8:0000:0000:0000:ffff:203.100.113.109 | 2001:db8:0:0:0:ffff:cb64:716d",
                "192.0.2.1:80 | 10.0.0.1",
                "[2001:db8::1] | 10.0.0.1",
                "192.0.2.256 | 10.0.0.1",
                "192.0.2 | 10.0.0.1",
                "2001:db8::1%1 | 10.0.0.1",
                "unknown | 10.0.0.1",
            })
    void address_isALiteralWithoutAPort_orNone(String told, String expected) {
        assertEquals(expected, client(told));
    }

    @Test
    void longText_inPlaceOfAnAddress_costsNothing() {
        String colons = ":".repeat(200_000) + "x";
        assertTimeoutPreemptively(
                Duration.ofSeconds(5), () -> assertEquals("10.0.0.1", client(colons)));
    }
}
