package io.margay.protocol.quic.crypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.packet.PacketHeader;
import io.margay.protocol.quic.packet.PacketType;
import io.margay.protocol.quic.packet.RetryPacket;
import io.margay.testkit.Vectors;
import io.margay.testkit.Vectors.Vector;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The vectors of RFC 9001 Appendix A and RFC 9369 Appendix A.
final class ProtectionVectorsTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final byte[] ID = HEX.parseHex("8394c8f03e515708");

    static List<Vector> vectors() {
        return Vectors.load("/vectors/quic/protection.txt");
    }

    private static byte[] octets(Vector vector, String key) {
        return HEX.parseHex(vector.options().get(key));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void vector_isMadeAndOpened(Vector vector) {
        var version = vector.options().get("version").equals("1") ? QuicVersion.V1 : QuicVersion.V2;
        byte[] packet = octets(vector, "packet");
        PacketHeader header = new PacketHeader();
        PacketType type = header.read(packet, 0, packet.length, 0, false);
        switch (type) {
            case RETRY -> {
                assertTrue(RetryPacket.isGenuine(version, ID, packet, 0, packet.length));
                byte[] made =
                        RetryPacket.make(
                                version, header.id(), header.sourceId(), ID, header.token());
                assertEquals(HEX.formatHex(packet), HEX.formatHex(made));
            }
            case INITIAL -> initial(vector, version, packet, header);
            case ONE_RTT -> oneRtt(vector, version, packet, header);
            default -> throw new AssertionError(type);
        }
    }

    private static void initial(
            Vector vector, QuicVersion version, byte[] packet, PacketHeader header) {
        boolean server = vector.options().get("server").equals("true");
        byte[] secret = Secrets.initial(version, ID, server);
        assertEquals(vector.options().get("secret"), HEX.formatHex(secret));
        CipherSuite suite = CipherSuite.AES_128_GCM_SHA256;
        for (String name : List.of("key", "iv", "hp")) {
            String expected = vector.options().get(name);
            byte[] made = Secrets.expand(suite, secret, version.label(name), expected.length() / 2);
            assertEquals(expected, HEX.formatHex(made));
        }
        byte[] payload = octets(vector, "payload");
        byte[] padded = server ? payload : Arrays.copyOf(payload, 1162);
        long number = Long.parseLong(vector.options().get("number"));

        KeyPair sealing = KeyPair.initial(version, ID, server);
        byte[] plain = octets(vector, "header");
        int numberBytes = plain.length - header.numberAt();
        byte[] made = Arrays.copyOf(plain, plain.length + padded.length + PacketKey.TAG_BYTES);
        System.arraycopy(padded, 0, made, plain.length, padded.length);
        int to = plain.length + padded.length;
        assertEquals(
                made.length, sealing.seal(made, 0, header.numberAt(), numberBytes, to, number));
        assertEquals(HEX.formatHex(packet), HEX.formatHex(made));

        KeyPair opening = KeyPair.initial(version, ID, server);
        byte[] target = new byte[packet.length];
        int opened = opening.open(packet, 0, header.numberAt(), header.end(), -1, target);
        assertEquals(HEX.formatHex(padded), HEX.formatHex(target, 0, opened));
        assertEquals(number, opening.number());
        assertEquals(HEX.formatHex(plain), HEX.formatHex(packet, 0, plain.length));
    }

    private static void oneRtt(
            Vector vector, QuicVersion version, byte[] packet, PacketHeader header) {
        CipherSuite suite = CipherSuite.CHACHA20_POLY1305_SHA256;
        byte[] secret = octets(vector, "secret");
        assertEquals(
                vector.options().get("next"), HEX.formatHex(Secrets.next(version, suite, secret)));
        long number = Long.parseLong(vector.options().get("number"));
        KeyPhases keys = new KeyPhases(version, suite, secret, secret);

        byte[] plain = octets(vector, "header");
        byte[] made = Arrays.copyOf(plain, packet.length);
        made[plain.length] = 1;
        assertEquals(packet.length, keys.seal(made, 0, 1, 3, plain.length + 1, number));
        assertEquals(HEX.formatHex(packet), HEX.formatHex(made));

        byte[] target = new byte[packet.length];
        byte[] copy = packet.clone();
        assertEquals(1, keys.open(copy, 0, header.numberAt(), copy.length, number - 1, target));
        assertEquals(number, keys.number());
        assertEquals(1, target[0]);
        // A duplicate is opened as well: the sample and the nonce come twice.
        assertEquals(1, keys.open(packet, 0, header.numberAt(), packet.length, number - 1, target));
    }
}
