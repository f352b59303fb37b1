package io.margay.protocol.http3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Trace;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class Http3FramesTest {
    /// Tells what is read, content as one text however it came.
    static final class Told implements CutEverywhere.Receiver, Http3FrameReader.Sink {
        private final Http3FrameReader reader;
        private final StringBuilder content = new StringBuilder();
        private @Nullable Trace trace;
        private boolean failed;

        Told(boolean control) {
            reader = new Http3FrameReader(control, true, 100);
        }

        @Override
        public void receive(byte[] buffer, int from, int to, Trace to2) {
            trace = to2;
            Http3Error error = failed ? null : reader.receive(buffer, from, to, this);
            if (error != null) {
                failed = true;
                flush();
                to2.add("error " + Long.toHexString(error.code()));
            }
        }

        @Override
        public void end(Trace to2) {
            flush();
            if (!failed && reader.end() != null) {
                to2.add("truncated");
            }
        }

        private void flush() {
            if (!content.isEmpty() && trace != null) {
                trace.add("data " + content);
                content.setLength(0);
            }
        }

        private @Nullable Http3Error tell(String text) {
            flush();
            trace.add(text);
            return null;
        }

        private static String hex(byte[] bytes, int from, int to) {
            return HexFormat.of().formatHex(bytes, from, to);
        }

        @Override
        public @Nullable Http3Error headers(byte[] bytes, int from, int to) {
            reader.headIsFinal();
            return tell("headers " + hex(bytes, from, to));
        }

        @Override
        public @Nullable Http3Error data(byte[] bytes, int from, int to) {
            content.append(hex(bytes, from, to));
            return null;
        }

        @Override
        public @Nullable Http3Error settings(Http3Settings settings) {
            return tell(settings.toString());
        }

        @Override
        public @Nullable Http3Error goAway(long id) {
            return tell("goaway " + id);
        }

        @Override
        public @Nullable Http3Error priority(long id, byte[] bytes, int from, int to) {
            return tell("priority " + id + " " + hex(bytes, from, to));
        }
    }

    private static String told(boolean control, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        List<String> events = CutEverywhere.replay(bytes, () -> new Told(control));
        return String.join(", ", events);
    }

    @ParameterizedTest
    @CsvSource({
        "0103 000051 0002 aabb 0001 cc 0101 00, 'headers 000051, data aabbcc, headers 00'",
        "0100 21 02 ffff 0000, 'headers '",
        "0001 aa, error 105",
        "0100 0101 00 0001 aa, 'headers , headers 00, error 105'",
        "0100 0101 00 0101 00, 'headers , headers 00, error 105'",
        "0400, error 105",
        "0700, error 105",
        "0200, error 105",
        "0500, error 105",
        "0d00, error 105",
        "01 4065 00, error 107",
        "0103 00, truncated",
        "01, truncated"
    })
    void requestStream_cutAnywhere_tellsTheSame(String hex, String events) {
        assertEquals(events, told(false, hex));
    }

    @ParameterizedTest
    @CsvSource({
        "0700, error 10a",
        "0001 aa, error 10a",
        "0400 0400, '%s, error 105'",
        "0400 0101 00, '%s, error 105'",
        "0400 0800, '%s, error 105'",
        "0400 0701 04 21 01 00, '%s, goaway 4'",
        "0400 0702 0400, '%s, error 106'",
        "0400 0700, '%s, error 106'",
        "0400 0d01 07 800f0700 03 00753d, '%s, priority 0 753d'",
        "0400 07 5001, '%s, error 107'",
        "0402 0401, error 109",
        "0402 0802, error 109",
        "0404 0101 0102, error 109",
        "0401 01, error 106"
    })
    void controlStream_cutAnywhere_tellsTheSame(String hex, String events) {
        String initial = Http3Settings.INITIAL.toString();
        assertEquals(events.replace("%s", initial), told(true, hex));
    }

    @Test
    void settings_areReadAsWritten_whateverIsGreased() {
        Http3Settings settings = new Http3Settings(4_096, 16, 16_384, true);
        for (int greased = 0; greased < 300; greased++) {
            byte[] frame = settings.frame(greased);
            Http3Settings.Read read = Http3Settings.read(frame, 2, frame.length);
            assertNull(read.error());
            assertEquals(settings, read.settings());
        }
    }

    @Test
    void settings_moreThanAnybodyHas_endTheConnection() {
        byte[] payload = new byte[3 * (Http3Settings.COUNT_MAX + 1)];
        for (int i = 0; i < payload.length / 3; i++) {
            payload[3 * i] = 0x60;
            payload[3 * i + 1] = (byte) i;
        }
        assertNotNull(Http3Settings.read(payload, 0, payload.length).error());
        assertNull(Http3Settings.read(payload, 0, payload.length - 3).error());
    }
}
