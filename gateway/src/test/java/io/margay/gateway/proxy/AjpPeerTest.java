package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Containers that break AJP13, with packets written by hand: what one client was to get never
/// reaches another.
final class AjpPeerTest {
    private static final int FORWARD = 2;
    private static final int PING = 10;

    /// What the gateway sent: the payload of each packet, as ISO 8859-1.
    private final List<String> packets = new CopyOnWriteArrayList<>();

    private static byte[] packet(int... payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write('A');
        out.write('B');
        out.write(payload.length >> 8);
        out.write(payload.length);
        for (int b : payload) {
            out.write(b);
        }
        return out.toByteArray();
    }

    private static final byte[] HEADERS_200 =
            packet(4, 0, 200, 0, 2, 'O', 'K', 0, 0, 1, 0xa0, 3, 0, 1, '2', 0);
    private static final byte[] CHUNK = packet(3, 0, 2, 'o', 'k', 0);
    private static final byte[] END = packet(5, 1);
    private static final byte[] END_CLOSE = packet(5, 0);
    private static final byte[] PONG = packet(9);

    private static byte[] all(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /// Reads a packet of the gateway; its type is its first byte, but for data.
    private byte[] read(ScriptedPeer.Talk talk) throws IOException {
        DataInputStream in = new DataInputStream(talk.in());
        if (in.readUnsignedShort() != 0x1234) {
            throw new IOException("no AJP13");
        }
        byte[] payload = new byte[in.readUnsignedShort()];
        in.readFully(payload);
        packets.add(new String(payload, StandardCharsets.ISO_8859_1));
        return payload;
    }

    private ScriptedPeer answering(byte[] answer) throws IOException {
        return new ScriptedPeer(talk -> {
            while (true) {
                read(talk);
                talk.send(answer);
            }
        });
    }

    private static PeerConfig peer(ScriptedPeer peer, PeerConfig.Ping... pings) {
        return PeerConfig.of("peer", PeerAddress.of(PeerScheme.AJP, "127.0.0.1", peer.port()))
                .withTimeouts(
                        new PeerConfig.Timeouts(
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(10),
                                Duration.ofMillis(200)))
                .withAjp(new PeerConfig.Ajp("s3cret", 8192, Set.of(pings)));
    }

    /// What a client gets of a container that answers so.
    private int statusOf(byte[] answer) throws IOException {
        try (ScriptedPeer peer = answering(answer);
                Gateway gateway = new Gateway("nio", peer(peer));
                RawHttpClient client = gateway.client()) {
            return client.get("/a").status();
        }
    }

    @Test
    void answers_oneAfterTheOther_comeOnOneConnection() throws IOException {
        try (ScriptedPeer peer = answering(all(HEADERS_200, CHUNK, END));
                Gateway gateway = new Gateway("nio", peer(peer));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 5; i++) {
                assertEquals("ok", client.get("/a?b=c").text());
            }
            assertEquals(1, peer.connections());
            assertEquals(5, packets.size());
            assertTrue(packets.getFirst().charAt(0) == FORWARD);
            assertTrue(packets.getFirst().contains("s3cret"));
            assertTrue(packets.getFirst().contains("JK_LB_ACTIVATION"));
        }
    }

    @Test
    void connection_thatIsNotToBeReused_isClosed() throws IOException {
        try (ScriptedPeer peer = answering(all(HEADERS_200, CHUNK, END_CLOSE));
                Gateway gateway = new Gateway("nio", peer(peer));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                assertEquals("ok", client.get("/a").text());
            }
            assertEquals(3, peer.connections());
        }
    }

    @Test
    void cve202334981_contentWithoutHead_is502() throws IOException {
        assertEquals(502, statusOf(all(CHUNK, END)));
        assertEquals(502, statusOf(END));
    }

    @Test
    void head_thatDoesNotFitIntoAPacket_is431_andThePeerIsNotToBlame() throws IOException {
        try (ScriptedPeer peer = answering(all(HEADERS_200, CHUNK, END));
                Gateway gateway = new Gateway("nio", peer(peer));
                RawHttpClient client = gateway.client()) {
            String cookie = "Cookie: a=" + "b".repeat(8_000) + "\r\n";
            client.send(
                    "GET /a HTTP/1.1\r\nHost: a\r\n" + cookie + cookie.replace('a', 'c') + "\r\n");
            assertEquals(431, client.response().status());
            assertEquals("ok", client.get("/a").text());
        }
    }

    @Test
    void answer_thatIsNoAjp_is502() throws IOException {
        assertEquals(502, statusOf("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        assertEquals(502, statusOf(new byte[] {0x12, 0x34, 0, 1, 9}));
        assertEquals(502, statusOf(packet(99)));
        assertEquals(502, statusOf(packet(4, 0, 200, 0, 2, 'O', 'K')));
        assertEquals(502, statusOf(packet(4, 3, 231, 0, 0, 0, 0, 0)));
        assertEquals(502, statusOf(new byte[] {'A', 'B', (byte) 0xff, (byte) 0xff}));
    }

    @Test
    void answer_splittingTheNext_is502() throws IOException {
        // A field whose value holds CR LF (CVE-2026-33523).
        int[] evil = {4, 0, 200, 0, 0, 0, 0, 1, 0, 1, 'X', 0, 0, 4, 'a', 13, 10, 'b', 0};
        assertEquals(502, statusOf(all(packet(evil), END)));
    }

    /// Lengths that lead beyond the packet, and strings without their NUL.
    @Test
    void packets_thatSayMoreThanTheyHold_are502_cve2026_34059_34032_33857() throws IOException {
        List<byte[]> heads =
                List.of(
                        packet(),
                        packet(4),
                        packet(4, 0),
                        packet(4, 0, 200, 0xff, 0xfe, 'O', 'K', 0, 0, 0),
                        packet(4, 0, 200, 0, 2, 'O', 'K', 'X', 0, 0),
                        packet(4, 0, 200, 0, 2, 'O', 'K', 0, 0),
                        packet(4, 0, 200, 0, 2, 'O', 'K', 0, 0x7f, 0xff),
                        packet(4, 0, 200, 0, 2, 'O', 'K', 0, 0, 1, 0, 1, 'X'),
                        packet(4, 0, 200, 0, 2, 'O', 'K', 0, 0, 1, 0, 1, 'X', 0, 0, 9, 'y', 0),
                        packet(4, 0, 200, 0, 2, 'O', 'K', 0, 0, 1, 0xa0, 3, 0, 1, '2'));
        for (byte[] head : heads) {
            assertEquals(502, statusOf(all(head, CHUNK, END)));
        }
        for (byte[] chunk :
                List.of(
                        packet(3),
                        packet(3, 0),
                        packet(3, 0, 2),
                        packet(3, 0, 2, 'o', 'k'),
                        packet(3, 0xff, 0xff, 'o', 'k', 0),
                        packet(3, 0, 9, 'o', 'k', 0),
                        packet(5),
                        packet(6, 0))) {
            assertEquals(502, statusOf(all(HEADERS_200, chunk, END)));
        }
    }

    @Test
    void answer_longerOrShorterThanDeclared_isNoAnswer() throws IOException {
        assertEquals(502, statusOf(all(HEADERS_200, packet(3, 0, 1, 'o', 0), END)));
        assertEquals(502, statusOf(all(HEADERS_200, packet(3, 0, 3, 'o', 'k', '!', 0), END)));
    }

    @Test
    void cve20085519_requestWithoutItsContent_leavesNothingForTheNext() throws IOException {
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            while (true) {
                                byte[] request = read(talk);
                                String text = new String(request, StandardCharsets.ISO_8859_1);
                                if (text.contains("/first")) {
                                    continue; // waits for content that never comes
                                }
                                talk.send(all(HEADERS_200, CHUNK, END));
                            }
                        });
                Gateway gateway = new Gateway("nio", peer(peer))) {
            try (RawHttpClient client = gateway.client()) {
                client.send("POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nsecret");
                Eventually.holds("arrived", () -> packets.size() == 1 || packets.size() == 2);
                client.reset();
            }
            Eventually.holds("dropped", () -> open(gateway) == 0);
            try (RawHttpClient client = gateway.client()) {
                assertEquals("ok", client.get("/second").text());
            }
            assertTrue(packets.getLast().contains("/second"), packets.toString());
        }
    }

    private static int open(Gateway gateway) {
        return gateway.pools.open(gateway.upstream.peers().getFirst());
    }

    @Test
    void content_isSentAtOnceThenAsItIsAskedFor() throws IOException {
        AtomicInteger bytes = new AtomicInteger();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            read(talk);
                            bytes.addAndGet(read(talk).length - 2);
                            while (bytes.get() < 20_000) {
                                talk.send(packet(6, 0x10, 0));
                                int length = read(talk).length - 2;
                                if (length > 0x1000) {
                                    throw new IOException("more than was asked for");
                                }
                                bytes.addAndGet(length);
                            }
                            talk.send(packet(6, 0x10, 0));
                            if (read(talk).length != 0) {
                                throw new IOException("no end");
                            }
                            talk.send(all(HEADERS_200, CHUNK, END));
                            talk.awaitEnd();
                        });
                Gateway gateway = new Gateway("nio", peer(peer));
                RawHttpClient client = gateway.client()) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n");
            client.send(BackEnd.content(20_000));
            assertEquals("ok", client.response().text());
            assertEquals(20_000, bytes.get());
        }
    }

    @Test
    void ping_beforeEachRequest_findsDeadConnections() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            int onThis = 0;
                            while (true) {
                                byte[] packet = read(talk);
                                if (packet[0] == PING) {
                                    if (onThis > 0) {
                                        talk.awaitEnd(); // silent from now on
                                    }
                                    talk.send(PONG);
                                } else {
                                    onThis++;
                                    requests.incrementAndGet();
                                    talk.send(all(HEADERS_200, CHUNK, END));
                                }
                            }
                        });
                Gateway gateway =
                        new Gateway(
                                "nio",
                                peer(peer, PeerConfig.Ping.CONNECT, PeerConfig.Ping.PREPOST));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
                assertEquals("ok", client.response().text());
            }
            assertEquals(3, requests.get());
            assertEquals(3, peer.connections());
        }
    }

    @Test
    void answer_cutOff_isSeenAsFailure() throws IOException {
        byte[] head =
                packet(4, 0, 200, 0, 0, 0, 0, 1, 0xa0, 3, 0, 6, '1', '0', '0', '0', '0', '0', 0);
        try (ScriptedPeer peer =
                        new ScriptedPeer(talk -> {
                            read(talk);
                            talk.send(all(head, CHUNK));
                        });
                Gateway gateway = new Gateway("nio", peer(peer));
                RawHttpClient client = gateway.client()) {
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThrows(IOException.class, client::response);
        }
    }
}
