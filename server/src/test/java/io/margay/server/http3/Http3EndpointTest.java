package io.margay.server.http3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.quic.stream.QuicStream;
import io.margay.server.config.HttpLimits;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.transport.AddressLimit;
import io.margay.transport.quic.DatagramLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// An endpoint and its clients in virtual time: what the slow and the greedy get, and what becomes
/// of others meanwhile.
final class Http3EndpointTest {
    private static final int LARGE_BYTES = 100_000;

    /// Answers with the client's address, or with a lot.
    private void answer(Exchange exchange) throws IOException {
        String client = ((InetSocketAddress) exchange.remote()).getAddress().getHostAddress();
        seen.add(client);
        if (exchange.request().target().raw().equals("/early")) {
            FieldList hints = new FieldList();
            hints.add("link", "</style.css>; rel=preload");
            exchange.interim(103, hints);
            exchange.interim(103, hints);
        }
        byte[] content =
                exchange.request().target().raw().startsWith("/large")
                        ? new byte[LARGE_BYTES]
                        : client.getBytes(StandardCharsets.US_ASCII);
        exchange.end(content, 0, content.length);
    }

    private final List<String> seen = new ArrayList<>();
    private final MemoryBudget memory = new MemoryBudget(64 << 20);

    private EndpointRig rig(MemoryBudget budget) {
        return new EndpointRig(this::answer, HttpLimits.defaults(), budget, 1_000, null);
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

    @Test
    void requests_areAnswered_andConnectionsThatIdle_end() {
        EndpointRig rig = rig(memory);
        EndpointRig.Client client = connected(rig, 2);
        isAnswered(rig, client);
        isAnswered(rig, client);
        assertEquals(1, rig.context.connectionCount());
        assertTrue(memory.held() >= Http3Connection.CONNECTION_BYTES, "it counts");
        rig.run(() -> client.quic.isClosed(), 60);
        assertEquals(0, rig.context.connectionCount());
        rig.pass(10);
        assertEquals(0, memory.held());
    }

    /// Each connection has three: for what it sends, what it receives, and after a key update.
    @Test
    void ciphers_areClosedHoweverAConnectionEnds() {
        EndpointRig rig = rig(memory);
        EndpointRig.Client closes = connected(rig, 2);
        EndpointRig.Client idles = connected(rig, 3);
        isAnswered(rig, closes);
        isAnswered(rig, idles);
        assertEquals(6, rig.ciphers.get());
        assertTrue(closes.quic.updateKeys());
        isAnswered(rig, closes);
        rig.run(() -> rig.ciphers.get() == 6, 10);
        closes.quic.close(0x100, "", rig.now);
        rig.run(() -> rig.ciphers.get() == 3, 10);
        isAnswered(rig, idles);
        rig.run(() -> rig.ciphers.get() == 0, 90);
        isAnswered(rig, connected(rig, 4));
        assertEquals(3, rig.ciphers.get());
        rig.handlers().forEach(DatagramLoop.Handler::closing);
        assertEquals(0, rig.ciphers.get(), "the server ends");
    }

    @Test
    void interimResponses_comeBeforeTheFinalOne() {
        EndpointRig rig = rig(memory);
        EndpointRig.Client client = connected(rig, 2);
        client.get("/early");
        rig.run(() -> client.told.contains("0 200"), 5);
        assertEquals(List.of("0 103", "0 103", "0 200"), client.told);
        isAnswered(rig, client);
    }

    /// A head that never comes whole ends its stream, however steadily it comes.
    @Test
    void headsThatTrickle_endTheirStreams_afterTheTimeForHeads() {
        EndpointRig rig = rig(memory);
        EndpointRig.Client client = connected(rig, 2);
        EndpointRig.Client honest = connected(rig, 3);
        QuicStream slow = client.quic.streams().open(true);
        long began = rig.now;
        int[] octets = {0};
        byte[] start = {1, 0x44, 0};
        rig.run(
                () -> {
                    if (slow.stopCode() != QuicStream.NONE) {
                        return true;
                    }
                    if (octets[0] < start.length || rig.now - began > octets[0] * 500_000_000L) {
                        int at = octets[0]++;
                        byte next = at < start.length ? start[at] : 0;
                        slow.writeWhole(new byte[] {next}, 0, 1, false);
                    }
                    return false;
                },
                20);
        assertTrue(rig.now - began >= 10 * EndpointRig.SECOND);
        assertTrue(octets[0] > 20, () -> octets[0] + " octets");
        assertTrue(client.quic.isOpen());
        isAnswered(rig, honest);
    }

    /// What a client asks for and does not take is kept no longer than a response may wait.
    @Test
    void clientThatGetsAndAcknowledgesNothing_isGivenUp() {
        EndpointRig rig = rig(memory);
        EndpointRig.Client client = connected(rig, 2);
        EndpointRig.Client honest = connected(rig, 3);
        for (int i = 0; i < 50; i++) {
            client.get("/large");
        }
        rig.run(() -> client.got > 20_000, 5);
        client.awake = false;
        long began = rig.now;
        for (int i = 0; i < 5; i++) {
            rig.pass(4);
            isAnswered(rig, honest);
        }
        rig.run(() -> rig.context.connectionCount() == 1, 20);
        assertTrue(rig.now - began >= 19 * EndpointRig.SECOND);
        rig.pass(10);
        isAnswered(rig, honest);
        assertTrue(memory.held() < 200_000, () -> memory.held() + " octets");
    }

    /// A handshake that does not go on is waited for as long as a head.
    @Test
    void handshakesThatStop_areForgotten() {
        EndpointRig rig = rig(memory);
        EndpointRig.Client client = rig.client(2);
        rig.run(() -> rig.context.connectionCount() == 1, 5);
        client.awake = false;
        rig.pass(9);
        assertEquals(1, rig.context.connectionCount());
        rig.pass(12);
        assertEquals(0, rig.context.connectionCount());
        assertEquals(0, memory.held());
    }

    /// First datagrams that nobody can open cost no more than those under way: beyond, clients show
    /// first that they are there.
    @Test
    void firstDatagramsThatAreMadeUp_haveClientsProveTheirAddress() {
        EndpointRig rig = rig(memory);
        EndpointRig.Client shape = rig.client(2);
        shape.awake = false;
        byte[] room = new byte[2_048];
        byte[] first = Arrays.copyOf(room, shape.quic.send(room, rig.now));
        for (int i = 0; i < 1_000; i++) {
            byte[] forged = first.clone();
            byte[] id = new byte[8];
            rig.random.nextBytes(id);
            System.arraycopy(id, 0, forged, 6, id.length);
            rig.deliver(forged, EndpointRig.address(10 + i % 200, 5_000));
        }
        assertTrue(rig.handshakes <= 64, () -> rig.handshakes + " handshakes");
        assertEquals(0, rig.context.connectionCount());
        assertEquals(0, memory.held());
        isAnswered(rig, connected(rig, 3));
        rig.pass(20);
        int before = rig.context.connectionCount();
        rig.deliver(first, EndpointRig.address(2, 5_000));
        assertEquals(before + 1, rig.context.connectionCount(), "that is forgiven after a while");
    }

    /// The same for those that begin and end at once, as can be done with another's address.
    @Test
    void handshakesThatAreEndedAtOnce_haveClientsProveTheirAddress() {
        EndpointRig rig = rig(memory);
        for (int i = 0; i < 300; i++) {
            EndpointRig.Client client = rig.client(10 + i);
            boolean _ = client.sendOnce();
            client.quic.close(0, "", rig.now);
            boolean _ = client.sendOnce();
            client.awake = false;
        }
        assertTrue(rig.handshakes <= 64, () -> rig.handshakes + " handshakes");
        isAnswered(rig, connected(rig, 3));
    }

    /// A client that moves is answered there, and asks from there as soon as it was shown to
    /// receive there.
    @Test
    void clientThatMoves_isAnswered_andAsksFromThere() {
        EndpointRig rig = rig(memory);
        EndpointRig.Client client = connected(rig, 2);
        isAnswered(rig, client);
        assertEquals("10.0.0.2", client.content());
        client.address = EndpointRig.address(9, 6_000);
        client.quic.rebind();
        isAnswered(rig, client);
        isAnswered(rig, client);
        assertTrue(client.content().endsWith("10.0.0.9"), client::content);
        assertEquals(0, rig.strayed);
    }

    /// CVE-2026-40460 of nginx: who can have packets come from another address than its own gets
    /// neither what that address may have, nor a flood sent there.
    @Test
    void requestFromAnAddressThatNeverAnswers_isOneOfTheAddressBefore() {
        EndpointRig rig = rig(memory);
        EndpointRig.Client client = connected(rig, 2);
        isAnswered(rig, client);
        long before = client.sent;
        InetSocketAddress own = client.address;
        client.address = EndpointRig.address(77, 7);
        client.get("/large?" + "x".repeat(900));
        boolean _ = client.sendOnce();
        client.address = own;
        long got = client.sent - before;
        rig.pass(5);
        assertTrue(rig.strayed > 0, "it was tried");
        assertTrue(rig.strayed <= 3 * got, () -> rig.strayed + " octets for " + got);
        isAnswered(rig, client);
        assertTrue(client.content().endsWith("10.0.0.2"), client::content);
        assertEquals(List.of("10.0.0.2"), seen.stream().distinct().toList());
    }

    /// Who moves counts at its new address, where there may be too many.
    @Test
    void clientsThatMove_countWhereTheyAre() {
        EndpointRig rig =
                new EndpointRig(
                        this::answer,
                        HttpLimits.defaults(),
                        memory,
                        1_000,
                        new AddressLimit(2, _ -> false));
        EndpointRig.Client[] all = {
            connected(rig, 2), connected(rig, 3), connected(rig, 4), connected(rig, 5)
        };
        for (int i = 0; i < 3; i++) {
            all[i].address = EndpointRig.address(9, 6_000 + i);
            all[i].quic.rebind();
            int now = i;
            all[i].get("/");
            rig.run(() -> all[now].quic.isClosedByPeer() || all[now].told.size() == 1, 5);
        }
        rig.pass(5);
        assertEquals(3, rig.context.connectionCount());
        all[3].get("/");
        isAnswered(rig, all[3]);
        rig.client(2);
        rig.client(2);
        rig.run(() -> rig.context.connectionCount() == 5, 5);
    }

    @Test
    void withoutMemory_connectionsDoNotBegin_andThoseThereGoOn() {
        MemoryBudget small = new MemoryBudget(20L * Http3Connection.CONNECTION_BYTES);
        EndpointRig rig = rig(small);
        EndpointRig.Client first = connected(rig, 2);
        for (int i = 3; i < 60; i++) {
            rig.client(i);
        }
        rig.pass(3);
        int begun = rig.context.connectionCount();
        assertTrue(begun >= 4 && begun <= 10, () -> begun + " connections");
        assertTrue(small.held() <= small.bytesMax() / 2, "others have their half");
        isAnswered(rig, first);
    }

    @Test
    void headsThatFillTheMemory_endTheirConnection_andNoOther() {
        MemoryBudget small = new MemoryBudget(2 << 20);
        EndpointRig rig = rig(small);
        EndpointRig.Client greedy = connected(rig, 2);
        EndpointRig.Client honest = connected(rig, 3);
        byte[] head = new byte[5 + 29_000];
        head[0] = 1;
        head[1] = (byte) 0x80;
        head[3] = (byte) (30_000 >> 8);
        head[4] = (byte) 30_000;
        rig.run(
                () -> {
                    if (greedy.quic.streams().openable(true) > 0 && greedy.quic.isOpen()) {
                        QuicStream stream = greedy.quic.streams().open(true);
                        stream.writeWhole(head, 0, head.length, false);
                    }
                    return greedy.quic.isClosedByPeer();
                },
                20);
        isAnswered(rig, honest);
        rig.pass(10);
        assertTrue(small.held() <= 2 * Http3Connection.CONNECTION_BYTES);
    }
}
