package io.margay.members.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.MemberSource.Family;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.Finding;
import io.margay.members.watch.ScriptedApi.Reply;
import io.margay.members.watch.ScriptedApi.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Members from EndpointSlices, at a server that says what the API of Kubernetes says.
final class KubernetesTest {
    @TempDir Path folder;
    private ScriptedApi api;
    private WatchedMembers members;
    private long aheadNanos;

    /// The next list, and the watch that follows it.
    private final AtomicReference<Reply> list = new AtomicReference<>(list("7"));

    private final AtomicReference<Reply> watch = new AtomicReference<>(new Reply.Lines());

    @BeforeEach
    void start() throws IOException {
        api = new ScriptedApi();
        api.answer(this::answer);
        Files.writeString(folder.resolve("token"), "first");
        Files.writeString(folder.resolve("namespace"), "app\n");
        members = members("http", Family.ANY);
    }

    @AfterEach
    void stop() throws IOException {
        members.close();
        api.close();
    }

    private Reply answer(Request request) {
        return request.path().contains("watch=true") ? watch.get() : list.get();
    }

    private WatchedMembers members(String port, Family family) {
        MemberSource.Kubernetes service =
                new MemberSource.Kubernetes(
                        api.uri(), "", "shop", port, family, folder.resolve("token"), null);
        MemberSource source =
                new MemberSource(
                        service,
                        PeerConfig.of("-", PeerAddress.of(PeerScheme.HTTP, "localhost", 80)),
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ofSeconds(30));
        return new WatchedMembers(
                source,
                new KubernetesApi(source, service, Looks.QUICK, 4096),
                DiscoveryLimits.defaults(),
                Looks.QUICK,
                () -> System.nanoTime() + aheadNanos);
    }

    private static Reply list(String version, String... slices) {
        return new Reply.Text(
                200,
                """
                {"kind": "EndpointSliceList", "metadata": {"resourceVersion": "%s"}, "items": [%s]}
                """
                        .formatted(version, String.join(",", slices)));
    }

    private static String slice(String name, String type, String... endpoints) {
        return ("{\"metadata\": {\"name\": \"%s\", \"resourceVersion\": \"8\"}, \"addressType\":"
                        + " \"%s\", \"ports\": [{\"name\": \"http\", \"port\": 8080, \"protocol\":"
                        + " \"TCP\"}, {\"name\": \"ajp\", \"port\": 8009}], \"endpoints\": [%s]}")
                .formatted(name, type, String.join(",", endpoints));
    }

    private static String pod(String name, String address) {
        return pod(name, address, "\"ready\": true, \"serving\": true, \"terminating\": false");
    }

    private static String pod(String name, String address, String conditions) {
        return ("{\"addresses\": [\"%s\"], \"conditions\": {%s}, \"targetRef\": {\"kind\":"
                        + " \"Pod\", \"name\": \"%s\"}}")
                .formatted(address, conditions, name);
    }

    private static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
    }

    private void send(String... lines) {
        Looks.send(watch, lines);
    }

    private String look() throws InterruptedException {
        return Looks.look(members).replace("http://", "");
    }

    private String news() throws InterruptedException {
        return Looks.news(members).replace("http://", "");
    }

    @Test
    void slices_makeMembersTogether() throws Exception {
        list.set(
                list(
                        "7",
                        slice("a", "IPv4", pod("p1", "10.0.0.1"), pod("p2", "10.0.0.2")),
                        slice("b", "IPv4", pod("p3", "10.0.0.3")),
                        slice("c", "FQDN", pod("p4", "name.example"))));
        assertEquals("p1=10.0.0.1:8080, p2=10.0.0.2:8080, p3=10.0.0.3:8080", look());
        Request request = api.requests().getFirst();
        assertEquals(
                "/apis/discovery.k8s.io/v1/namespaces/app/endpointslices?labelSelector="
                        + "kubernetes.io/service-name=shop&limit=2",
                request.path());
        assertEquals("Bearer first", request.authorization());
    }

    @Test
    void events_changeMembers_asConditionsSay() throws Exception {
        list.set(list("7", slice("a", "IPv4", pod("p1", "10.0.0.1"))));
        assertEquals("p1=10.0.0.1:8080", look());
        String unready = "\"ready\": false, \"serving\": false, \"terminating\": false";
        String ending = "\"ready\": false, \"serving\": true, \"terminating\": true";
        String ended = "\"ready\": false, \"serving\": false, \"terminating\": true";
        send(event("ADDED", slice("b", "IPv4", pod("p2", "10.0.0.2", unready))));
        assertEquals("p1=10.0.0.1:8080", news());
        send(event("MODIFIED", slice("b", "IPv4", pod("p2", "10.0.0.2"))));
        assertEquals("p1=10.0.0.1:8080, p2=10.0.0.2:8080", news());
        send(event("MODIFIED", slice("a", "IPv4", pod("p1", "10.0.0.1", ending))));
        assertEquals("p1=10.0.0.1:8080 drains, p2=10.0.0.2:8080", news());
        send(event("MODIFIED", slice("a", "IPv4", pod("p1", "10.0.0.1", ended))));
        assertEquals("p2=10.0.0.2:8080", news());
        send(event("MODIFIED", slice("a", "IPv4", pod("p1", "10.0.0.1", ""))));
        assertEquals("p1=10.0.0.1:8080, p2=10.0.0.2:8080", news());
        send(event("DELETED", slice("b", "IPv4")));
        assertEquals("p1=10.0.0.1:8080", news());
        assertTrue(api.requests().getLast().path().endsWith("&resourceVersion=7"));
        assertTrue(api.requests().getLast().path().contains("&allowWatchBookmarks=true&"));
        assertEquals(1, api.count("watch=true"));
    }

    @Test
    void podInTwoSlices_isWhatTheBetterOneSays() throws Exception {
        String gone = "\"ready\": false, \"serving\": true, \"terminating\": true";
        list.set(
                list(
                        "7",
                        slice("a", "IPv4", pod("p1", "10.0.0.1", gone)),
                        slice("b", "IPv4", pod("p1", "10.0.0.1"))));
        assertEquals("p1=10.0.0.1:8080", look());
    }

    @Test
    void podWithTwoAddresses_isOneMember_asTheFamilySays() throws Exception {
        Reply both =
                list(
                        "7",
                        slice("a", "IPv6", pod("p1", "fd00::1"), pod("p2", "fd00::2")),
                        slice("b", "IPv4", pod("p1", "10.0.0.1")));
        list.set(both);
        assertEquals("p1=10.0.0.1:8080, p2=[fd00::2]:8080", look());
        members = members("http", Family.IPV6);
        assertEquals("p1=[fd00::1]:8080, p2=[fd00::2]:8080", look());
        members = members("http", Family.IPV4);
        assertEquals("p1=10.0.0.1:8080", look());
    }

    @Test
    void port_isByNameOrNumber_andMustBeClear() throws Exception {
        list.set(list("7", slice("a", "IPv4", pod("p1", "10.0.0.1"))));
        members = members("ajp", Family.ANY);
        assertEquals("p1=10.0.0.1:8009", look());
        members = members("9000", Family.ANY);
        assertEquals("p1=10.0.0.1:9000", look());
        members = members("", Family.ANY);
        assertEquals("failed: it has 2 ports: \"port\" must say which", look());
        assertEquals("same", look().replaceFirst("failed: .*", "same"));
        members = members("admin", Family.ANY);
        assertTrue(look().startsWith("none: "));
    }

    @Test
    void pages_areReadToTheEnd() throws Exception {
        List<String> pages =
                List.of(
                        slice("a", "IPv4", pod("p1", "10.0.0.1")),
                        slice("b", "IPv4", pod("p2", "10.0.0.2")));
        api.answer(request -> {
            boolean second = request.path().contains("continue=go on");
            return new Reply.Text(
                    200,
                    "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"%s\"},\"items\":[%s]}"
                            .formatted(second ? "" : "go on", pages.get(second ? 1 : 0)));
        });
        assertEquals("p1=10.0.0.1:8080, p2=10.0.0.2:8080", look());
    }

    @Test
    void versionThatIsTooOld_isReadAnew() throws Exception {
        list.set(list("7", slice("a", "IPv4", pod("p1", "10.0.0.1"))));
        assertEquals("p1=10.0.0.1:8080", look());
        send(
                event("BOOKMARK", "{\"metadata\": {\"resourceVersion\": \"20\"}}"),
                event("ERROR", "{\"code\": 410, \"message\": \"too old resource version\"}"));
        list.set(list("30", slice("b", "IPv4", pod("p2", "10.0.0.2"))));
        assertEquals("p2=10.0.0.2:8080", news());
        watch.set(new Reply.Text(410, "{\"message\": \"Expired\"}"));
        assertEquals("same", look());
        assertEquals("p2=10.0.0.2:8080", look());
        assertEquals(3, api.count("limit="));
        assertTrue(api.requests().get(api.requests().size() - 2).path().endsWith("=30"));
    }

    @Test
    void watchThatEnds_goesOnFromTheBookmark() throws Exception {
        list.set(list("7", slice("a", "IPv4", pod("p1", "10.0.0.1"))));
        assertEquals("p1=10.0.0.1:8080", look());
        send(event("BOOKMARK", "{\"metadata\": {\"resourceVersion\": \"20\"}}"), ScriptedApi.END);
        while (api.count("watch=true") < 2) {
            assertEquals("same", look());
            watch.set(new Reply.Lines());
        }
        assertTrue(api.requests().getLast().path().endsWith("&resourceVersion=20"));
        assertEquals(1, api.count("limit="));
    }

    @Test
    void watchThatBreaks_isAFailure_andGoesOn() throws Exception {
        list.set(list("7", slice("a", "IPv4", pod("p1", "10.0.0.1"))));
        assertEquals("p1=10.0.0.1:8080", look());
        send(ScriptedApi.HALF, ScriptedApi.BREAK);
        assertTrue(news().startsWith("failed: "));
        watch.set(new Reply.Lines());
        send(event("ADDED", slice("b", "IPv4", pod("p2", "10.0.0.2"))));
        assertEquals("p1=10.0.0.1:8080, p2=10.0.0.2:8080", news());
        send("gibberish");
        assertTrue(news().startsWith("failed: "));
        list.set(list("9", slice("c", "IPv4", pod("p3", "10.0.0.3"))));
        assertEquals("p3=10.0.0.3:8080", news()); // What was not understood may have been any.
    }

    @Test
    void watchThatIsDeadWithoutAWord_isFollowedByAnother() throws Exception {
        list.set(list("7", slice("a", "IPv4", pod("p1", "10.0.0.1"))));
        assertEquals("p1=10.0.0.1:8080", look());
        assertEquals("same", look());
        aheadNanos += Duration.ofSeconds(76).toNanos();
        assertEquals("same", look());
        assertEquals("same", look());
        assertEquals(2, api.count("watch=true"));
    }

    @Test
    void tokenThatIsRotated_isUsed() throws Exception {
        api.answer(request ->
                request.authorization().equals("Bearer second")
                        ? answer(request)
                        : new Reply.Text(401, "{\"message\": \"Unauthorized\"}"));
        assertEquals("failed: 401: Unauthorized", look());
        Files.writeString(folder.resolve("token"), "second");
        list.set(list("7", slice("a", "IPv4", pod("p1", "10.0.0.1"))));
        assertEquals("p1=10.0.0.1:8080", look());
        Files.delete(folder.resolve("token"));
        assertTrue(look().startsWith("failed: the token file"));
    }

    @Test
    void serverThatIsSilentOrAway_isAFailure() throws Exception {
        list.set(new Reply.Silence());
        assertEquals("failed: it does not answer in time", look());
        api.close();
        assertTrue(look().startsWith("failed: "));
        api = new ScriptedApi();
    }

    @Test
    void serviceWithoutPods_isToldForCertain_forAsLongAsItIsSo() throws Exception {
        assertEquals("none: it has no members for kubernetes shop", look());
        assertTrue(look().startsWith("none: "));
        assertTrue(look().startsWith("none: "));
        send(event("ADDED", slice("a", "IPv4", pod("p1", "10.0.0.1"))));
        String said = look();
        while (said.startsWith("none: ")) {
            said = look();
        }
        assertEquals("p1=10.0.0.1:8080", said);
    }

    @Test
    void hundredThousandPods_areNotBelieved() throws Exception {
        String[] many =
                IntStream.range(0, 1_100)
                        .mapToObj(i -> pod("p" + i, "10.1." + (i >> 8) + "." + (i & 255)))
                        .toArray(String[]::new);
        list.set(list("7", slice("a", "IPv4", many)));
        assertEquals("failed: it names more than 1024 members", look());
        List<String> slices = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            slices.add(slice("s" + i, "IPv4", many).replace("\"p", "\"s" + i + "p"));
        }
        api.answer(request -> {
            int at = request.path().indexOf("&continue=");
            int page = at < 0 ? 0 : Integer.parseInt(request.path().substring(at + 10));
            return new Reply.Text(200, page(slices, page));
        });
        assertEquals("failed: it names more than 4096 endpoints", look());
        list.set(list("9", slice("a", "IPv4", pod("p1", "10.0.0.1"))));
        api.answer(this::answer);
        assertEquals("p1=10.0.0.1:8080", look());
        watch.set(new Reply.Lines());
        send("x".repeat(100_001)); // All is read anew.
        assertEquals("p1=10.0.0.1:8080", news());
        watch.set(new Reply.Lines());
        String[] some = Arrays.copyOf(many, 600);
        String[] others = Arrays.copyOfRange(many, 500, 1_100);
        send(event("ADDED", slice("b", "IPv4", some)), event("ADDED", slice("c", "IPv4", others)));
        String said = news();
        assertTrue(said.startsWith("failed: ") || said.startsWith("p0="), said);
        if (!said.startsWith("failed: ")) {
            assertEquals("failed: it names more than 1024 members", news());
        }
        assertEquals("p1=10.0.0.1:8080", news());
    }

    private static String page(List<String> slices, int page) {
        String items =
                Stream.of(2 * page, 2 * page + 1).map(slices::get).collect(Collectors.joining(","));
        return "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"%d\"},\"items\":[%s]}"
                .formatted(page + 1, items);
    }

    @Test
    void answerThatIsTooLong_isAFailure() throws Exception {
        list.set(new Reply.Text(200, "x".repeat((1 << 20) + 1)));
        assertTrue(look().startsWith("failed: "));
        assertInstanceOf(Finding.Failed.class, members.find());
    }
}
