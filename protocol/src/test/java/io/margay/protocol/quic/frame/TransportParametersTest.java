package io.margay.protocol.quic.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.QuicVersion;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TransportParametersTest {
    private static TransportParameters all() {
        TransportParameters all =
                new TransportParameters()
                        .originalId(new byte[] {1})
                        .initialSourceId(new byte[0])
                        .retrySourceId(new byte[] {2, 3})
                        .resetToken(new byte[16])
                        .disableMigration()
                        .greaseBit()
                        .versions(1, 1, QuicVersion.V2.number());
        for (IntegerParameter parameter : IntegerParameter.values()) {
            all.set(parameter, parameter == IntegerParameter.MAX_UDP_PAYLOAD_SIZE ? 1_200 : 19);
        }
        return all;
    }

    @Test
    void parameters_areReadAsWritten_whateverIsGreased() {
        for (int greased = 0; greased < 64; greased++) {
            TransportParameters read = TransportParameters.read(all().write(greased), false);
            assertNull(read.error());
            for (IntegerParameter parameter : IntegerParameter.values()) {
                assertEquals(all().get(parameter), read.get(parameter));
            }
            assertArrayEquals(new byte[] {1}, read.originalId());
            assertArrayEquals(new byte[0], read.initialSourceId());
            assertArrayEquals(new byte[] {2, 3}, read.retrySourceId());
            assertArrayEquals(new byte[16], read.resetToken());
            assertTrue(read.isMigrationDisabled());
            assertTrue(read.greasesBit());
            assertEquals(1, read.chosenVersion());
            assertArrayEquals(new int[] {1, QuicVersion.V2.number()}, read.versions());
        }
    }

    @Test
    void nothing_meansTheDefaults() {
        TransportParameters read = TransportParameters.read(new byte[0], true);
        assertNull(read.error());
        assertEquals(65_527, read.get(IntegerParameter.MAX_UDP_PAYLOAD_SIZE));
        assertEquals(3, read.get(IntegerParameter.ACK_DELAY_EXPONENT));
        assertEquals(25, read.get(IntegerParameter.MAX_ACK_DELAY));
        assertEquals(2, read.get(IntegerParameter.ACTIVE_CONNECTION_ID_LIMIT));
        assertEquals(0, read.get(IntegerParameter.INITIAL_MAX_DATA));
    }

    @Test
    void parameters_cutAnywhere_saySoOrEndBetweenTwo() {
        byte[] octets = all().write(5);
        int between = 0;
        for (int cut = 1; cut < octets.length; cut++) {
            QuicError error = TransportParameters.read(Arrays.copyOf(octets, cut), false).error();
            assertTrue(error == null || error == TransportParameters.MALFORMED);
            between += error == null ? 1 : 0;
        }
        assertEquals(IntegerParameter.values().length + 7, between);
    }

    @ParameterizedTest
    @CsvSource({
        "0f000f00, the same twice",
        "1b001b00, the same twice though nobody knows it",
        "030244af, less than the smallest datagram",
        "0a0115, an exponent above 20",
        "0b0480004000, a delay of 2^14",
        "0e0101, one connection id",
        "0808d000000000000001, more streams than there can be",
        "040204ff, an integer shorter than its value",
        "0400, an integer of no octets",
        "0c0101, a flag with a value",
        "6ab20101, a flag with a value",
        "020100, a reset token of one octet",
        "0f15000000000000000000000000000000000000000000, an id of 21 octets",
        "0d0100, a preferred address of one octet",
        "11020000, a version of two octets",
        "110400000000, the version 0",
        "1108" + "00000001" + "00000000, the version 0 among those that there are",
        "0f05aa, a length beyond the end"
    })
    void parameters_thatBreakTheRules_endTheConnection(String hex, String why) {
        QuicError error = TransportParameters.read(HexFormat.of().parseHex(hex), false).error();
        assertNotNull(error, why);
        assertEquals(QuicError.TRANSPORT_PARAMETER_ERROR, error.code());
    }

    @ParameterizedTest
    @CsvSource({"0000", "020100", "0d0100", "1000"})
    void parametersOfServers_fromAClient_endTheConnection(String hex) {
        assertSame(
                TransportParameters.NOT_OF_CLIENTS,
                TransportParameters.read(HexFormat.of().parseHex(hex), true).error());
    }

    @Test
    void parameters_moreThanAnybodyHas_endTheConnection() {
        byte[] octets = new byte[4 * (TransportParameters.COUNT_MAX + 1)];
        for (int i = 0; i < octets.length / 4; i++) {
            octets[4 * i] = 0x70;
            octets[4 * i + 1] = (byte) i;
            octets[4 * i + 2] = 1;
        }
        byte[] most = Arrays.copyOf(octets, 4 * TransportParameters.COUNT_MAX);
        assertNull(TransportParameters.read(most, true).error());
        assertSame(TransportParameters.MALFORMED, TransportParameters.read(octets, true).error());
    }

    @Test
    void ourOwnParameters_outOfRange_areAMistake() {
        TransportParameters ours = new TransportParameters();
        assertThrows(
                IllegalArgumentException.class,
                () -> ours.set(IntegerParameter.ACK_DELAY_EXPONENT, 21));
    }
}
