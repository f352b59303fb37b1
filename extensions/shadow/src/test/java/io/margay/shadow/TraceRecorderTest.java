package io.margay.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.margay.gateway.mirror.ShadowLimits;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.trace.TraceFormat;
import io.margay.protocol.trace.TracedRequest;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is recorded can be read, is bounded, and has nothing that nobody may keep.
final class TraceRecorderTest {
    @TempDir Path folder;

    private final AtomicLong millis = new AtomicLong(1_000);

    private TraceRecorder recorder(String file, boolean values, long bytesMax) {
        return new TraceRecorder(
                folder.resolve(file),
                values,
                new ShadowLimits.Trace(100, bytesMax),
                millis::getAndIncrement);
    }

    private static RequestHead head(String method, String target) {
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        String query = question < 0 ? null : target.substring(question + 1);
        return new RequestHead(
                method,
                new RequestTarget(RequestTarget.Form.ORIGIN, target, path, query, null, null),
                HttpVersion.HTTP_1_1,
                Fields.EMPTY,
                RequestHead.NO_BODY,
                false,
                true);
    }

    private static Fields fields() {
        return new Fields.Builder()
                .add("Host", "shop.example")
                .add("Cookie", "SID=secret")
                .add("Authorization", "Bearer secret")
                .add("Referer", "https://a/?token=secret")
                .build();
    }

    private List<String> lines(String file, int count) {
        Path path = folder.resolve(file);
        Eventually.holds("there are " + count + " lines", () -> read(path).size() == count);
        return read(path);
    }

    private static List<String> read(Path path) {
        try {
            return Files.exists(path) ? Files.readAllLines(path) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void requests_areWritten_withoutSecrets_forTheOwnerAlone() throws Exception {
        TraceRecorder recorder = recorder("trace", false, 1 << 20);
        recorder.record(head("GET", "/a;jsessionid=secret?q=secret&p=1"), fields(), 200);
        recorder.record(head("POST", "/login"), fields(), 302);
        List<String> lines = lines("trace", 3);
        assertEquals(TraceFormat.HEAD, lines.getFirst());
        assertFalse(String.join("\n", lines).contains("secret"), lines::toString);
        TracedRequest first = TraceFormat.read(lines.get(1));
        assertNotNull(first);
        assertEquals("/a?q=x&p=x", first.target());
        assertEquals("shop.example", first.fields().get("host"));
        assertEquals(1_000, first.atMillis());
        TracedRequest second = TraceFormat.read(lines.get(2));
        assertNotNull(second);
        assertFalse(second.isRepeatable());
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folder.resolve("trace"))));
    }

    /// As after a reload, which begins another recorder.
    @Test
    void traceThatIsThere_isContinued() {
        recorder("trace", true, 1 << 20).record(head("GET", "/a?page=2"), fields(), 200);
        String _ = lines("trace", 2).getLast();
        recorder("trace", true, 1 << 20).record(head("GET", "/b?csrf=secret"), fields(), 200);
        List<String> lines = lines("trace", 3);
        assertEquals("1000\tGET\t/a?page=2\t200\tHost: shop.example", lines.get(1));
        assertEquals("1001\tGET\t/b?csrf=x\t200\tHost: shop.example", lines.get(2));
    }

    @Test
    void trace_isBounded_andWhatIsNotInIt_isCounted() {
        TraceRecorder recorder = recorder("trace", true, 2_000);
        Eventually.holds(
                "the trace ends",
                () -> {
                    recorder.record(head("GET", "/a"), fields(), 200);
                    return recorder.lost() > 50;
                });
        Eventually.holds(
                "it is short",
                () ->
                        read(folder.resolve("trace")).size() > 10
                                && folder.resolve("trace").toFile().length() < 20_000);
        TraceRecorder nowhere = recorder("none/trace", true, 2_000);
        nowhere.record(head("GET", "/a"), fields(), 200);
        Eventually.holds("it is told", () -> nowhere.lost() > 0);
    }
}
