package io.margay.protocol.quic.packet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.QuicVersion;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class PacketHeaderTest {
    private static final byte[] TO = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final byte[] FROM = {9, 10, 11};
    private static final byte[] TOKEN = {21, 22};

    private final PacketHeader header = new PacketHeader();

    private PacketType read(byte[] bytes) {
        return header.read(bytes, 0, bytes.length, TO.length, false);
    }

    private static byte[] packet(QuicVersion version, PacketType type, int payload) {
        byte[] bytes = new byte[LongHeader.size(type, TO, FROM, TOKEN) + payload];
        int at = LongHeader.put(bytes, 0, version, type, TO, FROM, TOKEN);
        LongHeader.setLength(bytes, at, payload);
        return bytes;
    }

    @ParameterizedTest
    @EnumSource(QuicVersion.class)
    void longHeaders_ofEachVersion_areReadAsWritten(QuicVersion version) {
        for (var type :
                new PacketType[] {PacketType.INITIAL, PacketType.ZERO_RTT, PacketType.HANDSHAKE}) {
            byte[] bytes = packet(version, type, 30);
            assertEquals(type, read(bytes));
            assertEquals(version, header.version());
            assertTrue(header.isTo(TO));
            assertTrue(header.isFrom(FROM));
            assertArrayEquals(TO, header.id());
            assertArrayEquals(FROM, header.sourceId());
            assertArrayEquals(type == PacketType.INITIAL ? TOKEN : new byte[0], header.token());
            assertEquals(bytes.length - 30, header.numberAt());
            assertEquals(bytes.length, header.end());
        }
    }

    @Test
    void longHeader_cutAnywhere_isMalformed() {
        byte[] bytes = packet(QuicVersion.V1, PacketType.INITIAL, 30);
        for (int cut = 0; cut < bytes.length; cut++) {
            assertEquals(
                    PacketType.MALFORMED,
                    header.read(bytes, 0, cut, TO.length, false),
                    "cut at " + cut);
        }
    }

    @Test
    void packets_ofOneDatagram_areFoundOneAfterTheOther() {
        byte[] first = packet(QuicVersion.V1, PacketType.INITIAL, 25);
        byte[] second = packet(QuicVersion.V1, PacketType.HANDSHAKE, 26);
        byte[] datagram = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, datagram, first.length, second.length);
        assertEquals(PacketType.INITIAL, read(datagram));
        assertEquals(first.length, header.end());
        assertEquals(
                PacketType.HANDSHAKE,
                header.read(datagram, header.end(), datagram.length, TO.length, false));
        assertEquals(datagram.length, header.end());
    }

    @Test
    void shortHeader_hasIdsOfTheLengthIssued_andTakesTheRest() {
        byte[] bytes = new byte[40];
        int at = LongHeader.putShort(bytes, 0, TO, false, true);
        assertEquals(PacketType.ONE_RTT, read(bytes));
        assertEquals(at, header.numberAt());
        assertEquals(40, header.end());
        assertTrue(header.isTo(TO));
        assertEquals(0x44, bytes[0]);
        assertEquals(PacketType.MALFORMED, header.read(bytes, 0, 9, TO.length, false));
    }

    @Test
    void fixedBit_ofZero_isTakenOnlyWhenAgreed() {
        byte[] bytes = packet(QuicVersion.V1, PacketType.HANDSHAKE, 30);
        bytes[0] &= ~0x40;
        assertEquals(PacketType.MALFORMED, read(bytes));
        assertEquals(PacketType.HANDSHAKE, header.read(bytes, 0, bytes.length, TO.length, true));
        byte[] shortOne = new byte[40];
        assertEquals(PacketType.MALFORMED, read(shortOne));
        assertEquals(PacketType.ONE_RTT, header.read(shortOne, 0, 40, TO.length, true));
    }

    @Test
    void connectionId_longerThanTheVersionAllows_isMalformed() {
        byte[] bytes = new byte[60];
        bytes[0] = (byte) 0xc0;
        bytes[4] = 1;
        bytes[5] = 21;
        bytes[28] = 0x40;
        bytes[29] = 25;
        assertEquals(PacketType.MALFORMED, read(bytes));
    }

    @Test
    void unknownVersion_withLongIds_tellsThem() {
        byte[] bytes = new byte[300];
        bytes[0] = (byte) 0x80;
        bytes[1] = 0x3a;
        bytes[5] = (byte) 200;
        bytes[206] = 30;
        assertEquals(PacketType.UNKNOWN_VERSION, read(bytes));
        assertEquals(200, header.id().length);
        assertEquals(30, header.sourceId().length);
    }

    @Test
    void versionNegotiation_offersWhatIsSpoken() {
        byte[] bytes = LongHeader.versionNegotiation(FROM, TO, (byte) 0x55, 0);
        assertEquals(PacketType.VERSION_NEGOTIATION, read(bytes));
        assertTrue(header.isTo(FROM));
        assertTrue(header.isFrom(TO));
        assertTrue(header.offers(QuicVersion.V1));
        assertTrue(header.offers(QuicVersion.V2));
        byte[] others = Arrays.copyOf(bytes, bytes.length - 8);
        assertEquals(PacketType.VERSION_NEGOTIATION, read(others));
        assertFalse(header.offers(QuicVersion.V1));
        assertEquals(PacketType.MALFORMED, read(Arrays.copyOf(bytes, bytes.length - 1)));
        assertEquals(PacketType.MALFORMED, read(Arrays.copyOf(bytes, bytes.length - 12)));
    }

    @ParameterizedTest
    @EnumSource(QuicVersion.class)
    void retry_isGenuineForItsOriginalIdOnly(QuicVersion version) {
        byte[] packet = RetryPacket.make(version, FROM, TO, new byte[] {7, 7}, TOKEN);
        assertEquals(PacketType.RETRY, header.read(packet, 0, packet.length, 3, false));
        assertArrayEquals(TOKEN, header.token());
        assertTrue(RetryPacket.isGenuine(version, new byte[] {7, 7}, packet, 0, packet.length));
        assertFalse(RetryPacket.isGenuine(version, new byte[] {7, 8}, packet, 0, packet.length));
        for (int i = 0; i < packet.length; i++) {
            packet[i] ^= 1;
            assertFalse(
                    RetryPacket.isGenuine(version, new byte[] {7, 7}, packet, 0, packet.length));
            packet[i] ^= 1;
        }
    }

    @Test
    void retry_withoutToken_isMalformed() {
        byte[] packet = RetryPacket.make(QuicVersion.V1, FROM, TO, TO, new byte[0]);
        assertEquals(PacketType.MALFORMED, read(packet));
    }

    /// The examples of RFC 9000 Appendix A.2 and A.3.
    @ParameterizedTest
    @CsvSource({"0xac5c02, 0xabe8b3, 2", "0xace8fe, 0xabe8b3, 3", "0, -1, 1", "127, -1, 2"})
    void packetNumber_takesAsFewOctetsAsTellItApart(String number, String acked, int size) {
        assertEquals(size, PacketNumbers.size(Long.decode(number), Long.decode(acked)));
    }

    @Test
    void packetNumber_isRestoredFromItsLowOctets() {
        assertEquals(0xa82f9b32L, PacketNumbers.restore(0x9b32, 2, 0xa82f30eaL));
        assertEquals(0, PacketNumbers.restore(0, 1, -1));
        assertThrows(IllegalStateException.class, () -> PacketNumbers.size(1L << 31, -1));
        // Whatever the peer has of those in flight, it restores the number.
        for (long acked = -1; acked < 70_000; acked += 311) {
            for (long number = acked + 1; number < acked + 40_000; number += 997) {
                int size = PacketNumbers.size(number, acked);
                byte[] wire = new byte[size];
                PacketNumbers.put(wire, 0, number, size);
                long low = Long.parseLong(HexFormat.of().formatHex(wire), 16);
                assertEquals(number, PacketNumbers.restore(low, size, acked));
                assertEquals(number, PacketNumbers.restore(low, size, number - 1));
                assertEquals(number, PacketNumbers.restore(low, size, number + 20));
            }
        }
    }
}
