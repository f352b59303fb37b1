package io.margay.protocol.quic.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.packet.RetryPacket;
import io.margay.protocol.quic.tls.QuicTls;
import io.margay.protocol.quic.tls.ScriptedTls;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// What hostile clients and strangers try, and how far they come.
final class ConnectionAttacksTest {
    private static final byte[] NONE = {};

    @Test
    void server_sendsThreeTimesWhatItGot_untilTheClientIsKnownToBeThere() {
        Simulation sim =
                new Simulation(
                        SimulatedNetwork.IDEAL,
                        1,
                        Simulation.options(
                                io.margay.protocol.quic.recovery.Congestion.Algorithm.CUBIC),
                        0x1301,
                        40_000);
        // The client's address is somebody else's: nothing comes back but its first datagram.
        sim.network.fate = (n, datagram) -> n == 0 ? datagram : null;
        sim.run(() -> false, 60);
        assertNotNull(sim.server);
        assertTrue(sim.sentByServer <= 3 * 1_200, sim.sentByServer + " octets");
        assertTrue(sim.sentByServer > 2_400);
        assertTrue(sim.server.isClosed(), "and forgets it");
    }

    @Test
    void largeCertificates_passTheLimit_onceTheClientAnswers() {
        Simulation sim =
                new Simulation(
                        SimulatedNetwork.IDEAL, 1, ConnectionOptions.defaults(), 0x1301, 40_000);
        sim.handshake();
    }

    @Test
    void smallOrForgedFirstDatagrams_areDropped_andCostNothing() {
        Simulation sim = new Simulation(SimulatedNetwork.IDEAL, 1);
        byte[] datagram = new byte[1_200];
        assertEquals(1_200, sim.client.send(datagram, sim.now));
        for (int size = 0; size < 1_200; size += 100) {
            var verdict = sim.door.look(datagram, 0, size, sim.clientAddress, false, 0);
            assertInstanceOf(ServerDoor.Dropped.class, verdict);
        }
        datagram[600] ^= 1;
        var verdict = sim.door.look(datagram, 0, 1_200, sim.clientAddress, false, 0);
        var accepted = assertInstanceOf(ServerDoor.Accepted.class, verdict);
        QuicConnection made =
                QuicConnection.server(
                        sim.serverOptions,
                        new ScriptedTls(true, 0x1301, "h3", 100),
                        sim.serverIds,
                        sim.random,
                        accepted,
                        new byte[65_536],
                        0);
        made.receive(datagram, 0, 1_200, sim.clientAddress, 0, 0);
        assertFalse(made.isGenuine());
        assertEquals(0, made.send(new byte[1_500], 0));
    }

    /// OpenSSL goes on where a ClientHello has no transport parameters (RFC 9001 §8.2).
    @Test
    void helloWithoutTransportParameters_endsTheHandshakeAtOnce() {
        Simulation sim = new Simulation(SimulatedNetwork.IDEAL, 1);
        byte[] datagram = new byte[1_200];
        assertEquals(1_200, sim.client.send(datagram, sim.now));
        var verdict = sim.door.look(datagram, 0, 1_200, sim.clientAddress, false, 0);
        QuicConnection made =
                QuicConnection.server(
                        sim.serverOptions,
                        new QuicTls() {
                            private Events events;

                            @Override
                            public void start(byte[] parameters, Events to) {
                                events = to;
                            }

                            @Override
                            public void receive(Level level, byte[] octets, int from, int to) {
                                byte[] secret = new byte[32];
                                events.send(Level.INITIAL, new byte[100]);
                                events.secrets(Level.HANDSHAKE, 0x1301, secret, secret);
                                events.send(Level.HANDSHAKE, new byte[100]);
                            }

                            @Override
                            public void close() {}
                        },
                        sim.serverIds,
                        sim.random,
                        assertInstanceOf(ServerDoor.Accepted.class, verdict),
                        new byte[65_536],
                        0);
        made.receive(datagram, 0, 1_200, sim.clientAddress, 0, 0);
        assertEquals(QuicError.CRYPTO_ERROR + 109, made.closeCode());
        int size = made.send(datagram, 0);
        assertTrue(size > 0);
        sim.client.receive(datagram, 0, size, Simulation.SERVER, 0, sim.now);
        assertTrue(sim.client.isClosedByPeer());
        assertEquals(QuicError.CRYPTO_ERROR + 109, sim.client.closeCode());
    }

    @Test
    void tokens_forgedTooOldOrOfAnotherAddress_areNotOpened() {
        Simulation sim = new Simulation(SimulatedNetwork.IDEAL, 1);
        byte[] id = new byte[8];
        byte[] token = sim.tokens.retry(sim.clientAddress, id, id, 100);
        assertNotNull(sim.tokens.open(token, sim.clientAddress, 100));
        assertNotNull(sim.tokens.open(token, sim.clientAddress, 110));
        assertNull(sim.tokens.open(token, sim.clientAddress, 111));
        assertNull(sim.tokens.open(token, sim.clientAddress, 99), "from the future");
        assertNull(sim.tokens.open(token, Simulation.address(2, 5_001), 100), "another port");
        for (int i = 0; i < token.length; i++) {
            byte[] forged = token.clone();
            forged[i] ^= 1;
            assertNull(sim.tokens.open(forged, sim.clientAddress, 100), "octet " + i);
            assertNull(sim.tokens.open(Arrays.copyOf(token, i), sim.clientAddress, 100));
        }
        sim.tokens.rotate(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
        assertNotNull(sim.tokens.open(token, sim.clientAddress, 100), "the key before");
        sim.tokens.rotate(new byte[16]);
        assertNull(sim.tokens.open(token, sim.clientAddress, 100));
    }

    /// A client takes one Retry packet for an attempt, and would wait for nothing.
    @Test
    void tokenOfRetry_thatIsForgedOrLate_endsTheAttempt() {
        Simulation sim = new Simulation(SimulatedNetwork.IDEAL, 1);
        byte[] token = sim.tokens.retry(sim.clientAddress, new byte[8], new byte[8], 0);
        token[20] ^= 1;
        sim.client = sim.newClient(ConnectionOptions.defaults(), token);
        sim.strict = true;
        assertTrue(sim.run(sim.client::isClosedByPeer, 5));
        assertEquals(QuicError.INVALID_TOKEN, sim.client.closeCode());
        assertNull(sim.server, "nothing is remembered");
    }

    @Test
    void tokenForLater_isGoodOnce() {
        Simulation sim = new Simulation(SimulatedNetwork.IDEAL, 1);
        byte[] token = sim.tokens.later(sim.clientAddress, 0);
        for (boolean first : new boolean[] {true, false}) {
            byte[] datagram = new byte[1_200];
            QuicConnection client = sim.newClient(ConnectionOptions.defaults(), token);
            assertEquals(1_200, client.send(datagram, sim.now));
            var verdict = sim.door.look(datagram, 0, 1_200, sim.clientAddress, true, 5);
            assertEquals(first, verdict instanceof ServerDoor.Accepted);
            assertEquals(!first, verdict instanceof ServerDoor.Answer, "a Retry packet");
        }
    }

    /// What is not remembered any more is taken for used.
    @Test
    void usedTokens_beyondThoseRemembered_areNotGoodAgain() {
        UsedTokens used = new UsedTokens();
        for (int i = 0; i <= UsedTokens.REMEMBERED; i++) {
            assertTrue(used.use(new AddressTokens.Token(false, NONE, NONE, i, i)), "token " + i);
        }
        for (int i = 0; i <= UsedTokens.REMEMBERED; i++) {
            assertFalse(used.use(new AddressTokens.Token(false, NONE, NONE, i, i)), "token " + i);
        }
        assertFalse(used.use(new AddressTokens.Token(false, NONE, NONE, -1, 0)), "as old");
    }

    @Test
    void retry_forgedOrSecond_isIgnored() {
        Simulation sim = new Simulation(SimulatedNetwork.IDEAL, 1);
        byte[] first = new byte[1_500];
        sim.client.send(first, sim.now);
        byte[] own = HexFormat.of().parseHex(sim.clientIds.inUse.getFirst());
        byte[] forged = RetryPacket.make(QuicVersion.V1, own, new byte[8], new byte[8], own);
        sim.client.receive(forged, 0, forged.length, Simulation.SERVER, 0, sim.now);
        assertEquals(0, sim.client.send(first, sim.now), "it begins again");
        sim.network.fate = (n, datagram) -> datagram;
        sim.strict = true;
        sim.transfer(1, 1_000, 10);
    }

    @Test
    void pathChallengeFlood_isAnsweredByOneDatagramAtATime() {
        Rogue rogue = new Rogue();
        for (int i = 0; i < 1_000; i++) {
            rogue.send(out -> {
                for (int k = 0; k < 100; k++) {
                    out.pathChallenge(k);
                }
            });
        }
        int[] answers = rogue.answers();
        assertTrue(answers[0] <= 2, answers[0] + " datagrams");
        assertNull(rogue.error());
    }

    @Test
    void pathChallenges_fromSpoofedAddresses_areAmplifiedByNoMoreThanThree() {
        Rogue rogue = new Rogue();
        int got = 0;
        int sent = 0;
        for (int i = 0; i < 50; i++) {
            byte[] bytes = rogue.packet(out -> out.pathChallenge(7));
            got += bytes.length;
            InetSocketAddress from = Simulation.address(100 + i, 1_000);
            rogue.sim.server.receive(bytes, 0, bytes.length, from, 0, rogue.sim.now);
            sent += rogue.answers()[1];
        }
        assertTrue(sent <= 3 * got, sent + " octets for " + got);
        assertNull(rogue.error());
    }

    @Test
    void connectionIds_retiredWithoutEnd_endTheConnection() {
        Rogue rogue = new Rogue();
        for (int i = 1; i < 10_000 && rogue.error() == null; i++) {
            long sequence = i;
            rogue.send(out -> out.retireConnectionId(sequence));
            rogue.answers();
        }
        assertEquals(QuicError.CONNECTION_ID_LIMIT_ERROR, rogue.error().code());
        assertTrue(rogue.sim.serverIds.inUse.size() <= LocalIds.ACTIVE_MAX + 1);
    }

    @Test
    void connectionIds_neverIssuedOrInUse_cannotBeRetired() {
        Rogue rogue = new Rogue();
        rogue.send(out -> out.retireConnectionId(900));
        assertEquals(QuicError.PROTOCOL_VIOLATION, rogue.error().code());
        Rogue other = new Rogue();
        other.send(out -> out.retireConnectionId(0));
        assertEquals(QuicError.PROTOCOL_VIOLATION, other.error().code());
    }

    private static byte[] id(long sequence) {
        byte[] id = new byte[8];
        for (int i = 0; i < 8; i++) {
            id[i] = (byte) (sequence >> (8 * i));
        }
        id[7] = 1;
        return id;
    }

    @Test
    void connectionIds_moreThanAllowed_endTheConnection() {
        Rogue rogue = new Rogue();
        for (int i = 100; i < 110 && rogue.error() == null; i++) {
            long sequence = i;
            rogue.send(out -> out.newConnectionId(sequence, 0, id(sequence), new byte[16]));
        }
        assertEquals(QuicError.CONNECTION_ID_LIMIT_ERROR, rogue.error().code());
    }

    /// CVE-2024-22189: ids that we are made to retire, while the peer acknowledges nothing.
    @Test
    void connectionIds_toBeRetiredWithoutEnd_endTheConnection() {
        Rogue rogue = new Rogue();
        int sent = 0;
        for (int i = 100; i < 10_000 && rogue.error() == null; i++) {
            long sequence = i;
            rogue.send(out -> out.newConnectionId(sequence, sequence, id(sequence), new byte[16]));
            sent++;
        }
        assertEquals(QuicError.CONNECTION_ID_LIMIT_ERROR, rogue.error().code());
        assertTrue(sent <= PeerIds.RETIRING_MAX + 1, sent + " frames");
    }

    @Test
    void cryptoGaps_endTheConnection() {
        Rogue rogue = new Rogue();
        rogue.send(out -> out.crypto(CryptoStreams.AHEAD_MAX, new byte[1], 0, 1));
        assertEquals(QuicError.CRYPTO_BUFFER_EXCEEDED, rogue.error().code());
        Rogue other = new Rogue();
        for (int i = 1; i < 10_000 && other.error() == null; i++) {
            int offset = 2 * i;
            other.send(out -> out.crypto(offset, new byte[1], 0, 1));
        }
        assertEquals(QuicError.CRYPTO_BUFFER_EXCEEDED, other.error().code());
    }

    @Test
    void optimisticAck_endsTheConnection() {
        Rogue rogue = new Rogue();
        rogue.send(out -> out.ack(false, 5_000, 0, 0, 5_000));
        assertEquals(QuicError.PROTOCOL_VIOLATION, rogue.error().code());
    }

    @Test
    void pingFlood_isAnsweredByAcksAlone() {
        Rogue rogue = new Rogue();
        int datagrams = 0;
        for (int i = 0; i < 1_000; i++) {
            rogue.send(FrameWriter::ping);
            datagrams += rogue.answers()[0];
        }
        assertTrue(datagrams <= 501, datagrams + " datagrams");
        assertNull(rogue.error());
    }

    @Test
    void spoofedMigration_getsLittle_andTheClientGoesOn() {
        Rogue rogue = new Rogue();
        Simulation sim = rogue.sim;
        InetSocketAddress victim = Simulation.address(99, 9);
        byte[] bytes = rogue.packet(FrameWriter::ping);
        sim.server.receive(bytes, 0, bytes.length, victim, 0, sim.now);
        int sent = rogue.answers()[1];
        assertTrue(sent <= 3 * bytes.length, sent + " octets to the victim");
        assertTrue(sim.run(() -> sim.server.target().equals(sim.clientAddress), 20));
        assertNull(rogue.error());
    }

    @Test
    void packetsAfterTheEnd_areAnsweredMoreAndMoreSeldom() {
        Rogue rogue = new Rogue();
        rogue.sim.server.close(1, "over", rogue.sim.now);
        int datagrams = rogue.answers()[0];
        assertEquals(1, datagrams);
        for (int i = 0; i < 1_000; i++) {
            rogue.send(FrameWriter::ping);
            datagrams += rogue.answers()[0];
        }
        assertTrue(datagrams <= 12, datagrams + " datagrams");
    }

    @Test
    void strangersPackets_changeNothing() {
        Rogue rogue = new Rogue();
        byte[] id = HexFormat.of().parseHex(rogue.sim.serverIds.inUse.getFirst());
        for (int i = 0; i < 1_000; i++) {
            byte[] noise = new byte[100];
            rogue.sim.random.nextBytes(noise);
            noise[0] = (byte) (noise[0] & 0x7f | 0x40);
            System.arraycopy(id, 0, noise, 1, id.length);
            rogue.sim.server.receive(noise, 0, 100, rogue.sim.clientAddress, 0, rogue.sim.now);
        }
        assertEquals(0, rogue.answers()[0]);
        assertNull(rogue.error());
        rogue.sim.transfer(1, 1_000, 5);
    }
}
