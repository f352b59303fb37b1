package io.margay.protocol.quic.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.recovery.Congestion.Algorithm;
import io.margay.protocol.quic.stream.StreamSettings;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Two connections of ours over a network that does what a test wants.
final class ConnectionTest {
    private static final long SECOND = 1_000_000_000;

    private static Simulation ideal() {
        return new Simulation(SimulatedNetwork.IDEAL, 1);
    }

    private static ConnectionOptions options(QuicVersion version, long idleMillis) {
        return new ConnectionOptions(
                version, StreamSettings.defaults(), Algorithm.CUBIC, idleMillis, 1_452, true);
    }

    @ParameterizedTest
    @EnumSource(QuicVersion.class)
    void handshake_completes_inEachVersion(QuicVersion version) {
        Simulation sim =
                new Simulation(SimulatedNetwork.IDEAL, 1, options(version, 30_000), 0x1301, 2_500);
        sim.handshake();
        assertEquals("h3", sim.client.alpn());
        assertEquals("h3", sim.server.alpn());
        sim.transfer(1, 1_000, 5);
        assertNull(sim.client.error());
        assertNull(sim.server.error());
    }

    @ParameterizedTest
    @ValueSource(ints = {0x1301, 0x1302, 0x1303})
    void data_isCarried_withEachCipherSuite(int suite) {
        Simulation sim =
                new Simulation(
                        SimulatedNetwork.IDEAL, 2, options(QuicVersion.V1, 30_000), suite, 2_500);
        sim.transfer(10, 20_000, 20);
    }

    /// How many datagrams a transfer of 8 000 octets and back takes.
    private static int datagrams() {
        Simulation sim = ideal();
        sim.transfer(1, 8_000, 20);
        return sim.network.datagrams();
    }

    @Test
    void eachDatagram_lost_isMadeUpFor() {
        for (int i = 0; i < datagrams(); i++) {
            int number = i;
            Simulation sim = ideal();
            sim.network.fate = (n, datagram) -> n == number ? null : datagram;
            sim.transfer(1, 8_000, 20);
            assertNull(sim.server.error(), "datagram " + i);
        }
    }

    @Test
    void eachDatagram_repeatedOrOvertaken_changesNothing() {
        for (int i = 0; i < datagrams(); i++) {
            Simulation sim = ideal();
            sim.network.repeated = i;
            sim.transfer(1, 8_000, 20);
            Simulation other = ideal();
            other.network.delayed = i;
            other.transfer(1, 8_000, 20);
            assertNull(sim.server.error(), "datagram " + i);
            assertNull(other.server.error(), "datagram " + i);
        }
    }

    @Test
    void eachDatagram_cutOrForged_isAsGoodAsLost() {
        for (int i = 0; i < datagrams(); i++) {
            int number = i;
            for (int cut : new int[] {0, 1, 7, 20, 25, 100, 1_199}) {
                Simulation sim = ideal();
                sim.network.fate =
                        (n, datagram) ->
                                n == number && datagram.length > cut
                                        ? Arrays.copyOf(datagram, cut)
                                        : datagram;
                sim.transfer(1, 8_000, 20);
                assertNull(sim.server.error(), "datagram " + i + " cut at " + cut);
            }
            for (int at : new int[] {0, 3, 10, 30, 500}) {
                Simulation sim = ideal();
                sim.network.fate =
                        (n, datagram) -> {
                            if (n == number && datagram.length > at) {
                                datagram[at] ^= 0x10;
                            }
                            return datagram;
                        };
                sim.transfer(1, 8_000, 20);
            }
        }
    }

    @Test
    void firstDatagrams_allLost_areSentAgainAndAgain() {
        Simulation sim = ideal();
        sim.network.fate = (n, datagram) -> n < 4 ? null : datagram;
        sim.handshake();
        assertTrue(sim.now < 20 * SECOND);
    }

    // The server's door

    @Test
    void retry_isAnswered_andTheTokenIsGood() {
        Simulation sim = ideal();
        sim.strict = true;
        sim.transfer(1, 5_000, 10);
        assertNull(sim.client.error());
    }

    @Test
    void retry_withLossesAndRepeats_completes() {
        for (int seed = 0; seed < 20; seed++) {
            var profile = new SimulatedNetwork.Profile("bad", 20_000_000, 30_000_000, 20, 20, 0, 0);
            Simulation sim = new Simulation(profile, seed);
            sim.strict = true;
            sim.transfer(2, 5_000, 120);
            assertNull(sim.client.error());
        }
    }

    @Test
    void token_forLater_sparesTheRetry() {
        Simulation sim = ideal();
        sim.handshake();
        sim.server.giveToken(sim.tokens.later(sim.clientAddress, sim.now / SECOND));
        assertTrue(sim.run(() -> sim.client.token() != null, 5));
        byte[] token = sim.client.token();
        assertNotNull(
                sim.tokens.open(token, Simulation.address(2, 9), sim.now / SECOND), "any port");
        assertNull(sim.tokens.open(token, Simulation.address(3, 5_000), sim.now / SECOND));
        sim.server = null;
        sim.strict = true;
        sim.client = sim.newClient(sim.serverOptions, token);
        int before = sim.network.datagrams();
        sim.handshake();
        assertTrue(sim.network.datagrams() - before < 12, "without a round trip more");
    }

    @Test
    void version_thatTheServerHasNot_isNegotiated() {
        Simulation sim = ideal();
        byte[] datagram = new byte[1_200];
        sim.client.send(datagram, sim.now);
        datagram[1] = 0x1a;
        var verdict = sim.door.look(datagram, 0, 1_200, sim.clientAddress, false, 0);
        byte[] answer = ((ServerDoor.Answer) verdict).datagram();
        assertTrue(answer.length < 100);
        // It offers the client's own version: somebody has changed what it sent.
        sim.client.receive(answer.clone(), 0, answer.length, Simulation.SERVER, 0, sim.now);
        assertTrue(sim.client.isOpen());
        byte[] other = Arrays.copyOf(answer, answer.length - 4);
        System.arraycopy(answer, answer.length - 4, other, other.length - 4, 4);
        sim.client.receive(other, 0, other.length, Simulation.SERVER, 0, sim.now);
        assertTrue(sim.client.isClosed());
        assertEquals(QuicVersion.V2, sim.client.offeredVersion());
        assertTrue(sim.clientIds.inUse.isEmpty());
    }

    // Keys, paths, ends

    @Test
    void keys_areUpdated_fromBothSides_whileDataFlows() {
        Simulation sim = ideal();
        sim.transfer(1, 1_000, 10);
        sim.run(() -> false, 1);
        int updates = 0;
        for (int i = 0; i < 20; i++) {
            QuicConnection side = i % 2 == 0 ? sim.client : sim.server;
            updates += side.updateKeys() ? 1 : 0;
            sim.transfer(1, 20_000, 10);
            // Packets of both sides are acknowledged in the new phase, and the old keys go.
            sim.run(() -> false, 1);
            sim.transfer(1, 20_000, 10);
        }
        assertEquals(20, updates);
        assertNull(sim.client.error());
        assertNull(sim.server.error());
    }

    @Test
    void client_thatMoves_isFollowed() {
        Simulation sim = ideal();
        sim.transfer(1, 10_000, 10);
        for (int i = 3; i < 10; i++) {
            sim.clientAddress = Simulation.address(i, 6_000 + i);
            assertTrue(sim.client.rebind(), "move " + i);
            sim.transfer(2, 30_000, 20);
            assertEquals(sim.clientAddress, sim.server.target());
        }
        assertNull(sim.client.error());
        assertNull(sim.server.error());
        assertTrue(sim.serverIds.inUse.size() <= LocalIds.ACTIVE_MAX);
    }

    @Test
    void nat_thatForgets_isFollowed_withoutAnotherId() {
        Simulation sim = ideal();
        sim.transfer(1, 10_000, 10);
        sim.clientAddress = Simulation.address(2, 7_777);
        sim.transfer(1, 10_000, 10);
        assertEquals(sim.clientAddress, sim.server.target());
    }

    @Test
    void close_isToldToThePeer_andForgotten() {
        Simulation sim = ideal();
        sim.handshake();
        sim.client.close(0x100, "done", sim.now);
        assertTrue(sim.run(() -> sim.client.isClosed() && sim.server.isClosed(), 10));
        assertTrue(sim.server.isClosedByPeer());
        assertTrue(sim.server.isClosedByApplication());
        assertEquals(0x100, sim.server.closeCode());
        assertTrue(sim.serverIds.inUse.isEmpty());
        assertTrue(sim.clientIds.inUse.isEmpty());
        assertEquals(QuicConnection.NEVER, sim.server.deadline());
    }

    @Test
    void close_duringTheHandshake_isToldWithoutTheApplicationsCode() {
        Simulation sim = ideal();
        assertTrue(sim.run(() -> sim.server != null, 5));
        sim.server.close(0x100, "secret", sim.now);
        assertTrue(sim.run(() -> !sim.client.isOpen(), 5));
        assertFalse(sim.client.isClosedByApplication());
    }

    @Test
    void silence_endsTheConnection_onBothSides() {
        Simulation sim =
                new Simulation(
                        SimulatedNetwork.IDEAL, 1, options(QuicVersion.V1, 5_000), 0x1301, 500);
        sim.handshake();
        assertTrue(sim.run(() -> sim.client.isClosed() && sim.server.isClosed(), 10));
        assertFalse(sim.client.isClosedByPeer());
    }

    @Test
    void statelessReset_endsTheConnection_andAForgedOneDoesNot() {
        Simulation sim = ideal();
        sim.handshake();
        sim.run(() -> false, 1);
        byte[] id = java.util.HexFormat.of().parseHex(sim.serverIds.inUse.getFirst());
        byte[] forged = StatelessReset.answer(100, new byte[16], sim.random);
        sim.client.receive(forged, 0, forged.length, Simulation.SERVER, 0, sim.now);
        assertTrue(sim.client.isOpen());
        byte[] token = sim.serverIds.resetToken(id);
        byte[] reset = StatelessReset.answer(100, token, sim.random);
        assertEquals(43, reset.length);
        // The client's id is before it, as a server that has forgotten it cannot write it.
        sim.client.receive(reset, 0, reset.length, Simulation.SERVER, 0, sim.now);
        boolean ended = !sim.client.isOpen();
        assertTrue(ended);
        assertArrayEquals(new byte[0], StatelessReset.answer(21, token, sim.random));
    }
}
