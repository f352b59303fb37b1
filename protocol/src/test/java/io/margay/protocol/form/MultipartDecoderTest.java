package io.margay.protocol.form;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Escapes;
import io.margay.testkit.Vectors;
import io.margay.testkit.Vectors.Vector;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class MultipartDecoderTest {
    private static final String PART =
            "--b\\r\\nContent-Disposition: form-data; name=a\\r\\n\\r\\n";

    static Stream<Vector> vectors() {
        return Vectors.load("/vectors/http/multipart.txt").stream();
    }

    private static List<String> read(byte[] input) {
        return CutEverywhere.replay(input, () -> new MultipartReceiver("b"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void body_cutEverywhere_tellsWhatIsExpected(Vector vector) {
        assertEquals(String.join("\n", vector.expected()), String.join("\n", read(vector.input())));
    }

    @Test
    void cve_2023_24998_tooManyParts_are413() {
        String part = PART + "x\\r\\n";
        List<String> events = read(Escapes.unescape(part.repeat(51) + "--b--"));
        assertEquals("error 413 RFC 7578 §4.1", events.getLast());
        assertEquals(50, events.stream().filter(e -> e.startsWith("part ")).count());
        assertEquals("end", read(Escapes.unescape(part.repeat(50) + "--b--")).getLast());
    }

    @Test
    void cve_2025_48988_partHeadersTooLarge_are413() {
        String filler = "X: " + "y".repeat(500) + "\\r\\n";
        List<String> events =
                read(
                        Escapes.unescape(
                                "--b\\r\\n"
                                        + filler
                                        + "Content-Disposition: form-data; name=a\\r\\n\\r\\nx"));
        assertEquals(List.of("error 413 RFC 7578 §4.1"), events);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain; boundary=b",
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=\"\"",
                "multipart/form-data; boundary=\"a\\r\\n\"",
                "multipart/form-data; boundary=\"a ",
                "multipart/form-data; boundary=\"a \"",
                "multipart/form-data; boundary=a{b}",
                "multipart/form-data; boundary=\u00e4"
            })
    void boundary_malformed_isNone(String contentType) {
        assertNull(MultipartDecoder.boundary(contentType));
    }

    @Test
    void boundary_wellFormed_isFound() {
        assertEquals("b", MultipartDecoder.boundary("multipart/form-data;boundary=b"));
        assertEquals(
                "a b:c", MultipartDecoder.boundary("Multipart/Form-Data; x=y; Boundary=\"a b:c\""));
        assertEquals(
                "a".repeat(120),
                MultipartDecoder.boundary("multipart/form-data; boundary=" + "a".repeat(120)));
        String most = "a".repeat(MultipartDecoder.BOUNDARY_MAX);
        assertEquals(most, MultipartDecoder.boundary("multipart/form-data; boundary=" + most));
        assertNull(MultipartDecoder.boundary("multipart/form-data; boundary=a" + most));
        assertThrows(
                IllegalArgumentException.class,
                () -> new MultipartDecoder("a\r\nb", MultipartLimits.defaults()));
    }

    /// A line that begins with white space goes on where the one before ended; the first of a part
    /// goes on nowhere.
    @Test
    void fields_folded_areOneLine() {
        List<String> folded =
                read(
                        Escapes.unescape(
                                "--b\\r\\nContent-Disposition: form-data;\\r\\n name=n;\\r\\n"
                                        + "\\tfilename=f\\r\\n\\r\\nx\\r\\n--b--"));
        List<String> plain =
                read(
                        Escapes.unescape(
                                "--b\\r\\nContent-Disposition: form-data; name=n;"
                                        + " filename=f\\r\\n\\r\\nx\\r\\n--b--"));
        assertEquals("end", folded.getLast(), folded.toString());
        assertEquals(plain, folded);
        assertEquals(
                "error 400 RFC 7578 §4.2",
                read(Escapes.unescape("--b\\r\\n A: b\\r\\n\\r\\nx\\r\\n--b--")).getLast());
    }

    @Test
    void content_random_comesOutAsItWentIn() {
        long seed = System.nanoTime();
        System.out.println("MultipartDecoderTest seed " + seed);
        Random random = new Random(seed);
        String alphabet = "\r\n--bx";
        for (int i = 0; i < 300; i++) {
            StringBuilder content = new StringBuilder();
            int length = random.nextInt(60);
            for (int k = 0; k < length; k++) {
                content.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String text = content.toString();
            // A delimiter by chance would end the part.
            if (("\r\n" + text + "\r\n").substring(2).contains("\r\n--b")) {
                continue;
            }
            String escaped =
                    Escapes.escape(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            List<String> events = read(Escapes.unescape(PART + escaped + "\\r\\n--b--"));
            assertEquals(
                    text.isEmpty() ? "end of part" : "data " + escaped,
                    events.get(1),
                    "seed " + seed);
            assertEquals("end", events.getLast(), "seed " + seed);
        }
    }
}
