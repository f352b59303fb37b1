package io.margay.protocol.quic.crypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.packet.LongHeader;
import io.margay.protocol.quic.packet.PacketNumbers;
import io.margay.protocol.quic.tls.PacketCipher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
            this(new KeyPhases(QuicVersion.V1, suite, secret(suite, read), secret(suite, write)));
        }

        Side(KeyPhases keys) {
            this.keys = keys;
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

    /// Whatever the keys are replaced by, a cipher that has memory of its own is closed once.
    @Test
    void ciphersOfKeysThatWereReplaced_areClosed() {
        List<Counted> made = new ArrayList<>();
        CipherSuite suite = CipherSuite.AES_128_GCM_SHA256;
        KeyPhases keys =
                new KeyPhases(
                        QuicVersion.V1,
                        suite,
                        Side.secret(suite, 1),
                        Side.secret(suite, 2),
                        (_, key, _) -> {
                            Counted next = new Counted(new JdkPacketCipher(suite, key));
                            made.add(next);
                            return next;
                        });
        Side counted = new Side(keys);
        Side other = new Side(suite, 2, 1);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 2; i++) {
                assertEquals(20, other.receive(counted.send()));
                assertEquals(20, counted.receive(other.send()));
            }
            keys.acknowledged(counted.next - 1);
            other.keys.acknowledged(other.next - 1);
            keys.dropBefore();
            other.keys.dropBefore();
            assertEquals(3, made.stream().filter(one -> one.closed == 0).count());
            (round % 2 == 0 ? keys : other.keys).update();
        }
        assertTrue(keys.hasBefore());
        assertEquals(4, made.stream().filter(one -> one.closed == 0).count());
        keys.close();
        keys.close();
        assertTrue(made.stream().allMatch(one -> one.closed > 0));
    }

    /// A cipher that notes whether it was closed.
    private static final class Counted implements PacketCipher {
        private final PacketCipher cipher;
        int closed;

        Counted(PacketCipher cipher) {
            this.cipher = cipher;
        }

        @Override
        public void seal(byte[] nonce, byte[] packet, int from, int payloadAt, int to) {
            assertEquals(0, closed);
            cipher.seal(nonce, packet, from, payloadAt, to);
        }

        @Override
        public int open(
                byte[] nonce, byte[] packet, int from, int payloadAt, int to, byte[] target) {
            assertEquals(0, closed);
            return cipher.open(nonce, packet, from, payloadAt, to, target);
        }

        @Override
        public void close() {
            closed++;
        }
    }

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
