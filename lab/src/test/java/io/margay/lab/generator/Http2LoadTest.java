package io.margay.lab.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.load.LoadJob;
import io.margay.lab.load.LoadResult;
import io.margay.lab.wire.BodyTemplate;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http2.Http2Session;
import io.margay.protocol.http2.Http2Session.Event;
import io.margay.protocol.http2.Http2Session.Role;
import io.margay.protocol.http2.Http2Stream;
import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The generator over HTTP/2 in clear text against a server of its own session.
@Timeout(60)
final class Http2LoadTest {
    private static final long TIMEOUT_NANOS = 5_000_000_000L;
    private static final BodyTemplate HELLO =
            BodyTemplate.of(List.of("hello".getBytes(StandardCharsets.US_ASCII)));

    /// Answers every stream alike; a thread per connection.
    private static final class Server implements AutoCloseable {
        private final ScriptedPeer peer;
        private final int status;
        private final byte[] content;
        private final int streamsMax;

        private Server(int status, String content, int streamsMax) throws IOException {
            this.status = status;
            this.content = content.getBytes(StandardCharsets.US_ASCII);
            this.streamsMax = streamsMax;
            peer = new ScriptedPeer(this::serve);
        }

        private void serve(ScriptedPeer.Talk talk) throws IOException {
            Http2Limits limits =
                    Http2Limits.defaults().withStreamsMax(streamsMax).withExecutionsMax(streamsMax);
            Http2Session session = new Http2Session(Role.SERVER, limits, false, -1);
            byte[] input = new byte[256 * 1024];
            int to = 0;
            int count;
            while ((count = talk.in().read(input, to, input.length - to)) > 0) {
                to += count;
                int at = 0;
                Event event;
                do {
                    event = session.receive(input, at, to);
                    at = session.consumed();
                    act(session, event);
                } while (event != Event.NEED_MORE && event != Event.FAILED);
                System.arraycopy(input, at, input, 0, to - at);
                to -= at;
                int size = session.output().size();
                talk.out().write(session.output().exchange(new byte[0]), 0, size);
            }
        }

        private void act(Http2Session session, Event event) {
            if (event == Event.DATA) {
                session.used(
                        Objects.requireNonNull(session.stream()),
                        session.dataTo() - session.dataFrom());
            }
            Http2Stream stream = session.stream();
            if ((event == Event.HEAD || event == Event.DATA)
                    && stream != null
                    && stream.isInputEnded()) {
                session.respond(stream, status, new FieldList(), content.length, null, false);
                session.send(stream, content, 0, content.length, true);
                session.release(stream);
            }
        }

        @Override
        public void close() throws IOException {
            peer.close();
        }
    }

    private static LoadResult run(Server server, String path, int streams, long requests)
            throws IOException {
        LoadJob job =
                LoadJob.closed(2, false, true)
                        .withStreams(streams)
                        .to(server.peer.port(), List.of(path), "")
                        .lasting(requests, 0, 20_000);
        try (LoadLoop loop = new LoadLoop(job, null, Map.of(path, HELLO), TIMEOUT_NANOS)) {
            return loop.run(() -> {}, _ -> {});
        }
    }

    @Test
    void rightAnswers_areCounted_overAsManyConnectionsAsWereAskedFor() throws IOException {
        try (Server server = new Server(200, "hello", 100)) {
            LoadResult result = run(server, "/", 10, 500);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.requests() >= 500, result.toString());
            assertEquals(2, server.peer.connections());
        }
    }

    @Test
    void serverWithFewerStreams_isAskedAsItAllows() throws IOException {
        try (Server server = new Server(200, "hello", 3)) {
            LoadResult result = run(server, "/", 10, 500);
            assertTrue(result.requests() >= 480, result.toString());
        }
    }

    @Test
    void contentOfARequest_isSentAsTheWindowsAllow() throws IOException {
        try (Server server = new Server(200, "hello", 100)) {
            LoadResult result = run(server, "POST 300000 /", 2, 10);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.bytesOut() > 3_000_000, result.toString());
        }
    }

    @Test
    void wrongAnswers_areCountedByKind() throws IOException {
        try (Server server = new Server(200, "hallo", 100)) {
            assertEquals(Set.of("wrong content"), run(server, "/", 2, 4).errors().keySet());
        }
        try (Server server = new Server(500, "hello", 100)) {
            assertEquals(Set.of("status 500"), run(server, "/", 2, 4).errors().keySet());
        }
    }

    @Test
    void serverWithoutHttp2_isAnError() throws IOException {
        try (ScriptedServer server = new ScriptedServer(_ -> ScriptedServer.ok("hello"))) {
            LoadJob job =
                    LoadJob.closed(1, false, true)
                            .withStreams(1)
                            .to(server.port(), List.of("/"), "")
                            .lasting(1, 0, 3_000);
            try (LoadLoop loop = new LoadLoop(job, null, Map.of(), TIMEOUT_NANOS)) {
                LoadResult result = loop.run(() -> {}, _ -> {});
                assertEquals(0, result.requests(), result.toString());
                assertTrue(result.failed() > 0, result.toString());
            }
        }
    }
}
