package io.margay.server.http3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.HttpLimits;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.AddressLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Two loops at one port, with clients whose datagrams come to one or the other.
final class Http3LoopsTest {
    private final List<InetSocketAddress> asked = new ArrayList<>();

    private void answer(Exchange exchange) throws IOException {
        asked.add((InetSocketAddress) exchange.local());
        boolean large = exchange.request().target().raw().startsWith("/large");
        byte[] content = large ? new byte[100_000] : "x".getBytes(StandardCharsets.US_ASCII);
        exchange.end(content, 0, content.length);
    }

    private EndpointRig rig(int connectionsMax, AddressLimit addresses) {
        return new EndpointRig(
                this::answer,
                HttpLimits.defaults(),
                new MemoryBudget(64 << 20),
                connectionsMax,
                addresses);
    }

    private static EndpointRig.Client connected(EndpointRig rig, int last) {
        EndpointRig.Client client = rig.client(last);
        rig.run(client.quic::isEstablished, 5);
        return client;
    }

    private static void isAnswered(EndpointRig rig, EndpointRig.Client client) {
        int before = client.told.size();
        client.get("/");
        rig.run(() -> client.told.size() > before, 5);
        assertTrue(client.told.getLast().endsWith(" 200"), () -> "" + client.told);
    }

    /// As after a client has got another port from its router.
    @Test
    void datagrams_thatComeToAnotherLoop_reachTheirConnection() {
        EndpointRig rig = rig(1_000, null);
        EndpointRig.Client client = connected(rig, 2);
        isAnswered(rig, client);
        rig.comesTo = 1;
        isAnswered(rig, client);
        client.address = EndpointRig.address(2, 6_000);
        isAnswered(rig, client);
        rig.comesTo = 0;
        isAnswered(rig, client);
        assertEquals(1, rig.handshakes);
        assertEquals(1, rig.context.connectionCount());
    }

    @Test
    void connections_ofBothLoops_countTogether() {
        EndpointRig rig = rig(1_000, new AddressLimit(2, _ -> false));
        InetSocketAddress[] ports = {
            EndpointRig.address(2, 5_001),
            EndpointRig.address(2, 5_002),
            EndpointRig.address(2, 5_003)
        };
        EndpointRig.Client one = rig.client(ports[0], new byte[0]);
        rig.run(one.quic::isEstablished, 5);
        rig.comesTo = 1;
        EndpointRig.Client two = rig.client(ports[1], new byte[0]);
        rig.run(two.quic::isEstablished, 5);
        EndpointRig.Client three = rig.client(ports[2], new byte[0]);
        rig.pass(2);
        assertFalse(three.quic.isEstablished());
        isAnswered(rig, connected(rig, 3));
    }

    /// A token is good once, at whichever loop.
    @Test
    void token_ofOneLoop_isGoodAtTheOther_once() {
        EndpointRig rig = rig(1_000, null);
        EndpointRig.Client first = connected(rig, 2);
        isAnswered(rig, first);
        byte[] token = first.quic.token();
        assertTrue(token != null && token.length > 0);
        prove(rig);
        rig.comesTo = 1;
        goodOnce(rig, token);
    }

    /// After an upgrade, too: each process knows the tokens that were used there.
    @Test
    void token_ofTheServerBefore_isGoodOnce() {
        EndpointRig before = rig(1_000, null);
        EndpointRig.Client first = connected(before, 2);
        isAnswered(before, first);
        byte[] token = first.quic.token();
        EndpointRig rig =
                new EndpointRig(
                        this::answer,
                        HttpLimits.defaults(),
                        new MemoryBudget(64 << 20),
                        1_000,
                        null,
                        before);
        assertTrue(rig.endpoint.generation() == before.endpoint.generation() + 1);
        prove(rig);
        goodOnce(rig, token);
    }

    /// Has clients show where they are, from now on.
    private static void prove(EndpointRig rig) {
        EndpointRig.Client shape = rig.client(9);
        shape.awake = false;
        byte[] room = new byte[2_048];
        byte[] made = Arrays.copyOf(room, shape.quic.send(room, rig.now));
        for (int i = 0; i < 100; i++) {
            made[6] = (byte) i;
            rig.deliver(made, EndpointRig.address(9, 9));
        }
    }

    private static void goodOnce(EndpointRig rig, byte[] token) {
        long with = handshake(rig, 5_005, token);
        long twice = handshake(rig, 5_006, token);
        long without = handshake(rig, 5_007, new byte[0]);
        assertTrue(with < without, "a Retry packet costs a round trip");
        assertEquals(without, twice);
    }

    /// How long a handshake takes.
    private static long handshake(EndpointRig rig, int port, byte[] token) {
        EndpointRig.Client client = rig.client(EndpointRig.address(2, port), token);
        long before = rig.now;
        rig.run(client.quic::isEstablished, 5);
        return rig.now - before;
    }

    @Test
    void answers_leaveFromTheAddressThatWasAsked_whichRequestsKnow() throws Exception {
        EndpointRig rig = rig(1_000, null);
        rig.asked = InetAddress.getByName("10.0.0.7");
        EndpointRig.Client client = connected(rig, 2);
        isAnswered(rig, client);
        // Somebody who knows the connection id has it asked elsewhere.
        rig.asked = InetAddress.getByName("10.0.0.8");
        isAnswered(rig, client);
        assertEquals(Set.of(InetAddress.getByName("10.0.0.7")), rig.from);
        assertEquals("10.0.0.7", asked.getFirst().getAddress().getHostAddress());
        assertEquals(443, asked.getFirst().getPort());
    }

    /// What a client has sent before it knew is answered; then it may end, and need not.
    @Test
    void drain_isTold_beforeRequestsAreRefused() {
        EndpointRig rig = rig(1_000, null);
        EndpointRig.Client client = connected(rig, 2);
        isAnswered(rig, client);
        rig.context.drain(true);
        isAnswered(rig, client);
        assertEquals(List.of(), client.goAways.stream().filter(id -> id < 1_000).toList());
        rig.run(() -> client.goAways.size() == 2, 3);
        assertTrue(client.goAways.getFirst() > 1L << 60 && client.goAways.getLast() == 8);
        assertTrue(client.quic.isOpen(), "it may not have read what has come");
        rig.run(client.quic::isClosedByPeer, 15);
        assertEquals(0, rig.context.connectionCount());
    }

    @Test
    void sockets_thatTakeNoMore_areWaitedFor() {
        EndpointRig rig = rig(1_000, null);
        EndpointRig.Client client = connected(rig, 2);
        isAnswered(rig, client);
        rig.room = false;
        client.get("/large");
        rig.pass(1);
        assertEquals(1, client.content().length());
        rig.roomAgain();
        rig.run(() -> client.got > 100_000, 10);
    }

    @Test
    void sockets_thatAreFullAgainAndAgain_loseNothing() {
        EndpointRig rig = rig(1_000, null);
        EndpointRig.Client client = connected(rig, 2);
        EndpointRig.Client other = connected(rig, 3);
        isAnswered(rig, client);
        isAnswered(rig, other);
        rig.takes = 0;
        rig.taken = 0;
        client.get("/large");
        other.get("/large");
        long before = client.got + other.got;
        int rounds = 0;
        while (client.got + other.got < before + 200_000) {
            rig.run(() -> rig.takes == 0 || client.got + other.got == before + 200_000, 5);
            rig.takes = 5;
            rig.roomAgain();
            assertTrue(rounds++ < 1_000, "it does not go on");
        }
        assertTrue(rounds > 20, "they were full");
        assertTrue(rig.taken < 220_000, () -> rig.taken + " octets for 200 000");
    }
}
