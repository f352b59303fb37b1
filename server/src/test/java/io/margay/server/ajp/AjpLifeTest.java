package io.margay.server.ajp;

import static io.margay.server.ajp.AjpServer.SECRET;
import static io.margay.server.ajp.FrontEnd.request;
import static io.margay.server.ajp.FrontEnd.secret;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.ajp.AjpAttribute;
import io.margay.protocol.ajp.AjpAttributes;
import io.margay.protocol.ajp.AjpForwardRequest;
import io.margay.server.ajp.FrontEnd.Answer;
import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.ServerStats;
import io.margay.server.exchange.Handler;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The life of AJP13 connections on every transport.
@Tag("slow")
class AjpLifeTest {
    private static final byte[] NONE = {};

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void requests_onOneConnection_areAnsweredInTurn(String transport) throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            for (int i = 0; i < 5; i++) {
                for (String path : List.of("/inline", "/dispatched")) {
                    Answer answer = front.get(path, SECRET);
                    assertEquals(200, answer.status());
                    assertEquals(path.substring(1), answer.text());
                    assertTrue(answer.reuse());
                }
                front.ping();
                front.pong();
            }
            assertEquals(404, front.get("/unknown", SECRET).status());
            assertEquals(500, front.get("/throws", SECRET).status());
        }
    }

    /// Far more than the kernel takes for a front end that does not read, in packets of 8 KiB.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void offerThatIsNotTakenAtOnce_arrivesWhole(String transport) throws Exception {
        byte[] large = Repertoire.content(32 * 1024 * 1024);
        Handler offering =
                exchange -> {
                    exchange.offer(large, 0, large.length);
                    exchange.end();
                };
        try (AjpServer server = new AjpServer(transport, offering);
                FrontEnd front = server.frontEnd()) {
            for (int i = 0; i < 2; i++) {
                Answer answer = front.get("/large", SECRET);
                assertArrayEquals(large, answer.content());
                assertTrue(answer.reuse());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void content_ofAnySize_isEchoed(String transport) throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            int[] sizes = {1, 100, 8183, 8184, 8185, 8186, 8187, 8192, 16372, 16373, 100_000};
            for (int size : sizes) {
                byte[] content = Repertoire.content(size);
                for (String path : List.of("/echo", "/poll")) {
                    AjpForwardRequest declared = request("POST", path, size, secret(SECRET));
                    Answer answer = front.exchange(declared, content);
                    assertArrayEquals(content, answer.content(), path + " " + size);
                    assertTrue(answer.reuse(), path + " " + size);
                    Answer chunked =
                            front.exchange(request("PUT", path, -1, secret(SECRET)), content);
                    assertArrayEquals(content, chunked.content(), path + " " + size);
                    assertTrue(chunked.reuse(), path + " " + size);
                    assertTrue(chunked.asked() > size / 8186, path + " " + size);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void content_inPacketsOf64KiB_isEchoed(String transport) throws Exception {
        AjpConfig config = AjpConfig.withSecret(SECRET).withPacketBytes(65536);
        try (AjpServer server =
                        new AjpServer(
                                transport, Repertoire::handle, config, HttpLimits.defaults());
                FrontEnd front = server.frontEnd()) {
            for (int size : new int[] {65529, 65530, 65531, 300_000}) {
                byte[] content = Repertoire.content(size);
                Answer answer =
                        front.exchange(request("POST", "/echo", size, secret(SECRET)), content);
                assertArrayEquals(content, answer.content(), "size " + size);
            }
            // A head as large as a packet allows.
            AjpAttributes large =
                    new AjpAttributes.Builder()
                            .set(AjpAttribute.SECRET, SECRET)
                            .set("AJP_SSL_PROTOCOL", "x".repeat(60_000))
                            .build();
            assertEquals(
                    "inline", front.exchange(request("GET", "/inline", 0, large), NONE).text());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void response_ofAnyKind_isWhole(String transport) throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            for (String kind : List.of("/bytes/", "/pieces/", "/file/")) {
                for (int size : new int[] {0, 1, 8184, 8185, 40_000, 1_000_000}) {
                    Answer answer = front.get(kind + size, SECRET);
                    assertArrayEquals(Repertoire.content(size), answer.content(), kind + size);
                    assertTrue(answer.reuse());
                }
            }
            Answer head = front.exchange(request("HEAD", "/bytes/1000", 0, secret(SECRET)), NONE);
            assertEquals("1000", head.head().field("Content-Length"));
            assertEquals(0, head.content().length);
            Answer unchanged = front.get("/status/304", SECRET);
            assertEquals(304, unchanged.status());
            assertEquals("\"1\"", unchanged.head().field("ETag"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void head_ofEmptyResponse_isAlwaysSent_cve2023_34981(String transport) throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            // The decoder refuses an end without a head.
            Answer first = front.get("/cookies", SECRET);
            assertEquals(2, first.head().fields().all("Set-Cookie").size());
            Answer empty = front.get("/empty", SECRET);
            assertEquals(200, empty.status());
            assertEquals(0, empty.head().fields().all("Set-Cookie").size());
            assertEquals(204, front.get("/status/204", SECRET).status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void resetContent_whateverIsWritten_hasNeitherContentNorType(String transport)
            throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            Answer reset = front.get("/reset", SECRET);
            assertEquals(205, reset.status());
            assertEquals("", reset.text());
            assertEquals("0", reset.head().field("Content-Length"));
            assertNull(reset.head().field("Content-Type"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void content_thatNobodyReads_isSkippedBeforeReuse(String transport) throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle)) {
            try (FrontEnd front = server.frontEnd()) {
                for (int size : new int[] {10, 8186, 30_000, 65_536}) {
                    byte[] content = Repertoire.content(size);
                    Answer answer =
                            front.exchange(
                                    request("POST", "/ignore", size, secret(SECRET)), content);
                    assertEquals("ignored", answer.text());
                    assertTrue(answer.reuse(), "size " + size);
                    Answer chunked =
                            front.exchange(request("POST", "/ignore", -1, secret(SECRET)), content);
                    assertTrue(chunked.reuse() == size < 65_536, "chunked, size " + size);
                    if (!chunked.reuse()) {
                        break;
                    }
                    assertEquals("inline", front.get("/inline", SECRET).text());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void content_thatIsLongAndUnread_endsTheConnection_cve2008_5519(String transport)
            throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            byte[] content = Repertoire.content(100_000);
            Answer answer =
                    front.exchange(
                            request("POST", "/ignore", content.length, secret(SECRET)), content);
            assertEquals("ignored", answer.text());
            assertFalse(answer.reuse());
            assertEquals(0, front.untilClosed().length);
        }
    }

    /// A request with a length and no content, then another request where the content is due: the
    /// second is never taken for content and never answered.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void content_thatNeverComes_isNotTakenFromTheNextRequest_cve2008_5519_and_2009_1191(
            String transport) throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            front.send(request("POST", "/echo", 5000, secret(SECRET)));
            front.send(request("GET", "/inline", 0, secret(SECRET)));
            assertThrows(IOException.class, () -> front.answer(false, NONE, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void content_thatEndsEarly_isRefusedAndEndsTheConnection(String transport) throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            front.send(request("POST", "/digest", 5000, secret(SECRET)));
            front.sendDataEnd();
            Answer answer = front.answer(false, NONE, 0);
            assertEquals(400, answer.status());
            assertFalse(answer.reuse());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void facts_fromTheFrontEnd_areTheExchanges(String transport) throws Exception {
        AjpAttributes attributes =
                new AjpAttributes.Builder()
                        .set(AjpAttribute.SECRET, SECRET)
                        .set(AjpAttribute.REMOTE_USER, "ann")
                        .set(AjpAttribute.TLS_CIPHER, "TLS_AES_128_GCM_SHA256")
                        .keyBits(128)
                        .set("AJP_REMOTE_PORT", "4711")
                        .set("AJP_LOCAL_ADDR", "192.0.2.1")
                        .set("AJP_SSL_PROTOCOL", "TLSv1.3")
                        .set("JK_LB_ACTIVATION", "DIS")
                        .build();
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            assertEquals(
                    "https remote=192.0.2.7:4711 local=192.0.2.1:8443 user=ann"
                            + " tls=TLSv1.3 TLS_AES_128_GCM_SHA256 128 ",
                    front.exchange(request("GET", "/facts", 0, true, attributes), NONE).text());
            assertEquals(
                    "DIS",
                    front.exchange(
                                    request("GET", "/attribute/JK_LB_ACTIVATION", 0, attributes),
                                    NONE)
                            .text());
            assertEquals(
                    "client.example",
                    front.exchange(
                                    request("GET", "/attribute/margay.remote-host", 0, attributes),
                                    NONE)
                            .text());
            assertEquals(
                    "http remote=192.0.2.7:0 local=front.example:8443 user=null",
                    front.get("/facts", SECRET).text());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void facts_notTrusted_areNotTaken(String transport) throws Exception {
        AjpAttributes attributes =
                new AjpAttributes.Builder()
                        .set(AjpAttribute.SECRET, SECRET)
                        .set(AjpAttribute.REMOTE_USER, "ann")
                        .build();
        AjpConfig config = AjpConfig.withSecret(SECRET).withTrust(false, false);
        try (AjpServer server =
                        new AjpServer(
                                transport, Repertoire::handle, config, HttpLimits.defaults());
                FrontEnd front = server.frontEnd()) {
            assertEquals(
                    "http remote=192.0.2.7:0 local=front.example:8443 user=null",
                    front.exchange(request("GET", "/facts", 0, true, attributes), NONE).text());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void connection_thatIdles_isClosedAfterItsTime(String transport) throws Exception {
        AjpConfig config = AjpConfig.withSecret(SECRET).withIdleTimeout(Duration.ofMillis(300));
        try (AjpServer server =
                        new AjpServer(
                                transport, Repertoire::handle, config, HttpLimits.defaults());
                FrontEnd front = server.frontEnd()) {
            assertEquals("inline", front.get("/inline", SECRET).text());
            assertEquals(0, front.untilClosed().length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void packet_thatDripsIn_isClosedAfterItsTime(String transport) throws Exception {
        Duration longTime = Duration.ofSeconds(20);
        HttpLimits limits =
                HttpLimits.defaults()
                        .withTimeouts(Duration.ofMillis(300), longTime, longTime, longTime);
        try (AjpServer server =
                        new AjpServer(
                                transport,
                                Repertoire::handle,
                                AjpConfig.withSecret(SECRET),
                                limits);
                FrontEnd front = server.frontEnd()) {
            front.send(new byte[] {0x12, 0x34, 0});
            assertEquals(0, front.untilClosed().length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void drain_closesWhatIdlesAndEndsReuse(String transport) throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                FrontEnd idle = server.frontEnd();
                FrontEnd busy = server.frontEnd()) {
            assertEquals("inline", idle.get("/inline", SECRET).text());
            assertEquals("inline", busy.get("/inline", SECRET).text());
            busy.send(request("POST", "/digest", 3, secret(SECRET)));
            Eventually.holds(
                    "the request has begun",
                    () -> {
                        ServerStats.Reading stats = server.listener().stats().read();
                        return stats.requests() == 2 && stats.requestsActive() == 1;
                    });
            Thread drain =
                    Thread.startVirtualThread(() -> server.server.drain(Duration.ofSeconds(10)));
            assertEquals(0, idle.untilClosed().length);
            busy.sendData(new byte[3], 0, 3);
            Answer answer = busy.answer(false, NONE, 0);
            assertEquals(200, answer.status());
            assertFalse(answer.reuse());
            assertTrue(drain.join(Duration.ofSeconds(10)));
        }
    }

    /// No response reaches another request: many connections at once, large responses, each of a
    /// size of its own.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void responses_ofManyConnections_areNotMixedUp_cve2026_103119(String transport)
            throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                int number = i;
                Callable<Integer> run = () -> mixed(server, number);
                runs.add(threads.submit(run));
            }
            for (Future<Integer> run : runs) {
                assertEquals(30, run.get());
            }
        }
    }

    private static int mixed(AjpServer server, int number) throws IOException {
        int done = 0;
        try (FrontEnd front = server.frontEnd()) {
            for (int i = 0; i < 30; i++) {
                int size = 1000 + 7919 * number + 131 * i;
                if (i % 3 == 0) {
                    byte[] content = Repertoire.content(size);
                    Answer echo =
                            front.exchange(request("POST", "/poll", size, secret(SECRET)), content);
                    assertArrayEquals(content, echo.content());
                } else {
                    String kind = i % 3 == 1 ? "/pieces/" : "/file/";
                    assertArrayEquals(
                            Repertoire.content(size), front.get(kind + size, SECRET).content());
                }
                done++;
            }
        }
        return done;
    }
}
