package io.margay.protocol.quic.crypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.packet.LongHeader;
import io.margay.protocol.quic.packet.PacketNumbers;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class KeyPhasesTest {
    private static final byte[] ID = {1, 2, 3, 4};
    private static final int NUMBER_BYTES = 2;

    /// One side of a connection.
    private static final class Side {
        final KeyPhases keys;
        long next;
        long largest = -1;
        final byte[] payload = new byte[64];

        Side(CipherSuite suite, int read, int write) {
            keys = new KeyPhases(QuicVersion.V1, suite, secret(suite, read), secret(suite, write));
        }

        private static byte[] secret(CipherSuite suite, int octet) {
            byte[] secret = new byte[suite.secretBytes()];
            Arrays.fill(secret, (byte) octet);
            return secret;
        }

        byte[] send() {
            byte[] packet = new byte[60];
            int at = LongHeader.putShort(packet, 0, ID, false, keys.phase());
            PacketNumbers.put(packet, at, next, NUMBER_BYTES);
            int from = at + NUMBER_BYTES;
            Arrays.fill(packet, from, from + 20, (byte) next);
            int end = keys.seal(packet, 0, at, NUMBER_BYTES, from + 20, next);
            next++;
            return Arrays.copyOf(packet, end);
        }

        int receive(byte[] packet) {
            int opened = keys.open(packet, 0, 1 + ID.length, packet.length, largest, payload);
            if (opened >= 0) {
                largest = Math.max(largest, keys.number());
            }
            return opened;
        }
    }

    private final Side client = new Side(CipherSuite.AES_128_GCM_SHA256, 1, 2);
    private final Side server = new Side(CipherSuite.AES_128_GCM_SHA256, 2, 1);

    private void confirm() {
        assertEquals(20, server.receive(client.send()));
        assertEquals(20, client.receive(server.send()));
        client.keys.acknowledged(client.next - 1);
        server.keys.acknowledged(server.next - 1);
    }

    @ParameterizedTest
    @EnumSource(CipherSuite.class)
    void update_isFollowedByThePeer_withEachSuite(CipherSuite suite) {
        Side here = new Side(suite, 1, 2);
        Side there = new Side(suite, 2, 1);
        for (int round = 0; round < 5; round++) {
            assertEquals(20, there.receive(here.send()));
            assertEquals(20, here.receive(there.send()));
            here.keys.acknowledged(here.next - 1);
            here.keys.dropBefore();
            here.keys.update();
            assertEquals(round % 2 == 0, here.keys.phase());
        }
        assertNull(there.keys.error());
    }

    @Test
    void packetOfThePhaseBefore_overtaken_isOpened() {
        confirm();
        byte[] overtaken = client.send();
        client.keys.update();
        assertEquals(20, server.receive(client.send()));
        assertTrue(server.keys.isUpdated());
        assertEquals(20, server.receive(overtaken));
        assertFalse(server.keys.isUpdated());
    }

    @Test
    void packetOfThePhaseBefore_afterItsKeysWereDropped_isNotOpened() {
        confirm();
        byte[] late = client.send();
        client.keys.update();
        assertEquals(20, server.receive(client.send()));
        server.keys.dropBefore();
        assertEquals(-1, server.receive(late));
        assertNull(server.keys.error());
    }

    @Test
    void update_beforeTheLastIsConfirmed_isOurOwnMistake() {
        assertThrows(IllegalStateException.class, client.keys::update);
        confirm();
        client.keys.update();
        assertThrows(IllegalStateException.class, client.keys::update);
    }

    @Test
    void peerUpdatesTwice_beforeAnythingWasSent_isAnError() {
        confirm();
        // The client is made to believe that its updates were confirmed.
        Side another = new Side(CipherSuite.AES_128_GCM_SHA256, 2, 1);
        another.next = 100;
        another.send();
        client.keys.update();
        byte[] once = client.send();
        assertEquals(20, another.receive(once.clone()));
        assertEquals(20, client.receive(another.send()));
        client.keys.acknowledged(client.next - 1);
        client.keys.dropBefore();
        client.keys.update();
        byte[] twice = client.send();
        assertEquals(20, server.receive(once));
        server.keys.dropBefore();
        assertEquals(-1, server.receive(twice));
        assertEquals(KeyPhases.UPDATED_TWICE, server.keys.error());
    }

    @Test
    void keyUpdateStorm_endsTheConnection() {
        int updates = 0;
        while (server.keys.error() == null) {
            confirm();
            client.keys.dropBefore();
            server.keys.dropBefore();
            client.keys.update();
            server.receive(client.send());
            updates++;
            if (server.keys.error() == null) {
                assertEquals(20, client.receive(server.send()));
                client.keys.acknowledged(client.next - 1);
            }
            assertTrue(updates <= KeyPhases.SHORT_PHASES_MAX + 1, "no end of updates");
        }
        assertEquals(KeyPhases.UPDATED_TOO_OFTEN, server.keys.error());
        assertEquals(KeyPhases.SHORT_PHASES_MAX + 1, updates);
    }

    @Test
    void update_afterManyPackets_isNeverTooOften() {
        for (int round = 0; round < 2 * KeyPhases.SHORT_PHASES_MAX; round++) {
            for (int i = 0; i < KeyPhases.PHASE_PACKETS_LEAST; i++) {
                confirm();
            }
            client.keys.dropBefore();
            server.keys.dropBefore();
            client.keys.update();
        }
        confirm();
        assertNull(server.keys.error());
    }

    @Test
    void forgedPackets_ofEitherPhase_areNotOpenedAndChangeNothing() {
        confirm();
        byte[] packet = client.send();
        for (int i = 0; i < packet.length; i++) {
            byte[] forged = packet.clone();
            forged[i] ^= 4;
            boolean ofId = i > 0 && i <= ID.length;
            assertEquals(-1, server.receive(forged), "octet " + i + (ofId ? " of the id" : ""));
        }
        assertFalse(server.keys.phase());
        assertEquals(20, server.receive(packet));
    }

    @Test
    void packet_tooShortForASample_isNotOpened() {
        byte[] packet = client.send();
        for (int cut = 1 + ID.length; cut < 1 + ID.length + 20; cut++) {
            assertEquals(-1, server.receive(Arrays.copyOf(packet, cut)));
        }
    }
}
