package io.margay.protocol.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Vectors;
import io.margay.testkit.Vectors.Vector;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Replays the vectors, each cut everywhere.
class Http1VectorsTest {
    static Stream<Vector> requests() {
        return load("request-good", "request-bad", "body-good", "body-bad");
    }

    static Stream<Vector> responses() {
        return load("response-good", "response-bad");
    }

    private static Stream<Vector> load(String... files) {
        return Stream.of(files).flatMap(f -> Vectors.load("/vectors/http1/" + f + ".txt").stream());
    }

    @ParameterizedTest
    @MethodSource("requests")
    void requestVector_cutEverywhere_tellsWhatIsExpected(Vector vector) {
        boolean secure = vector.options().containsKey("secure");
        List<String> events =
                CutEverywhere.replay(
                        vector.input(), () -> new RequestReceiver(limits(vector), secure));
        assertEquals(String.join("\n", vector.expected()), String.join("\n", events));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void responseVector_cutEverywhere_tellsWhatIsExpected(Vector vector) {
        String method = vector.options().getOrDefault("method", "GET");
        List<String> events =
                CutEverywhere.replay(
                        vector.input(), () -> new ResponseReceiver(method, limits(vector)));
        assertEquals(String.join("\n", vector.expected()), String.join("\n", events));
    }

    private static Http1Limits limits(Vector vector) {
        String bodyMax = vector.options().get("bodyMax");
        Http1Limits limits = Http1Limits.defaults();
        return bodyMax == null ? limits : limits.withBodyBytesMax(Long.parseLong(bodyMax));
    }
}
