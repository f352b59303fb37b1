package io.margay.protocol.fastcgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Vectors;
import io.margay.testkit.Vectors.Vector;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Replays the vectors, each cut everywhere. [RecordText] tells how they are written.
class FastCgiVectorsTest {
    private static final FastCgiLimits LIMITS = new FastCgiLimits(1024, 4, 1024, 4);

    static Stream<Vector> requests() {
        return load("request-good", "request-bad");
    }

    static Stream<Vector> responses() {
        return load("response-good", "response-bad");
    }

    static Stream<Vector> load(String... files) {
        return Stream.of(files)
                .flatMap(f -> Vectors.load("/vectors/fastcgi/" + f + ".txt").stream());
    }

    @ParameterizedTest
    @MethodSource("requests")
    void requestVector_cutEverywhere_tellsWhatIsExpected(Vector vector) {
        List<String> events =
                CutEverywhere.replay(
                        RecordText.assemble(vector.input()), () -> new ApplicationReceiver(LIMITS));
        assertEquals(String.join("\n", vector.expected()), String.join("\n", events));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void responseVector_cutEverywhere_tellsWhatIsExpected(Vector vector) {
        boolean toHead = vector.options().containsKey("head");
        List<String> events =
                CutEverywhere.replay(
                        RecordText.assemble(vector.input()),
                        () -> new GatewayReceiver(LIMITS, toHead));
        assertEquals(String.join("\n", vector.expected()), String.join("\n", events));
    }

    @Test
    void vectors_malformed_areAtLeastAsManyAsGood() {
        assertTrue(load("request-bad").count() >= load("request-good").count());
        assertTrue(load("response-bad").count() >= load("response-good").count());
    }
}
