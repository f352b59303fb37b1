package io.margay.protocol.quic.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.QuicError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class FramesTest {
    private static final byte[] ID = {1, 2, 3, 4};
    private static final byte[] TOKEN = new byte[16];
    private static final long LARGE = (1L << 62) - 1;

    /// A frame as it is written, and what is read.
    private record Written(String text, Predicate<FrameWriter> frame) {
        byte[] octets() {
            byte[] bytes = new byte[200];
            FrameWriter out = new FrameWriter();
            out.begin(bytes, 0, bytes.length);
            assertTrue(frame.test(out));
            return Arrays.copyOf(bytes, out.at());
        }

        @Override
        public String toString() {
            return text;
        }
    }

    static Stream<Written> frames() {
        return Stream.of(
                new Written("reset 4 77 1000", w -> w.resetStream(4, 77, 1000)),
                new Written("stop 4 77", w -> w.stopSending(4, 77)),
                new Written("max " + LARGE, w -> w.maxData(LARGE)),
                new Written("max 8 70000", w -> w.maxStreamData(8, 70_000)),
                new Written("streams true 100", w -> w.maxStreams(true, 100)),
                new Written("streams false 3", w -> w.maxStreams(false, 3)),
                new Written("blocked -1 9", w -> w.dataBlocked(-1, 9)),
                new Written("blocked 12 9", w -> w.dataBlocked(12, 9)),
                new Written("streams-blocked true 7", w -> w.streamsBlocked(true, 7)),
                new Written("streams-blocked false 7", w -> w.streamsBlocked(false, 7)),
                new Written("retire 3", w -> w.retireConnectionId(3)),
                new Written("challenge -2", w -> w.pathChallenge(-2)),
                new Written("response 5", w -> w.pathResponse(5)),
                new Written("token 01020304", w -> w.newToken(ID)),
                new Written("id 5 2 01020304 " + "00".repeat(16), FramesTest::newId),
                new Written("close true 9 01020304", w -> w.close(9, -1, ID)),
                new Written("close false 10 01020304", w -> w.close(10, 0x1c, ID)),
                new Written("crypto 900 01020304", FramesTest::crypto),
                new Written("stream 4 0 01020304 false", w -> stream(w, 0, false)),
                new Written("stream 4 300 01020304 true", w -> stream(w, 300, true)),
                new Written("ack 90 after 7: 80-90 70-71 0-0", w -> ack(w, false)),
                new Written("ack 90 after 7: 80-90 70-71 0-0 ecn 1/2/3", w -> ack(w, true)));
    }

    private static boolean newId(FrameWriter out) {
        return out.newConnectionId(5, 2, ID, TOKEN);
    }

    private static boolean crypto(FrameWriter out) {
        out.crypto(900, ID, 0, 4);
        return true;
    }

    private static boolean stream(FrameWriter out, long offset, boolean ends) {
        int at = out.stream(4, offset, ID.length, ends);
        System.arraycopy(ID, 0, out.bytes(), at, ID.length);
        return true;
    }

    private static boolean ack(FrameWriter out, boolean ecn) {
        out.ack(ecn, 90, 7, 2, 10);
        out.ackRange(7, 1);
        out.ackRange(68, 0);
        if (ecn) {
            out.ackCounts(1, 2, 3);
        }
        return true;
    }

    private static @Nullable QuicError read(Level level, byte[] bytes, List<String> seen) {
        TracedFrames sink = new TracedFrames();
        QuicError error =
                new FrameReader(level != Level.ONE_RTT).read(level, bytes, 0, bytes.length, sink);
        seen.addAll(sink.seen);
        return error;
    }

    @ParameterizedTest
    @MethodSource("frames")
    void frame_isReadAsWritten_andMalformedWhenCut(Written written) {
        byte[] octets = written.octets();
        List<String> seen = new ArrayList<>();
        assertNull(read(Level.ONE_RTT, octets, seen));
        assertEquals(List.of(written.text), seen);
        for (int cut = 1; cut < octets.length; cut++) {
            QuicError error = read(Level.ONE_RTT, Arrays.copyOf(octets, cut), new ArrayList<>());
            assertNotNull(error, "cut at " + cut);
            assertEquals(QuicError.FRAME_ENCODING_ERROR, error.code());
            assertEquals(octets[0], error.frameType());
        }
    }

    @ParameterizedTest
    @MethodSource("frames")
    void frame_withoutRoom_isNotWritten(Written written) {
        boolean takesRoom = !written.text.matches("(stream|crypto|ack) .*");
        for (int room = 0; takesRoom && room < written.octets().length; room++) {
            FrameWriter out = new FrameWriter();
            out.begin(new byte[room], 0, room);
            boolean whole = written.frame.test(out);
            // The reason of CONNECTION_CLOSE may be cut.
            assertTrue(!whole || written.text.startsWith("close"), "room " + room);
            assertTrue(whole || out.at() == 0);
        }
    }

    @Test
    void frames_inOnePacket_areReadInTheirOrder() {
        byte[] bytes = new byte[100];
        FrameWriter out = new FrameWriter();
        out.begin(bytes, 0, 100);
        out.padding(3);
        assertTrue(out.ping());
        stream(out, 1, false);
        assertTrue(out.handshakeDone());
        List<String> seen = new ArrayList<>();
        assertNull(read(Level.ONE_RTT, Arrays.copyOf(bytes, out.at()), seen));
        assertEquals(List.of("stream 4 1 01020304 false", "done"), seen);
    }

    @Test
    void streamFrame_withoutLength_takesTheRest() {
        List<String> seen = new ArrayList<>();
        assertNull(read(Level.ONE_RTT, new byte[] {0x08, 4, 7, 7}, seen));
        assertEquals(List.of("stream 4 0 0707 false"), seen);
    }

    @Test
    void streamRoom_isWhatFits() {
        for (int size = 0; size < 300; size++) {
            FrameWriter out = new FrameWriter();
            out.begin(new byte[size], 0, size);
            int room = out.streamRoom(70, 100_000);
            if (room >= 0) {
                out.stream(70, 100_000, room, false);
                assertTrue(out.at() <= size);
                assertTrue(size - out.at() <= 1, "all but an octet is used");
            }
            out.begin(new byte[size], 0, size);
            int crypto = out.cryptoRoom(100_000);
            if (crypto > 0) {
                out.crypto(100_000, new byte[300], 0, crypto);
                assertTrue(out.at() <= size);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', a, a packet without frames",
        "1f, 7, a type that nobody knows",
        "40ff, 7, a type of two octets that nobody knows",
        "4001, a, PING in two octets",
        "0200000001, 7, a range below 0",
        "020a00010a0000, 7, a gap below 0",
        "020a00010501, 7, a truncated range",
        "0700, 7, a token without octets",
        "180100" + "00" + "00000000000000000000000000000000, 7, a connection id without octets",
        "18010201aa00000000000000000000000000000000, 7, ids to retire that are not issued",
        "12d000000000000001, 7, more streams than there can be",
        "17d000000000000001, 7, more streams blocked than there can be",
        "0e04ffffffffffffffff01aa, 7, a stream beyond its largest offset",
        "06ffffffffffffffff01aa, 7, a handshake beyond its largest offset",
        "060040ff, 7, a length beyond the packet"
    })
    void packet_thatBreaksTheRules_endsTheConnection(String hex, String code, String why) {
        QuicError error = read(Level.ONE_RTT, HexFormat.of().parseHex(hex), new ArrayList<>());
        assertNotNull(error, why);
        assertEquals(Long.parseLong(code, 16), error.code(), why);
    }

    @Test
    void connectionIds_ofMoreThanTwentyOctets_areMalformed() {
        byte[] octets = new byte[3 + 1 + 21 + 16];
        octets[0] = 0x18;
        octets[3] = 21;
        assertEquals(
                QuicError.FRAME_ENCODING_ERROR,
                read(Level.ONE_RTT, octets, new ArrayList<>()).code());
    }

    /// RFC 9000 §12.4, table 3.
    @ParameterizedTest
    @MethodSource("frames")
    void frame_isTakenWhereItMayBe(Written written) {
        String name = written.text.substring(0, written.text.indexOf(' '));
        boolean handshake =
                List.of("ack", "crypto").contains(name) || written.text.startsWith("close false");
        boolean early = !List.of("ack", "crypto", "token", "response", "retire").contains(name);
        for (Level level : Level.values()) {
            boolean allowed =
                    switch (level) {
                        case INITIAL, HANDSHAKE -> handshake;
                        case ZERO_RTT -> early;
                        case ONE_RTT -> true;
                    };
            QuicError error = read(level, written.octets(), new ArrayList<>());
            assertEquals(allowed, error == null, level + " " + written.text);
            assertTrue(error == null || error.code() == QuicError.PROTOCOL_VIOLATION);
        }
    }

    @Test
    void framesOfServers_fromAClient_endTheConnection() {
        for (byte[] octets : List.of(new byte[] {0x1e}, new byte[] {7, 1, 1})) {
            TracedFrames sink = new TracedFrames();
            QuicError error =
                    new FrameReader(true).read(Level.ONE_RTT, octets, 0, octets.length, sink);
            assertEquals(QuicError.PROTOCOL_VIOLATION, error.code());
            assertEquals(List.of(), sink.seen);
        }
    }

    @Test
    void packets_tellWhetherTheyAskForAnAck_andWhetherTheyProbe() {
        FrameReader reader = new FrameReader(false);
        TracedFrames sink = new TracedFrames();
        assertNull(reader.read(Level.ONE_RTT, new byte[] {0, 0}, 0, 2, sink));
        assertFalse(reader.isAckEliciting());
        assertTrue(reader.isProbing());
        assertNull(reader.read(Level.ONE_RTT, new byte[] {2, 0, 0, 0, 0}, 0, 5, sink));
        assertFalse(reader.isAckEliciting());
        assertFalse(reader.isProbing());
        assertNull(reader.read(Level.ONE_RTT, new byte[] {1, 0}, 0, 2, sink));
        assertTrue(reader.isAckEliciting());
        assertFalse(reader.isProbing());
        byte[] challenge = {0x1a, 1, 2, 3, 4, 5, 6, 7, 8, 0};
        assertNull(reader.read(Level.ONE_RTT, challenge, 0, 10, sink));
        assertTrue(reader.isAckEliciting());
        assertTrue(reader.isProbing());
    }

    @Test
    void ack_ofThousandsOfRanges_isReadWithinItsBound() {
        byte[] bytes = new byte[4 + 2 + 2 * 2000 + 1];
        FrameWriter out = new FrameWriter();
        out.begin(bytes, 0, bytes.length);
        out.ack(false, 10_000, 0, 2_000, 0);
        for (int i = 0; i < 2_000; i++) {
            out.ackRange(0, 0);
        }
        List<String> seen = new ArrayList<>();
        assertNull(read(Level.ONE_RTT, Arrays.copyOf(bytes, out.at()), seen));
        assertEquals(AckFrame.RANGES_MAX, seen.getFirst().split(" ").length - 4);
    }

    @Test
    void anyOctets_areReadOrRefused() {
        Random random = new Random(9000);
        for (int i = 0; i < 20_000; i++) {
            byte[] octets = new byte[random.nextInt(60)];
            random.nextBytes(octets);
            if (octets.length > 0) {
                octets[0] = (byte) random.nextInt(0x20);
            }
            Level level = Level.values()[random.nextInt(4)];
            QuicError error = read(level, octets, new ArrayList<>());
            assertTrue(
                    error == null
                            || error.code() == QuicError.FRAME_ENCODING_ERROR
                            || error.code() == QuicError.PROTOCOL_VIOLATION);
        }
    }
}
