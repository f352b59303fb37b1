package io.margay.protocol.http3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http2.HpackDecoder;
import io.margay.protocol.http3.QpackDecoder.Result;
import io.margay.testkit.Trace;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;

/// Fuzz targets for frames and field compression. In a normal build the inputs beside this class
/// are replayed; with `JAZZER_FUZZ=1` the fuzzer looks for new ones.
@Tag("slow")
class Http3FuzzTest {
    private static final int TABLE_BYTES = 4_096;
    private static final int FIELDS_MAX = 1_000;

    @FuzzTest
    void requestStream_anyBytes_areJudgedTheSame(byte[] input) {
        same(input, false);
    }

    @FuzzTest
    void controlStream_anyBytes_areJudgedTheSame(byte[] input) {
        same(input, true);
    }

    private static void same(byte[] input, boolean control) {
        String whole = replay(input, control, Math.max(1, input.length));
        assertEquals(whole, replay(input, control, Math.max(1, input.length / 2)));
        assertEquals(whole, replay(input, control, 1));
    }

    private static String replay(byte[] input, boolean control, int piece) {
        Http3FramesTest.Told told = new Http3FramesTest.Told(control);
        Trace trace = new Trace();
        for (int at = 0; at < input.length; at += piece) {
            told.receive(input, at, Math.min(input.length, at + piece), trace);
        }
        told.end(trace);
        return trace.toString();
    }

    /// The first octet says how many of the next are instructions; a field section follows.
    @FuzzTest
    void qpack_anyInstructionsAndSection_areBounded_andWhatTheySayComesBack(byte[] input) {
        int cut = input.length == 0 ? 0 : Math.min(input.length, 1 + (input[0] & 0xff));
        QpackDecoder decoder = new QpackDecoder(TABLE_BYTES, 2);
        boolean right = cut == 0 || decoder.encoderData(input, 1, cut);
        assertTrue(decoder.tableBytes() <= TABLE_BYTES);
        FieldList fields = new FieldList();
        if (!right
                || decoder.decode(0, input, cut, input.length, into(fields)) != Result.DONE
                || fields.size() == FIELDS_MAX) {
            return;
        }
        QpackEncoder encoder = new QpackEncoder();
        Http3Buffer out = new Http3Buffer();
        encoder.begin(4);
        for (int i = 0; i < fields.size(); i++) {
            encoder.field(fields.name(i), fields.value(i));
        }
        encoder.end(out);
        byte[] section = out.take();
        FieldList again = new FieldList();
        assertEquals(
                Result.DONE,
                new QpackDecoder(TABLE_BYTES, 2)
                        .decode(0, section, 0, section.length, into(again)));
        assertEquals(fields.toString(), again.toString());
    }

    /// The peer's decoder stream, of which the encoder believes nothing that cannot be.
    @FuzzTest
    void qpack_anyAcknowledgements_leaveTheEncoderUsable(byte[] input) {
        QpackEncoder encoder = new QpackEncoder();
        QpackDecoder decoder = new QpackDecoder(TABLE_BYTES, 2);
        encoder.peerSettings(TABLE_BYTES, 2);
        boolean right = true;
        for (int stream = 0; stream < 8 && right; stream += 4) {
            Http3Buffer out = new Http3Buffer();
            encoder.begin(stream);
            encoder.field("x-same", "value");
            encoder.end(out);
            byte[] instructions = encoder.instructions().take();
            assertTrue(decoder.encoderData(instructions, 0, instructions.length));
            byte[] section = out.take();
            FieldList fields = new FieldList();
            assertEquals(
                    Result.DONE, decoder.decode(stream, section, 0, section.length, into(fields)));
            assertEquals("value", fields.value(0));
            right = encoder.decoderData(input, 0, input.length);
        }
    }

    private static HpackDecoder.Sink into(FieldList fields) {
        return (name, nf, nt, value, vf, vt) -> {
            if (fields.size() < FIELDS_MAX) {
                fields.add(latin(name, nf, nt), latin(value, vf, vt));
            }
        };
    }

    private static String latin(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
