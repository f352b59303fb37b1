package io.margay.gateway.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// The vectors that come with the definition of SipHash-2-4: key 00 01 … 0f, input 00 01 ….
final class KeyedHashTest {
    private final KeyedHash hash = new KeyedHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

    private static byte[] input(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    @Test
    void vectors_ofTheDefinition_agree() {
        assertEquals(0x726fdb47dd0e0e31L, hash.of(input(0)));
        assertEquals(0x93f5f5799a932462L, hash.of(input(8)));
        assertEquals(0xa129ca6149be45e5L, hash.of(input(15)));
    }
}
