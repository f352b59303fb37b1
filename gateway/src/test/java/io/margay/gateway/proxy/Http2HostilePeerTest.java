package io.margay.gateway.proxy;

import static io.margay.testkit.Http2Wire.block;
import static io.margay.testkit.Http2Wire.frame;
import static io.margay.testkit.Http2Wire.int32;
import static io.margay.testkit.Http2Wire.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.PeerScheme;
import io.margay.protocol.http2.Http2;
import io.margay.testkit.Eventually;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.ScriptedPeer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// HTTP/2 peers that break the protocol: answers are checked as strictly as requests, what is wrong
/// is 502, and nothing that a POST asked for is asked twice.
final class Http2HostilePeerTest {
    private static final int ENDS = Http2.FLAG_END_HEADERS | Http2.FLAG_END_STREAM;

    /// What a peer sends instead of a proper answer on stream 1.
    enum Misdeed {
        OTHER_PROTOCOL("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
        FRAME_TOO_LONG(frame(Http2.DATA, 1, 1, new byte[16_385])),
        DATA_BEFORE_THE_HEAD(frame(Http2.DATA, 1, 1, new byte[2])),
        DATA_ON_NO_STREAM(frame(Http2.DATA, 1, 0, new byte[2])),
        DATA_ON_AN_IDLE_STREAM(frame(Http2.DATA, 1, 7, new byte[2])),
        HEAD_ON_AN_IDLE_STREAM(frame(Http2.HEADERS, ENDS, 7, block(":status: 200"))),
        HEAD_ON_A_STREAM_OF_ITS_OWN(frame(Http2.HEADERS, ENDS, 2, block(":status: 200"))),
        PUSH(frame(Http2.PUSH_PROMISE, Http2.FLAG_END_HEADERS, 1, push())),
        STRAY_CONTINUATION(frame(Http2.CONTINUATION, 4, 1, block(":status: 200"))),
        BLOCK_INTERRUPTED(
                join(
                        frame(Http2.HEADERS, 0, 1, block(":status: 200")),
                        frame(Http2.PING, 0, 0, new byte[8]))),
        BLOCK_UNDECODABLE(frame(Http2.HEADERS, ENDS, 1, new byte[] {(byte) 0xff, -1, -1, -1, -1})),
        STATUS_MISSING(head("server: x")),
        STATUS_TWICE(head(":status: 200", ":status: 200")),
        STATUS_AFTER_A_FIELD(head("server: x", ":status: 200")),
        STATUS_OF_LETTERS(head(":status: 2oo")),
        STATUS_TOO_SHORT(head(":status: 20")),
        STATUS_WITH_A_LINE_END(head(":status: 200\r\nx: y")),
        PSEUDO_FIELD_OF_REQUESTS(head(":status: 200", ":path: /")),
        SWITCHED_UNASKED(head(":status: 101", "sec-websocket-accept: x")),
        NAME_IN_UPPER_CASE(head(":status: 200", "Server: x")),
        NAME_WITH_A_LINE_END(head(":status: 200", "x\r\ny: z")),
        NAME_EMPTY(head(":status: 200", ": z")),
        VALUE_WITH_A_LINE_END(head(":status: 200", "x: y\r\nset-cookie: evil=1")),
        VALUE_WITH_NUL(head(":status: 200", "x: y\0z")),
        CONNECTION_FIELD(head(":status: 200", "connection: close")),
        TRANSFER_ENCODING(head(":status: 200", "transfer-encoding: chunked")),
        UPGRADE(head(":status: 200", "upgrade: h2c")),
        LENGTH_TWICE(head(":status: 200", "content-length: 0", "content-length: 0")),
        LENGTH_SIGNED(head(":status: 200", "content-length: +0")),
        LENGTH_WITHOUT_CONTENT(head(":status: 200", "content-length: 5")),
        CONTENT_SHORTER_THAN_TOLD(answer("content-length: 5", "four")),
        CONTENT_LONGER_THAN_TOLD(answer("content-length: 3", "four")),
        CONTENT_WHERE_NONE_IS_TOLD(answer("content-length: 0", "four")),
        HEAD_TWICE(
                join(
                        frame(Http2.HEADERS, 4, 1, block(":status: 200")),
                        frame(Http2.HEADERS, 4, 1, block(":status: 200")))),
        TRAILERS_WITH_STATUS(
                join(
                        frame(Http2.HEADERS, 4, 1, block(":status: 200")),
                        frame(Http2.HEADERS, ENDS, 1, block(":status: 200")))),
        INTERIM_THAT_ENDS(head(":status: 103")),
        INTERIMS_WITHOUT_END(times(frame(Http2.HEADERS, 4, 1, block(":status: 102")), 50)),
        HEAD_TOO_LARGE(
                frame(Http2.HEADERS, 1, 1, block(":status: 200")),
                times(frame(Http2.CONTINUATION, 0, 1, block("x: " + "y".repeat(9_000))), 8),
                frame(Http2.CONTINUATION, 4, 1, block("x: y"))),
        FIELDS_TOO_MANY(head(many(500))),
        WINDOW_OVERFLOW(frame(Http2.WINDOW_UPDATE, 0, 1, int32(Integer.MAX_VALUE))),
        WINDOW_OF_ALL_OVERFLOW(frame(Http2.WINDOW_UPDATE, 0, 0, int32(Integer.MAX_VALUE))),
        WINDOW_GROWS_BY_NOTHING(frame(Http2.WINDOW_UPDATE, 0, 1, int32(0))),
        SETTING_IMPOSSIBLE(frame(Http2.SETTINGS, 0, 0, settings(Http2.SETTINGS_MAX_FRAME_SIZE, 1))),
        SETTING_PUSH(frame(Http2.SETTINGS, 0, 0, settings(Http2.SETTINGS_ENABLE_PUSH, 1))),
        SETTINGS_CUT(frame(Http2.SETTINGS, 0, 0, new byte[5])),
        CVE_2019_9512_PINGS(times(frame(Http2.PING, 0, 0, new byte[8]), 2_000)),
        CVE_2019_9515_SETTINGS(times(frame(Http2.SETTINGS, 0, 0, new byte[0]), 1_000)),
        CVE_2019_9518_EMPTY_DATA(
                join(
                        frame(Http2.HEADERS, 4, 1, block(":status: 200")),
                        times(frame(Http2.DATA, 0, 1, new byte[0]), 2_000))),
        CVE_2024_27316_CONTINUATIONS(
                join(
                        frame(Http2.HEADERS, 0, 1, block(":status: 200")),
                        times(frame(Http2.CONTINUATION, 0, 1, block("x: y")), 2_000))),
        CVE_2016_6581_HPACK_BOMB(frame(Http2.HEADERS, ENDS, 1, bomb())),
        RESET_AT_ONCE(frame(Http2.RST_STREAM, 0, 1, int32(Http2.INTERNAL_ERROR))),
        GONE_AFTER_HALF_A_FRAME(new byte[] {0, 0, 10, 0, 0});

        final byte[] bytes;

        Misdeed(String text) {
            this(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        Misdeed(byte[]... parts) {
            bytes = join(parts);
        }

        private static byte[] push() {
            return join(int32(2), block(":method: GET", ":path: /"));
        }

        private static byte[] head(String... fields) {
            return frame(Http2.HEADERS, ENDS, 1, block(fields));
        }

        private static byte[] answer(String length, String content) {
            return join(
                    frame(Http2.HEADERS, 4, 1, block(":status: 200", length)),
                    frame(Http2.DATA, 1, 1, content.getBytes(StandardCharsets.ISO_8859_1)));
        }

        private static String[] many(int count) {
            String[] fields = new String[count];
            fields[0] = ":status: 200";
            for (int i = 1; i < count; i++) {
                fields[i] = "x" + i + ": y";
            }
            return fields;
        }

        private static byte[] times(byte[] bytes, int count) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                all.writeBytes(bytes);
            }
            return all.toByteArray();
        }

        private static byte[] join(byte[]... parts) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] each : parts) {
                all.writeBytes(each);
            }
            return all.toByteArray();
        }

        /// A field of 4000 octets in the table, named again by one octet each time.
        private static byte[] bomb() {
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            block.writeBytes(block(":status: 200"));
            block.write(0x40);
            block.write(1);
            block.write('x');
            block.write(127);
            int rest = 3_900 - 127;
            block.write(rest & 127 | 128);
            block.write(rest >> 7);
            block.writeBytes("y".repeat(3_900).getBytes(StandardCharsets.ISO_8859_1));
            for (int i = 0; i < 10_000; i++) {
                block.write(0x80 | 62);
            }
            return block.toByteArray();
        }
    }

    private static ScriptedPeer.Script doing(Misdeed misdeed, AtomicInteger requests) {
        if (misdeed == Misdeed.OTHER_PROTOCOL) {
            return talk -> otherProtocol(talk, requests);
        }
        return talk -> {
            Http2Wire wire = Http2Wire.accept(talk.socket());
            wire.send(Http2.SETTINGS, 0, 0, settings());
            while (!wire.on(1).ended()) {
                if (wire.read() == null) {
                    return;
                }
            }
            requests.incrementAndGet();
            try {
                wire.raw(misdeed.bytes);
            } finally {
                talk.socket().shutdownOutput();
                wire.awaitEnd();
            }
        };
    }

    /// Reads a whole request and acknowledges nothing of it, as a server that does not know HTTP/2.
    private static void otherProtocol(ScriptedPeer.Talk talk, AtomicInteger requests)
            throws IOException {
        DataInputStream in = new DataInputStream(talk.in());
        in.skipNBytes(Http2Wire.PREFACE.length());
        boolean ends = false;
        while (!ends) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            in.skipNBytes(4L + length);
            ends =
                    (type == Http2.DATA || type == Http2.HEADERS)
                            && (flags & Http2.FLAG_END_STREAM) != 0;
        }
        requests.incrementAndGet();
        talk.out().write(Misdeed.OTHER_PROTOCOL.bytes);
        talk.socket().shutdownOutput();
        long _ = in.transferTo(OutputStream.nullOutputStream());
    }

    @ParameterizedTest
    @EnumSource(Misdeed.class)
    void answer_thatBreaksTheProtocol_is502_andAPostIsNotSentTwice(Misdeed misdeed)
            throws IOException {
        AtomicInteger requests = new AtomicInteger();
        try (ScriptedPeer peer = new ScriptedPeer(doing(misdeed, requests));
                ScriptedPeer other = new ScriptedPeer(doing(misdeed, requests));
                Gateway gateway =
                        new Gateway("nio", Peers.http2(peer, "peer"), Peers.http2(other, "other"));
                RawHttpClient client = gateway.client()) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            assertEquals(502, finalStatus(client));
            assertEquals(1, requests.get());
            assertTrue(gateway.pools.open(gateway.upstream.peers().getFirst()) <= 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Misdeed.class)
    void answer_thatBreaksTheProtocol_ofAGet_isTriedOnAnother(Misdeed misdeed) throws IOException {
        AtomicInteger requests = new AtomicInteger();
        try (ScriptedPeer bad = new ScriptedPeer(doing(misdeed, requests));
                BackEnd good = new BackEnd(PeerScheme.H2C);
                Gateway gateway =
                        new Gateway("native", Peers.http2(bad, "bad"), good.peer("good"));
                RawHttpClient client = gateway.client()) {
            for (int i = 0; i < 2; i++) {
                RawHttpClient.Response answer = client.get("/a");
                while (answer.status() < 200) {
                    answer = client.response();
                }
                assertEquals("GET /a", answer.text());
            }
            assertEquals(1, requests.get());
        }
    }

    private static int finalStatus(RawHttpClient client) throws IOException {
        int status = client.response(true).status();
        while (status < 200) {
            status = client.response(true).status();
        }
        return status;
    }

    /// The decoded size of a bomb of this kind is 39 MB: it is not kept.
    @Test
    void cve_2016_6581_hpackBomb_isNotDecodedIntoMemory() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        try (ScriptedPeer peer =
                        new ScriptedPeer(doing(Misdeed.CVE_2016_6581_HPACK_BOMB, requests));
                Gateway gateway = new Gateway("nio", Peers.http2(peer, "peer"))) {
            long before = allocated();
            for (int i = 0; i < 20; i++) {
                try (RawHttpClient client = gateway.client()) {
                    client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
                    assertTrue(client.response().status() >= 500);
                }
            }
            assertTrue(requests.get() > 0);
            // Others of this JVM may hold something for a while.
            Eventually.holds("none is held", () -> allocated() - before < 16L << 20);
        }
    }

    /// Octets that are held, as far as the collector can tell.
    private static long allocated() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
