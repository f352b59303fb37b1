package io.margay.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OctetsTest {
    @Test
    void skipPrintable_eachOctetAtEachPlace_stopsBeforeControlsOnly() {
        for (int octet = 0; octet < 256; octet++) {
            for (int place = 0; place < 16; place++) {
                byte[] bytes = new byte[16];
                Arrays.fill(bytes, (byte) 'a');
                bytes[place] = (byte) octet;
                boolean control = octet < ' ' || octet == 127;
                int stop = Octets.skipPrintable(bytes, 0, 16);
                assertEquals(control ? place / 8 * 8 : 16, stop, octet + " at " + place);
            }
        }
    }

    @Test
    void skipPrintable_random_neverPassesAControl() {
        long seed = System.nanoTime();
        System.out.println("OctetsTest seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            int from = random.nextInt(bytes.length + 1);
            int stop = Octets.skipPrintable(bytes, from, bytes.length);
            for (int p = from; p < stop; p++) {
                assertTrue(Octets.isFieldValue(bytes[p]), "seed " + seed);
            }
        }
    }

    @Test
    void tables_agreeWithTheGrammar() {
        for (int c = 0; c < 256; c++) {
            byte octet = (byte) c;
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            boolean digit = c >= '0' && c <= '9';
            boolean ascii = c > ' ' && c < 127;
            boolean delimiter = "\"(),/:;<=>?@[\\]{}".indexOf(c) >= 0;
            assertEquals(ascii && !delimiter, Octets.isToken(octet), "token " + c);
            assertEquals(
                    c == '\t' || c >= ' ' && c != 127, Octets.isFieldValue(octet), "value " + c);
            assertEquals(letter || digit || "-._~".indexOf(c) >= 0, Octets.isUnreserved(octet));
            assertEquals(digit, Octets.isDigit(octet));
            assertEquals(Character.digit((char) (c < 128 ? c : 0), 16), Octets.hexValue(c));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0000000000000000000000042, 42",
        "9223372036854775807, 9223372036854775807",
        "9223372036854775808, -1",
        "18446744073709551617, -1",
        "'', -1",
        "+5, -1",
        "-5, -1",
        "' 5', -1",
        "'5 ', -1",
        "0x5, -1",
        "'5,5', -1",
        "٥, -1",
    })
    void decimal_ofDigitsAlone_isTheirNumber(String text, long expected) {
        byte[] bytes = ("7" + text + "7").getBytes(StandardCharsets.UTF_8);
        assertEquals(expected, Octets.decimal(bytes, 1, bytes.length - 1));
    }
}
