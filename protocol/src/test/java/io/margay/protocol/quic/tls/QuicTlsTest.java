package io.margay.protocol.quic.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What connections rely on: the order of messages, secrets and parameters, as the double has it
/// and as any other implementation must.
final class QuicTlsTest {
    private record Message(Level level, byte[] octets) {}

    private static final class Side implements QuicTls.Events {
        final QuicTls tls;
        final List<Message> sent = new ArrayList<>();
        final List<String> events = new ArrayList<>();
        byte[] oneRttRead = {};
        byte[] oneRttWrite = {};

        Side(boolean server) {
            tls = new ScriptedTls(server, 0x1301, "h3", 2_000);
            tls.start(new byte[] {(byte) (server ? 2 : 1)}, this);
        }

        @Override
        public void send(Level level, byte[] octets) {
            sent.add(new Message(level, octets));
        }

        @Override
        public void secrets(
                Level level, int suite, byte @Nullable [] read, byte @Nullable [] write) {
            events.add(level + (read == null ? "" : " read") + (write == null ? "" : " write"));
            if (level == Level.ONE_RTT) {
                oneRttRead = read == null ? oneRttRead : read;
                oneRttWrite = write == null ? oneRttWrite : write;
            }
        }

        @Override
        public void peerParameters(byte[] parameters) {
            events.add("parameters " + Arrays.toString(parameters));
        }

        @Override
        public void complete(@Nullable String alpn) {
            events.add("complete " + alpn);
        }

        @Override
        public void alert(int description) {
            events.add("alert " + description);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100_000})
    void handshake_inPiecesOfAnySize_completesOnBothSides(int piece) {
        Side client = new Side(false);
        Side server = new Side(true);
        for (int round = 0; round < 3; round++) {
            pass(client, server, piece);
            pass(server, client, piece);
        }
        assertEquals(
                List.of(
                        "HANDSHAKE read write",
                        "parameters [2]",
                        "ONE_RTT read write",
                        "complete h3"),
                client.events);
        assertEquals(
                List.of(
                        "parameters [1]",
                        "HANDSHAKE read write",
                        "ONE_RTT write",
                        "ONE_RTT read",
                        "complete h3"),
                server.events);
        assertArrayEquals(client.oneRttRead, server.oneRttWrite);
        assertArrayEquals(client.oneRttWrite, server.oneRttRead);
        assertTrue(client.oneRttRead.length > 0);
    }

    private static void pass(Side from, Side to, int piece) {
        List<Message> all = List.copyOf(from.sent);
        from.sent.clear();
        for (Message message : all) {
            byte[] octets = message.octets;
            for (int at = 0; at < octets.length; at += piece) {
                to.tls.receive(message.level, octets, at, Math.min(octets.length, at + piece));
            }
        }
    }
}
