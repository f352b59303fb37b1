package io.margay.protocol.quic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VarIntTest {
    /// The examples of RFC 9000 Appendix A.1, and both ends of each size.
    @ParameterizedTest
    @CsvSource({
        "c2197c5eff14e88c, 151288809941952652",
        "9d7f3e7d, 494878333",
        "7bbd, 15293",
        "25, 37",
        "00, 0",
        "3f, 63",
        "4040, 64",
        "7fff, 16383",
        "80004000, 16384",
        "bfffffff, 1073741823",
        "c000000040000000, 1073741824",
        "ffffffffffffffff, 4611686018427387903"
    })
    void value_isWrittenAndRead(String hex, long value) {
        byte[] wire = HexFormat.of().parseHex(hex);
        assertEquals(value, VarInt.get(wire, 0, wire.length));
        byte[] written = new byte[VarInt.size(value)];
        assertEquals(written.length, VarInt.put(written, 0, value));
        assertArrayEquals(wire, written);
        for (int cut = 0; cut < wire.length; cut++) {
            assertEquals(VarInt.TRUNCATED, VarInt.get(wire, 0, cut), "cut at " + cut);
        }
    }

    @Test
    void value_inMoreOctetsThanItNeeds_isRead() {
        byte[] wire = {0x40, 0x25};
        assertEquals(37, VarInt.get(wire, 0, 2));
        byte[] written = new byte[2];
        VarInt.put(written, 0, 37, 2);
        assertArrayEquals(wire, written);
    }

    @Test
    void value_outOfRange_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> VarInt.size(-1));
        assertThrows(IllegalArgumentException.class, () -> VarInt.size(VarInt.MAX + 1));
        assertThrows(IllegalArgumentException.class, () -> VarInt.put(new byte[8], 0, 1 << 14, 2));
    }
}
