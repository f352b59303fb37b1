package io.margay.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.yaml.Problem;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.LoggedLines;
import io.margay.testkit.ScriptedNameServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A gateway whose members stand in a file that changes while it is at work.
@Tag("slow")
final class MembersTest {
    private static final String TOKEN = "a-token-for-this-test";

    @TempDir Path folder;
    private AnsweringServer one;
    private AnsweringServer two;
    private MargayServer server;
    private Http http;
    private Http admin;

    @BeforeEach
    void start() throws Exception {
        one = new AnsweringServer("one");
        two = new AnsweringServer("two");
        members(line(one));
        server = MargayServer.start(read("").get(), DeployProgress.NONE);
        http = new Http(server.ports().getFirst());
        admin = new Http(server.adminPort());
    }

    @AfterEach
    void stop() {
        server.close();
        one.close();
        two.close();
    }

    /// @param more keys beside the file
    private ConfigFile.Result read(String more) throws IOException {
        return reading("file: shop.members, every: 100ms, drain: 0s" + more);
    }

    private ConfigFile.Result reading(String source) throws IOException {
        String yaml =
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:0
                admin-token: %s
                hosts: [{routes: {/*: {gateway: shop}}}]
                upstreams:
                  shop:
                    members: {%s}
                work: work
                """
                        .formatted(TOKEN, source);
        return ConfigFile.read(Files.writeString(folder.resolve("margay.yaml"), yaml), Map.of());
    }

    private static String line(AnsweringServer to) {
        return "http://127.0.0.1:" + to.httpPort();
    }

    private void members(String... lines) throws IOException {
        Path part = Files.writeString(folder.resolve("part"), String.join("\n", lines));
        Files.move(part, folder.resolve("shop.members"), StandardCopyOption.ATOMIC_MOVE);
    }

    private void answerBy(String... names) {
        Eventually.holds("answers by " + Set.of(names), () -> Set.of(names).equals(answering()));
    }

    /// Who answers of four requests.
    private Set<String> answering() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            String answer = got(http, "/");
            boolean answered = answer.startsWith(AnsweringServer.MARK);
            names.add(
                    answered
                            ? answer.substring(AnsweringServer.MARK.length()).split(":")[0]
                            : "nobody");
        }
        return names;
    }

    private static String got(Http from, String path) {
        try {
            return from.get(path);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void members_comeAndGoWithTheFile() throws Exception {
        assertEquals(Set.of("one"), answering()); // From the first request on.
        members(line(one), line(two));
        answerBy("one", "two");
        members(line(two) + " weight=3");
        answerBy("two");
        String upstreams = admin.get("/api/upstreams");
        assertTrue(upstreams.contains("\"weight\":3.0"), upstreams);
        assertTrue(upstreams.contains("\"origin\":\"discovered\""), upstreams);
    }

    @Test
    void file_thatIsBroken_changesNothing_andHealthSaysSo() throws Exception {
        members(line(one), "gibberish");
        Eventually.holds(
                "degraded", () -> got(admin, "/health").contains("\"memberSourcesFailing\":1"));
        assertEquals(Set.of("one"), answering());
        String upstreams = admin.get("/api/upstreams");
        assertTrue(upstreams.contains("\"failure\":\"line 2: "), upstreams);
        assertTrue(
                admin.get("/metrics").contains("margay_upstream_source_up{source=\"file "),
                admin.get("/metrics"));
        members(line(two));
        answerBy("two");
        assertEquals("{\"status\":\"up\"}", admin.get("/health").strip());
    }

    @Test
    void reload_keepsMembers_orLooksAnew() throws Exception {
        server.reload(read("").get());
        assertEquals(Set.of("one"), answering());
        members(line(two));
        answerBy("two");
        server.reload(read(", weight: 2").get());
        assertEquals(Set.of("two"), answering());
        members(line(one));
        answerBy("one");
    }

    @Test
    void upstream_withoutAnyMember_is503() throws Exception {
        Files.delete(folder.resolve("shop.members"));
        server.reload(read(", weight: 2").get());
        assertEquals(503, http.status("/"));
        members(line(one));
        answerBy("one");
    }

    @Test
    void source_withKeysOfAnother_isWrong() throws Exception {
        assertWrong("file: a, url: http://x", "only one of the keys url, file");
        assertWrong("file: a, route: b", "\"route\" does not go with \"file\"");
        assertWrong("url: http://x, drain: 1s", "\"drain\" does not go with \"url\"");
        assertWrong("file: a, hold: 1s", "\"hold\" does not go with \"file\"");
        assertWrong("srv: a, port: 80", "\"port\" does not go with \"srv\"");
        assertWrong("dns: a", "\"dns\" needs a \"port\"");
        assertWrong("srv: 'a b'", "must be a name of the DNS");
        assertWrong("srv: a, resolvers: ns.internal", "must be an address");
        assertWrong("kubernetes: {service: a}, port: 80", "\"port\" does not go with");
        assertWrong("kubernetes: {service: a, api: 'ftp://h'}", "must be a URL");
        assertWrong("kubernetes: {service: a/b}", "must be a name");
        String etcd = "etcd: {servers: 'http://127.0.0.1:1', prefix: /shop/";
        assertWrong(etcd + "}, scheme: http", "\"scheme\" does not go with \"etcd\"");
        assertWrong(etcd + ", user: u}", "belong together");
    }

    @Test
    void sourcesThatAreWatched_areAsked_andHealthSaysThatTheyFail() throws Exception {
        String nowhere = "http://127.0.0.1:" + FreePort.next();
        String kubernetes =
                "kubernetes: {service: shop, namespace: x, api: '%s', token-file: token}"
                        .formatted(nowhere);
        String etcd = "etcd: {servers: '%s', prefix: /shop/}".formatted(nowhere);
        Files.writeString(folder.resolve("token"), "t");
        server.reload(reading(kubernetes).get());
        assertFails("kubernetes x/shop");
        server.reload(reading(etcd).get());
        assertFails("etcd /shop/");
    }

    private void assertFails(String source) {
        Eventually.holds(
                "failing",
                () -> {
                    String upstreams = got(admin, "/api/upstreams");
                    return upstreams.contains("\"source\":\"" + source + "\"")
                            && upstreams.contains("\"failure\":")
                            && !upstreams.contains("class path");
                });
    }

    private void assertWrong(String source, String why) throws IOException {
        List<String> problems = reading(source).problems().stream().map(Problem::toString).toList();
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(problems.getFirst().contains(why), problems::toString);
    }

    @Test
    void members_comeAndGoWithTheDns() throws Exception {
        try (ScriptedNameServer names = new ScriptedNameServer()) {
            String pod0 = "pod-0.internal. 1 A 127.0.0.1";
            names.zone(service(one), pod0);
            String source =
                    "srv: _http._tcp.shop.internal, family: ipv4, every: 100ms, hold: 0s, "
                            + "resolvers: 127.0.0.1:"
                            + names.address().getPort();
            server.reload(reading(source).get());
            assertEquals(Set.of("one"), answering());
            names.zone(service(one), service(two), pod0);
            answerBy("one", "two");
            names.fail("SERVFAIL");
            Eventually.holds(
                    "degraded", () -> got(admin, "/health").contains("\"memberSourcesFailing\":1"));
            assertEquals(Set.of("one", "two"), answering());
            names.zone(service(two), pod0);
            answerBy("two");
            names.zone(pod0);
            answerBy("nobody");
        }
    }

    /// @param query of the operation that reads and changes members
    private HttpResponse<String> member(String method, String query) throws Exception {
        URI uri =
                URI.create(
                        "http://127.0.0.1:"
                                + server.adminPort()
                                + "/api/upstreams/members?"
                                + query);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(uri)
                            .header("Authorization", "Bearer " + TOKEN)
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void member_thatIsChangedByTheApi_staysSo_andTheLogSaysByWhom() throws Exception {
        members(line(one), line(two));
        answerBy("one", "two");
        String first = "upstream=shop&member=" + URLEncoder.encode(line(one), UTF_8);
        try (LoggedLines log = LoggedLines.of("io.margay.app.AppControl")) {
            HttpResponse<String> done =
                    member("PUT", first + "&activation=stopped&weight=2.5&busy-max=7");
            assertEquals(200, done.statusCode());
            assertTrue(done.body().contains("\"activation\":\"stopped\""), done.body());
            String line =
                    "activation from active to stopped, weight from 1.0 to 2.5, busy-max from 0 to"
                            + " 7, by the token at 127.0.0.1 (API)";
            assertEquals(1, log.count(line), log::toString);
        }
        assertEquals(Set.of("two"), answering());
        members("# read again", line(one), line(two));
        Eventually.holds(
                "read", () -> got(admin, "/api/upstreams").contains("\"members\":2,\"looks\""));
        assertTrue(member("GET", first).body().contains("\"weight\":2.5"));
        assertEquals(Set.of("two"), answering());
        assertEquals(200, member("PUT", first + "&activation=active").statusCode());
        answerBy("one", "two");
    }

    @Test
    void change_thatMakesNoSense_isNotDone() throws Exception {
        String first = "upstream=shop&member=" + URLEncoder.encode(line(one), UTF_8);
        assertEquals(400, member("PUT", first).statusCode());
        assertEquals(400, member("PUT", first + "&activation=on").statusCode());
        assertEquals(400, member("PUT", first + "&weight=0").statusCode());
        assertEquals(400, member("PUT", first + "&busy-max=-1").statusCode());
        assertEquals(404, member("PUT", "upstream=shop&member=x&weight=1").statusCode());
        assertEquals(404, member("PUT", "upstream=x&member=x&weight=1").statusCode());
        assertEquals(404, member("GET", "upstream=shop&member=x").statusCode());
        assertTrue(member("GET", first).body().contains("\"activation\":\"active\""));
    }

    private static String service(AnsweringServer to) {
        return "_http._tcp.shop.internal. 1 SRV 0 0 " + to.httpPort() + " pod-0.internal.";
    }
}
