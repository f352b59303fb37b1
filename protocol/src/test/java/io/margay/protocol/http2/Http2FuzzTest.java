package io.margay.protocol.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.margay.protocol.fields.HuffmanCode;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http2.Http2Session.Role;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;

/// Fuzz targets for frames and header compression. In a normal build the inputs beside this class
/// are replayed; with `JAZZER_FUZZ=1` the fuzzer looks for new ones.
@Tag("slow")
class Http2FuzzTest {
    private static final Http2Limits LIMITS = Http2Limits.defaults();

    /// What a client has sent before the input.
    private static final byte[] OPENING = opening();

    private static byte[] opening() {
        Http2Session client = new Http2Session(Role.CLIENT, LIMITS, false, -1);
        int count = client.output().size();
        return Arrays.copyOf(client.output().exchange(new byte[0]), count);
    }

    @FuzzTest
    void server_anyFrames_areJudgedTheSame(byte[] input) {
        byte[] all = Arrays.copyOf(OPENING, OPENING.length + input.length);
        System.arraycopy(input, 0, all, OPENING.length, input.length);
        same(all, Role.SERVER);
    }

    @FuzzTest
    void client_anyFrames_areJudgedTheSame(byte[] input) {
        same(input, Role.CLIENT);
    }

    private static void same(byte[] input, Role role) {
        List<String> whole = replay(input, role, input.length);
        assertEquals(whole, replay(input, role, input.length / 2));
        assertEquals(whole, replay(input, role, 1));
    }

    /// Feeds pieces of so many octets, and gives what was told.
    private static List<String> replay(byte[] input, Role role, int piece) {
        Http2Session session = new Http2Session(role, LIMITS, false, 1_000);
        if (role == Role.CLIENT) {
            session.request(Http2Peers.get("/"), -1, true);
            session.request(Http2Peers.head("HEAD", "/"), -1, true);
            session.request(Http2Peers.head("POST", "/"), -1, false);
        }
        List<String> trace = new ArrayList<>();
        int at = 0;
        for (int end = Math.min(Math.max(piece, 1), input.length);
                at < input.length;
                end = Math.min(input.length, end + Math.max(piece, 1))) {
            at = Http2Peers.receive(session, input, at, end, trace);
            assertTrue(session.slots() <= 2 * LIMITS.streamsMax());
            assertTrue(session.output().size() <= LIMITS.pendingBytesMax() + 1_000);
            boolean failed = !trace.isEmpty() && trace.getLast().startsWith("FAILED");
            if (end == input.length || failed) {
                break;
            }
        }
        return joined(trace);
    }

    /// A frame whose content came in pieces tells as one.
    private static List<String> joined(List<String> trace) {
        List<String> joined = new ArrayList<>();
        for (String event : trace) {
            String[] parts = event.split(" ", 3);
            String before = joined.isEmpty() ? "" : joined.getLast();
            if (parts[0].equals("DATA") && before.startsWith("DATA " + parts[1] + " ")) {
                joined.add(joined.removeLast() + parts[2]);
            } else {
                joined.add(event);
            }
        }
        joined.removeIf(event -> event.matches("DATA \\d+ "));
        return joined;
    }

    @FuzzTest
    void hpack_anyBlock_isBounded_andWhatItSaysComesBack(byte[] input) {
        HpackDecoder decoder = new HpackDecoder(LIMITS.headerTableBytes());
        FieldList fields = new FieldList();
        boolean good =
                decoder.decode(
                        input,
                        0,
                        input.length,
                        (name, nf, nt, value, vf, vt) -> {
                            if (fields.size() < 1_000) {
                                fields.add(latin(name, nf, nt), latin(value, vf, vt));
                            }
                        });
        assertTrue(decoder.tableBytes() <= LIMITS.headerTableBytes());
        if (!good || fields.size() == 1_000) {
            return;
        }
        HpackEncoder encoder = new HpackEncoder();
        Http2Buffer out = new Http2Buffer();
        encoder.begin(out);
        for (int i = 0; i < fields.size(); i++) {
            encoder.field(out, fields.name(i), fields.value(i));
        }
        FieldList again = new FieldList();
        assertTrue(
                new HpackDecoder(LIMITS.headerTableBytes())
                        .decode(
                                out.array(),
                                0,
                                out.size(),
                                (name, nf, nt, value, vf, vt) ->
                                        again.add(latin(name, nf, nt), latin(value, vf, vt))));
        assertEquals(fields.toString(), again.toString());
    }

    @FuzzTest
    void huffman_whatDecodes_encodesToTheSame(byte[] input) {
        byte[] target = new byte[HuffmanCode.decodedMax(input.length)];
        int length = HuffmanCode.decode(input, 0, input.length, target);
        if (length >= 0) {
            String text = latin(target, 0, length);
            byte[] encoded = new byte[HuffmanCode.encodedBytes(text)];
            HuffmanCode.encode(text, encoded, 0);
            assertArrayEquals(input, encoded);
        }
    }

    private static String latin(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
