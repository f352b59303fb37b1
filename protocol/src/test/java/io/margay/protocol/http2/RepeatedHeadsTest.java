package io.margay.protocol.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http2.Http2Session.Event;
import io.margay.protocol.http2.Http2Session.Role;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Heads that come or go more than once are those that they were, whatever happens to the dynamic
/// tables in between.
class RepeatedHeadsTest {
    /// `GET / http` of the host `a`, none of it indexed.
    private static final String ASKED = "8286 8401 0161";

    private final Http2Session server =
            new Http2Session(Role.SERVER, Http2Limits.defaults(), false, -1);
    private int nextId = 1;

    RepeatedHeadsTest() {
        Http2Session client = new Http2Session(Role.CLIENT, Http2Limits.defaults(), false, -1);
        int count = client.output().size();
        byte[] bytes = client.output().exchange(new byte[0]);
        Http2Peers.receive(server, bytes, 0, count, new ArrayList<>());
    }

    private Event receive(byte[] frame) {
        return server.receive(frame, 0, frame.length);
    }

    /// Receives a request, whose response has been given when this returns.
    private RequestHead asked(String hex, boolean ends) {
        byte[] block = HexFormat.of().parseHex(hex.replace(" ", ""));
        int flags = Http2.FLAG_END_HEADERS | (ends ? Http2.FLAG_END_STREAM : 0);
        Event event = receive(Http2Peers.frame(Http2.HEADERS, flags, nextId, block));
        nextId += 2;
        assertEquals(Event.HEAD, event);
        RequestHead head = server.requestHead();
        Http2Stream stream = server.stream();
        if (ends && stream != null) {
            server.respond(stream, 204, new FieldList(), -1, null, true);
            server.release(stream);
        }
        return head;
    }

    private static String literal(String name, String value) {
        return "00" + text(name) + text(value);
    }

    private static String text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        assertTrue(bytes.length < 127);
        return String.format("%02x", bytes.length) + HexFormat.of().formatHex(bytes);
    }

    @Test
    void request_madeAgain_isTheHeadThatIsKnown() {
        RequestHead first = asked(ASKED, true);
        RequestHead second = asked(ASKED, true);
        RequestHead third = asked(ASKED, true);
        assertEquals("host: a", first.fields().toString().strip());
        assertNotSame(first, second, "a head that comes once is not kept");
        assertSame(second, third);
        assertEquals(first.target(), third.target());
    }

    @Test
    void equalBlock_afterTheTableHasChanged_isDecodedAnew() {
        asked(ASKED + "40 0178 0131", true); // x: 1, indexed
        String newest = ASKED + "be"; // whatever was indexed last
        for (int i = 0; i < 3; i++) {
            assertEquals("1", asked(newest, true).field("x"));
        }
        asked(ASKED + "40 0179 0132", true); // y: 2
        for (int i = 0; i < 3; i++) {
            RequestHead head = asked(newest, true);
            assertEquals("2", head.field("y"));
            assertEquals(null, head.field("x"));
        }
        asked("20 3fe11f" + ASKED, true); // empties the table, and allows 4096 octets again
        byte[] block = HexFormat.of().parseHex(newest.replace(" ", ""));
        int flags = Http2.FLAG_END_HEADERS | Http2.FLAG_END_STREAM;
        assertEquals(Event.FAILED, receive(Http2Peers.frame(Http2.HEADERS, flags, nextId, block)));
    }

    @Test
    void equalBlock_withContentToFollow_isAnotherHead() {
        for (int i = 0; i < 3; i++) {
            assertEquals(RequestHead.NO_BODY, asked(ASKED, true).contentLength());
            assertEquals(RequestHead.UNKNOWN_LENGTH, asked(ASKED, false).contentLength());
        }
    }

    @Test
    void declaredLength_ofAKnownHead_holds() {
        String posted = "8386 8401 0161" + literal("content-length", "3");
        for (int i = 0; i < 3; i++) {
            assertEquals(3, asked(posted, false).contentLength());
        }
        byte[] two = {1, 2};
        Event event = receive(Http2Peers.frame(Http2.DATA, Http2.FLAG_END_STREAM, nextId - 2, two));
        assertEquals(Event.RESET, event);
    }

    @Test
    void largeHead_ofASmallBlock_isNotKept() {
        String value = "v".repeat(100);
        asked(ASKED + "40" + text("x") + text(value), true);
        String many = ASKED + "be".repeat(6); // 600 octets of seven
        RequestHead second = null;
        for (int i = 0; i < 2; i++) {
            second = asked(many, true);
        }
        assertNotSame(second, asked(many, true));
    }

    @Test
    void unendingKinds_ofHeads_keepNoMoreThanTheirPlaces() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 1_000; i++) {
                String value = Integer.toString(i);
                assertEquals(value, asked(ASKED + literal("x", value), true).field("x"));
                assertEquals(value, asked(ASKED + literal("x", value), true).field("x"));
            }
        }
    }

    @Test
    void responses_ofAllKinds_areDecodedAsTheyWereMeant() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        FrameWriter writer = new FrameWriter();
        HpackDecoder decoder = new HpackDecoder(4_096);
        String[] values = {"a", "b", "v".repeat(300), "bytes"};
        int reused = 0;
        byte[] last = {};
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(50) == 0) {
                writer.encoder.tableBytesMax(random.nextInt(3) * 200);
            }
            FieldList fields = new FieldList();
            List<String> wanted = new ArrayList<>();
            int status = random.nextInt(5) == 0 ? 404 : 200;
            wanted.add(":status: " + status);
            for (String name : List.of("ETag", "Accept-Ranges", "X-Own")) {
                if (random.nextInt(3) > 0) {
                    String value = values[random.nextInt(random.nextInt(4) + 1)];
                    fields.add(name, value);
                    wanted.add(name.toLowerCase(java.util.Locale.ROOT) + ": " + value);
                }
            }
            int length = random.nextInt(3) - 1;
            if (length >= 0) {
                wanted.add("content-length: " + length);
            }
            String date = random.nextInt(5) == 0 ? null : "D" + i / 500;
            if (date != null) {
                wanted.add("date: " + date);
            }
            writer.response(1, status, fields, length, date, false);
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            int from = Http2.FRAME_HEADER_BYTES;
            block.write(writer.out.array(), from, writer.out.size() - from);
            writer.out.exchange(new byte[0]);
            List<String> got = decoded(decoder, block.toByteArray());
            assertEquals(wanted, got, "seed " + seed + ", response " + i);
            reused += java.util.Arrays.equals(last, block.toByteArray()) ? 1 : 0;
            last = block.toByteArray();
        }
        assertTrue(reused > 10, "seed " + seed);
    }

    private static List<String> decoded(HpackDecoder decoder, byte[] block) {
        List<String> got = new ArrayList<>();
        boolean good =
                decoder.decode(
                        block,
                        0,
                        block.length,
                        (name, nf, nt, value, vf, vt) ->
                                got.add(
                                        new String(name, nf, nt - nf, StandardCharsets.ISO_8859_1)
                                                + ": "
                                                + new String(
                                                        value,
                                                        vf,
                                                        vt - vf,
                                                        StandardCharsets.ISO_8859_1)));
        assertTrue(good, () -> HexFormat.of().formatHex(block));
        return got;
    }

    @Test
    void response_thatCannotBeSent_isRefusedEachTime() {
        FrameWriter writer = new FrameWriter();
        FieldList bad = new FieldList().add("X", "a\r\nb");
        for (int i = 0; i < 3; i++) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> writer.response(1, 200, bad, 0, null, true));
        }
        assertEquals(0, writer.out.size());
    }
}
