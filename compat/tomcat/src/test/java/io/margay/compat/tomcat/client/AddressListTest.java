package io.margay.compat.tomcat.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressListTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.0.0.0/8, 9.255.255.255, false",
        "192.168.0.10/31, 192.168.0.11, true",
        "192.168.0.10/31, 192.168.0.12, false",
        "192.168.0.11/31, 192.168.0.10, true",
        "172.16.0.0/12, 172.31.255.255, true",
        "172.16.0.0/12, 172.32.0.0, false",
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "192.0.2.1/32, 192.0.2.1, true",
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, ::1, false",
        "::/0, 192.0.2.1, false",
        "::/0, 2001:db8::1, true",
        "::1, 0:0:0:0:0:0:0:1, true",
        "::1/128, ::1, true",
        "::1/128, ::2, false",
        "fe80::/10, febf:ffff::1, true",
        "fe80::/10, fec0::1, false",
        "fe80::/10, fe80::1%eth0, true",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "192.0.2.0/24, ::ffff:192.0.2.9, true",
        "192.0.2.0/24, localhost, false",
        "192.0.2.0/24, 192.0.2, false",
        "192.0.2.0/24, 192.0.2.09, false",
        "192.0.2.0/24, '', false"
    })
    void address_inAndBesideBlocks_isContainedOrNot(String block, String address, boolean within) {
        assertEquals(within, AddressList.parse(block).contains(address));
    }

    @Test
    void list_withBlanks_holdsEachBlock() {
        AddressList list = AddressList.parse("127.0.0.0/8 , ::1,\n192.68.0.0/24");
        assertTrue(list.contains("127.9.9.9"));
        assertTrue(list.contains("::1"));
        assertTrue(list.contains("192.68.0.255"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0/33",
                "::/129",
                "10.0.0.0/-1",
                "10.0.0.0/+8",
                "10.0.0.0/08",
                "10.0.0.0/",
                "10.0.0.0/8/8",
                "10.0.0.0/255.0.0.0",
                "10.",
                "10.0.0.256",
                "010.0.0.1",
                "1.2.3",
                "16909060",
                "::ffff:10.0.0.0/104",
                "fe80::1%eth0",
                "[::1]",
                "localhost",
                "10.0.0.0/8,",
                "10.0.0.0/8,,::1",
                "1:2:3:4:5:6:7:8:9"
            })
    void block_malformed_isRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> AddressList.parse(text));
    }

    @Test
    void spellings_ofAddresses_areFullAndShort() {
        assertEquals(List.of("0:0:0:0:0:0:0:1", "::1"), AddressSpellings.of("::1"));
        assertEquals(List.of("0:0:0:0:0:0:0:1", "::1"), AddressSpellings.of("0:0:0:0:0:0:0:1"));
        assertEquals(
                List.of("2001:db8:0:0:1:0:0:0", "2001:db8:0:0:1::"),
                AddressSpellings.of("2001:db8:0:0:1:0:0:0"));
        assertEquals(List.of("0:0:0:0:0:0:0:0", "::"), AddressSpellings.of("::"));
        assertEquals(List.of("192.0.2.1"), AddressSpellings.of("192.0.2.1"));
        assertEquals(List.of(), AddressSpellings.of("host.example"));
    }
}
