package io.margay.members.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.members.watch.ScriptedApi.Reply;
import io.margay.members.watch.ScriptedApi.Request;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Members from keys of etcd, at a server that says what its JSON gateway says.
final class EtcdTest {
    @TempDir Path folder;
    private ScriptedApi api;
    private WatchedMembers members;
    private final AtomicReference<Reply> range = new AtomicReference<>(range(5));
    private final AtomicReference<Reply> watch = new AtomicReference<>(new Reply.Lines());

    @BeforeEach
    void start() throws IOException {
        api = new ScriptedApi();
        api.answer(this::answer);
        members = members(false, api.uri());
    }

    @AfterEach
    void stop() throws IOException {
        members.close();
        api.close();
    }

    private Reply answer(Request request) {
        return request.path().equals("/v3/watch") ? watch.get() : range.get();
    }

    private WatchedMembers members(boolean login, URI... servers) {
        MemberSource.Etcd etcd =
                new MemberSource.Etcd(
                        List.of(servers),
                        "/shop/",
                        login ? "margay" : "",
                        login ? folder.resolve("password") : null,
                        null);
        MemberSource source =
                new MemberSource(
                        etcd,
                        PeerConfig.of("-", PeerAddress.of(PeerScheme.HTTP, "localhost", 80)),
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ofSeconds(30));
        DiscoveryLimits limits = DiscoveryLimits.defaults();
        return new WatchedMembers(
                source,
                new EtcdApi(source, etcd, Looks.QUICK, limits),
                limits,
                Looks.QUICK,
                System::nanoTime);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String entry(int revision, String key, String value) {
        return "{\"key\":\"%s\",\"value\":\"%s\",\"mod_revision\":\"%d\"}"
                .formatted(base64("/shop/" + key), base64(value), revision);
    }

    private static Reply range(int revision, String... entries) {
        return new Reply.Text(
                200,
                "{\"header\":{\"revision\":\"%d\"},\"kvs\":[%s]}"
                        .formatted(revision, String.join(",", entries)));
    }

    private static String events(String... events) {
        return "{\"result\":{\"header\":{\"revision\":\"9\"},\"events\":["
                + String.join(",", events)
                + "]}}";
    }

    private static String put(int revision, String key, String value) {
        return "{\"kv\":" + entry(revision, key, value) + "}";
    }

    private static String delete(int revision, String key) {
        return "{\"type\":\"DELETE\",\"kv\":" + entry(revision, key, "") + "}";
    }

    private void send(String... lines) {
        Looks.send(watch, lines);
    }

    private String look() throws InterruptedException {
        return Looks.look(members);
    }

    private String news() throws InterruptedException {
        return Looks.news(members);
    }

    @Test
    void keysBelowThePrefix_areMembers_asTheyChange() throws Exception {
        range.set(
                range(
                        5,
                        entry(3, "a", "http://10.0.0.1:80 route=ra weight=2\n"),
                        entry(4, "b", "ajp://10.0.0.2:8009 activation=disabled")));
        assertEquals("a=http://10.0.0.1:80, b=ajp://10.0.0.2:8009 drains", look());
        Request asked = api.requests().getFirst();
        assertTrue(asked.body().contains("\"key\":\"" + base64("/shop/") + "\""), asked.body());
        assertTrue(asked.body().contains("\"range_end\":\"" + base64("/shop0") + "\""));
        assertTrue(asked.body().contains("\"limit\":1025"), asked.body());
        send("{\"result\":{\"header\":{\"revision\":\"5\"},\"created\":true}}");
        assertEquals("same", look());
        assertTrue(api.requests().getLast().body().contains("\"start_revision\":6"));
        send(events(put(6, "c", "http://10.0.0.3:80"), delete(7, "a")));
        assertEquals("b=ajp://10.0.0.2:8009 drains, c=http://10.0.0.3:80", news());
        send(events(put(8, "b", "http://10.0.0.9:80")));
        assertEquals("b=http://10.0.0.9:80, c=http://10.0.0.3:80", news());
    }

    @Test
    void watchThatEnds_goesOnAfterTheLastEvent() throws Exception {
        range.set(range(5, entry(3, "a", "http://10.0.0.1:80")));
        assertEquals("a=http://10.0.0.1:80", look());
        send(events(put(8, "b", "http://10.0.0.2:80")), ScriptedApi.END);
        assertEquals("a=http://10.0.0.1:80, b=http://10.0.0.2:80", news());
        watch.set(new Reply.Lines());
        while (api.count("/v3/watch") < 2) {
            assertEquals("same", look());
        }
        assertTrue(api.requests().getLast().body().contains("\"start_revision\":9"));
        send(events(put(9, "c", "http://10.0.0.3:80")), ScriptedApi.BREAK);
        String said = news();
        assertTrue(said.startsWith("failed") || said.contains("c=http"), said);
    }

    @Test
    void revisionThatIsCompacted_isReadAnew() throws Exception {
        range.set(range(5, entry(3, "a", "http://10.0.0.1:80")));
        assertEquals("a=http://10.0.0.1:80", look());
        send("{\"result\":{\"canceled\":true,\"compact_revision\":\"40\"}}");
        range.set(range(50, entry(45, "b", "http://10.0.0.2:80")));
        assertEquals("b=http://10.0.0.2:80", news());
        watch.set(new Reply.Lines());
        assertEquals("same", look());
        assertTrue(api.requests().getLast().body().contains("\"start_revision\":51"));
    }

    @Test
    void valueThatIsNoMember_isLeftOut() throws Exception {
        range.set(
                range(
                        5,
                        entry(3, "a", "http://10.0.0.1:80"),
                        entry(3, "b", "gibberish"),
                        entry(3, "c d", "http://10.0.0.1:80"),
                        entry(3, "", "http://10.0.0.1:80"),
                        entry(3, "e", "http://10.0.0.1:80 weight=-1")));
        assertEquals("a=http://10.0.0.1:80", look());
    }

    @Test
    void userLogsIn_andAgainWhenTheTokenIsGone() throws Exception {
        Files.writeString(folder.resolve("password"), "secret\n");
        AtomicReference<String> token = new AtomicReference<>("t1");
        range.set(range(5, entry(3, "a", "http://10.0.0.1:80")));
        api.answer(request -> {
            if (request.path().equals("/v3/auth/authenticate")) {
                return request.body().contains("\"password\":\"secret\"")
                        ? new Reply.Text(200, "{\"token\":\"" + token.get() + "\"}")
                        : new Reply.Text(400, "{\"message\":\"authentication failed\"}");
            }
            return request.authorization().equals(token.get())
                    ? answer(request)
                    : new Reply.Text(401, "{\"message\":\"invalid auth token\"}");
        });
        members = members(true, api.uri());
        assertEquals("a=http://10.0.0.1:80", look());
        token.set("t2");
        send(events(put(6, "b", "http://10.0.0.2:80")));
        assertEquals("a=http://10.0.0.1:80, b=http://10.0.0.2:80", news());
        assertEquals(2, api.count("authenticate"));
        Files.writeString(folder.resolve("password"), "wrong");
        members = members(true, api.uri());
        assertEquals("failed: 400: authentication failed", look());
    }

    @Test
    void serverThatIsAway_isFollowedByTheNext() throws Exception {
        range.set(range(5, entry(3, "a", "http://10.0.0.1:80")));
        try (ScriptedApi silent = new ScriptedApi()) {
            silent.answer(_ -> new Reply.Text(503, "{\"message\":\"no leader\"}"));
            members = members(false, silent.uri(), api.uri());
            assertEquals("failed: 503: no leader", look());
            assertEquals("a=http://10.0.0.1:80", look());
        }
        send("{\"error\":{\"message\":\"no leader\"}}");
        assertEquals("failed: watch: no leader", news());
    }

    @Test
    void emptyPrefix_isToldForCertain() throws Exception {
        assertEquals("none: it has no members for etcd /shop/", look());
        assertTrue(look().startsWith("none: "));
    }

    @Test
    void hundredThousandKeys_areNotBelieved() throws Exception {
        String[] many =
                IntStream.range(0, 1_025)
                        .mapToObj(i -> entry(3, "m" + i, "http://10.0." + (i >> 8) + ".1:80"))
                        .toArray(String[]::new);
        range.set(range(5, many));
        assertEquals("failed: it names more than 1024 members", look());
        range.set(range(5, entry(3, "a", "http://10.0.0.1:80")));
        assertEquals("a=http://10.0.0.1:80", look());
        for (int i = 0; i < 100_000; i += 500) {
            int from = i;
            send(
                    events(
                            IntStream.range(from, from + 500)
                                    .mapToObj(n -> put(6, "m" + n, "http://10.0.0.1:80"))
                                    .toArray(String[]::new)));
        }
        String said = news();
        for (int i = 0; i < 20 && said.startsWith("a=http://10.0.0.1:80, m0="); i++) {
            said = news(); // The first thousand may have been seen by themselves.
        }
        assertEquals("failed: it names more than 1024 members", said);
        assertEquals("a=http://10.0.0.1:80", look());
    }
}
