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
}
