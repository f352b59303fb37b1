package io.margay.protocol.http3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.HpackDecoder;
import io.margay.protocol.http3.QpackDecoder.Result;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QpackTest {
    private static final class Fields implements HpackDecoder.Sink {
        final List<String> lines = new ArrayList<>();

        @Override
        public void field(byte[] name, int nf, int nt, byte[] value, int vf, int vt) {
            lines.add(text(name, nf, nt) + "=" + text(value, vf, vt));
        }

        private static String text(byte[] bytes, int from, int to) {
            return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        }
    }

    private final QpackDecoder decoder = new QpackDecoder(220, 2);

    private boolean instructions(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return decoder.encoderData(bytes, 0, bytes.length);
    }

    private Result decode(QpackDecoder by, long stream, byte[] bytes, List<String> lines) {
        Fields fields = new Fields();
        Result result = by.decode(stream, bytes, 0, bytes.length, fields);
        lines.addAll(fields.lines);
        return result;
    }

    private void decodes(long stream, String hex, String... lines) {
        List<String> got = new ArrayList<>();
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        assertEquals(Result.DONE, decode(decoder, stream, bytes, got));
        assertEquals(List.of(lines), got);
    }

    private String output() {
        return HexFormat.of().formatHex(decoder.output().take());
    }

    /// RFC 9204 Appendix B, from its first example to its last, as the decoder sees it.
    @Test
    void examples_ofTheRfc_areDecoded() {
        decodes(0, "0000 510b 2f69 6e64 6578 2e68 746d 6c", ":path=/index.html");
        assertEquals("", output());

        assertTrue(
                instructions(
                        "3fbd01 c00f 7777 772e 6578 616d 706c 652e 636f 6d c10c 2f73 616d 706c"
                                + " 652f 7061 7468"));
        assertEquals(106, decoder.tableBytes());
        assertEquals("02", output());
        decodes(4, "0381 10 11", ":authority=www.example.com", ":path=/sample/path");
        assertEquals("84", output());

        assertTrue(instructions("4a63 7573 746f 6d2d 6b65 790c 6375 7374 6f6d 2d76 616c 7565"));
        assertEquals(160, decoder.tableBytes());
        assertEquals("01", output());

        byte[] early = HexFormat.of().parseHex("050080c181");
        assertEquals(Result.BLOCKED, decode(decoder, 8, early, new ArrayList<>()));
        decoder.cancel(8);
        assertEquals("48", output());
        assertTrue(instructions("02"));
        assertEquals(217, decoder.tableBytes());
        decodes(
                8,
                "0500 80 c1 81",
                ":authority=www.example.com",
                ":path=/",
                "custom-key=custom-value");

        assertTrue(instructions("810d 6375 7374 6f6d 2d76 616c 7565 32"));
        assertEquals(215, decoder.tableBytes());
        assertEquals(5, decoder.inserted());
    }

    @Test
    void instructions_cutAnywhere_sayTheSame() {
        byte[] all =
                HexFormat.of()
                        .parseHex(
                                "3fbd01c00f7777772e6578616d706c652e636f6d"
                                        + "c10c2f73616d706c652f70617468"
                                        + "4a637573746f6d2d6b65790c637573746f6d2d76616c7565"
                                        + "02810d637573746f6d2d76616c756532");
        for (int cut = 0; cut <= all.length; cut++) {
            QpackDecoder by = new QpackDecoder(220, 2);
            assertTrue(by.encoderData(all, 0, cut));
            assertTrue(by.encoderData(all, cut, all.length));
            assertEquals(5, by.inserted(), "cut at " + cut);
            assertEquals(215, by.tableBytes(), "cut at " + cut);
        }
        QpackDecoder octetwise = new QpackDecoder(220, 2);
        for (int i = 0; i < all.length; i++) {
            assertTrue(octetwise.encoderData(all, i, i + 1));
        }
        assertEquals(5, octetwise.inserted());
    }

    @ParameterizedTest
    @CsvSource({
        "3fbe01, a capacity above the one that was allowed",
        "80 00, a name of an entry that is not there",
        "ff24 00, a name beyond the static table",
        "00, a duplicate of what is not there",
        "c000, an entry without a table",
        "40 00, an entry without a name and without a table",
        "5fffffffffffffffffff7f, a length beyond any",
        "c0 7f ff 7f, a string larger than the table can be"
    })
    void instruction_thatCannotBe_endsTheConnection(String hex, String why) {
        assertFalse(instructions(hex), why);
    }

    @ParameterizedTest
    @CsvSource({
        "00, no base",
        "0000 ff24, beyond the static table",
        "0000 80, an entry that the section does not need",
        "0080, a base below 0",
        "ff00 00, more entries than there can be",
        "0000 5f, a line that is cut",
        "0000 51 8b ffffffff, a string that is cut",
        "0000 51 84 ffffffff, a string that is not Huffman's",
        "0000 27 00 6162, a name that is cut"
    })
    void section_thatCannotBe_endsTheConnection(String hex, String why) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        assertEquals(Result.MALFORMED, decode(decoder, 0, bytes, new ArrayList<>()), why);
    }

    @Test
    void blockedStreams_moreThanAllowed_endTheConnection() {
        byte[] early = HexFormat.of().parseHex("020080");
        assertTrue(instructions("3fbd01"));
        assertEquals(Result.BLOCKED, decode(decoder, 0, early, new ArrayList<>()));
        assertEquals(Result.BLOCKED, decode(decoder, 0, early, new ArrayList<>()));
        assertEquals(Result.BLOCKED, decode(decoder, 4, early, new ArrayList<>()));
        assertEquals(Result.MALFORMED, decode(decoder, 8, early, new ArrayList<>()));
    }

    @Test
    void instruction_withoutEnd_claimsNoMoreThanItsBound() {
        byte[] octets = new byte[64];
        octets[0] = (byte) 0xc0;
        octets[1] = 0x7f;
        octets[2] = 0x50;
        assertTrue(decoder.encoderData(octets, 0, 64));
        boolean right = true;
        int sent = 64;
        while (right && sent < 100_000) {
            right = decoder.encoderData(octets, 8, 40);
            sent += 32;
        }
        assertFalse(right);
        assertTrue(sent < 2 * decoder.pendingMax(), sent + " octets");
    }

    // The encoder, against the decoder

    @Test
    void decoderStream_thatLies_endsTheConnection() {
        QpackEncoder encoder = new QpackEncoder();
        encoder.peerSettings(4_096, 10);
        assertFalse(encoder.decoderData(new byte[] {0}, 0, 1), "an increment of 0");
        assertFalse(encoder.decoderData(new byte[] {1}, 0, 1), "more than was inserted");
        assertFalse(new QpackEncoder().decoderData(new byte[] {(byte) 0x84}, 0, 1), "no section");
        assertTrue(encoder.decoderData(new byte[] {0x44}, 0, 1), "any stream can be cancelled");
    }

    @Test
    void secretsAndFickleValues_areNotInserted() {
        QpackEncoder encoder = new QpackEncoder();
        encoder.peerSettings(4_096, 10);
        encoder.instructions().take();
        encoder.begin(0);
        encoder.field("authorization", "Basic abc");
        encoder.field("x-request-id", "17");
        encoder.end(new Http3Buffer());
        assertEquals(0, encoder.instructions().size());
        assertEquals(0, encoder.outstanding());
    }

    @Test
    void peerThatAcknowledgesNothing_getsSectionsWithoutReferences() {
        QpackEncoder encoder = new QpackEncoder();
        encoder.peerSettings(4_096, 1_000);
        for (int i = 0; i < 2 * QpackEncoder.SECTIONS_MAX; i++) {
            encoder.begin(4L * i);
            encoder.field("server", "margay");
            encoder.end(new Http3Buffer());
        }
        assertEquals(QpackEncoder.SECTIONS_MAX, encoder.outstanding());
    }

    /// Sections and instructions of random fields, which arrive late and in any order.
    @ParameterizedTest
    @ValueSource(ints = {0, 100, 400, 4_096})
    void sections_ofAnyFields_comeBack_whateverIsLate(int capacity) {
        for (int seed = 0; seed < 40; seed++) {
            for (int blockedMax : new int[] {0, 1, 8}) {
                new Exchange(capacity, blockedMax, seed).run();
            }
        }
    }

    private static final class Exchange {
        final Random random;
        final QpackEncoder encoder = new QpackEncoder();
        final QpackDecoder decoder;
        final ArrayDeque<byte[]> toDecoder = new ArrayDeque<>();
        final ArrayDeque<byte[]> toEncoder = new ArrayDeque<>();
        final List<byte[]> sections = new ArrayList<>();
        final List<List<String>> expected = new ArrayList<>();
        final List<Long> streams = new ArrayList<>();
        final int seed;

        Exchange(int capacity, int blockedMax, int seed) {
            this.seed = seed;
            random = new Random(seed);
            decoder = new QpackDecoder(capacity, blockedMax);
            encoder.peerSettings(capacity, blockedMax);
        }

        void run() {
            for (long stream = 0; stream < 120; stream++) {
                send(4 * stream);
                settle(random.nextInt(3));
            }
            for (int i = 0; i < 500 && !sections.isEmpty(); i++) {
                settle(4);
            }
            assertEquals(0, sections.size(), "seed " + seed);
        }

        private void send(long stream) {
            encoder.begin(stream);
            List<String> lines = new ArrayList<>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                String name = random.nextInt(4) == 0 ? "server" : "x-" + random.nextInt(6);
                String value = "v".repeat(random.nextInt(40)) + random.nextInt(5);
                lines.add(name + "=" + value);
                encoder.field(name, value);
            }
            Http3Buffer out = new Http3Buffer();
            encoder.end(out);
            toDecoder.add(encoder.instructions().take());
            sections.add(out.take());
            expected.add(lines);
            streams.add(stream);
        }

        private void settle(int steps) {
            for (int i = 0; i < steps; i++) {
                if (random.nextBoolean() && !toDecoder.isEmpty()) {
                    byte[] bytes = toDecoder.remove();
                    assertTrue(decoder.encoderData(bytes, 0, bytes.length), "seed " + seed);
                }
                if (!sections.isEmpty()) {
                    decodeOne(random.nextInt(sections.size()));
                }
                byte[] answer = decoder.output().take();
                if (answer.length > 0) {
                    toEncoder.add(answer);
                }
                if (random.nextBoolean() && !toEncoder.isEmpty()) {
                    byte[] bytes = toEncoder.remove();
                    assertTrue(encoder.decoderData(bytes, 0, bytes.length), "seed " + seed);
                }
            }
        }

        private void decodeOne(int which) {
            Fields fields = new Fields();
            byte[] bytes = sections.get(which);
            Result result = decoder.decode(streams.get(which), bytes, 0, bytes.length, fields);
            assertTrue(result != Result.MALFORMED, "seed " + seed);
            if (result == Result.DONE) {
                assertEquals(expected.get(which), fields.lines, "seed " + seed);
                sections.remove(which);
                expected.remove(which);
                streams.remove(which);
            } else {
                assertEquals(List.of(), fields.lines);
            }
        }
    }
}
