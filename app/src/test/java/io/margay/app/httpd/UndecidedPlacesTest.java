package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.config.file.FileShape;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.yaml.Shape;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every key of `margay.yaml` that takes an expression, with one that comes to no end, and a client
/// who sends what it does not end with. The keys are found in the description of the file: a new
/// one fails here until it is said what happens.
final class UndecidedPlacesTest {
    /// No engine comes to an end with it.
    private static final String ENDLESS = "\"(a+)+\\\\1!$\"";

    /// Longer than it takes, and short enough for the name of a file.
    private static final String LONG = "a".repeat(200);

    /// More than a second's worth of 100 bytes a second.
    private static final String FILE = "a file ".repeat(50);

    private static final String WHEN = "when: [{value: \"%{HTTP:X-A}\", regex: " + ENDLESS + "}]";
    private static final String REGEX = "regex: " + ENDLESS;

    /// Keys whose text no client chooses.
    private static final Set<String> OF_OTHERS =
            Set.of(
                    "listeners.allowed-request-attributes", // names that a front end gives
                    "hosts.access.sections.run.regex"); // `run` takes no rules with one

    @TempDir Path folder;

    /// What must become of the request.
    private enum Outcome {
        /// No member is asked, and the client gets nothing but an error.
        REFUSED,
        /// Limits hold: soon it is refused.
        LIMITED,
        /// Limits hold: it takes longer.
        SLOW,
        /// It is served as it is.
        PLAIN,
        /// A file that programs may have to run is not sent.
        UNSENT,
        /// What a member has answered does not reach the client.
        REPLACED,
        /// It is served, and has its line in the log.
        LOGGED,
        /// The error page that may not be meant is not shown.
        OWN_PAGE,
        /// It is served, and kept for nobody.
        NOT_KEPT
    }

    /// @param route more keys of the route
    /// @param host more keys of the host
    private record Place(String path, String route, String host, Outcome outcome) {}

    private static final Map<String, Place> PLACES = new HashMap<>();

    private static void host(String key, String text, Outcome outcome) {
        host(key, key, text, outcome);
    }

    /// @param lines end with the key
    private static void host(String lines, String key, String text, Outcome outcome) {
        for (String place : List.of("regex", "when.regex")) {
            String match = place.equals("regex") ? REGEX : WHEN;
            String path = outcome == Outcome.SLOW ? "/files/" : "/http/";
            PLACES.put(
                    "hosts." + key + "." + place,
                    new Place(path, "", lines + ": [{" + text + match + "}]", outcome));
        }
    }

    private static void only(String place, String path, String host, Outcome outcome) {
        PLACES.put("hosts." + place, new Place(path, "", host, outcome));
    }

    private static void route(String key, String text, Outcome outcome) {
        PLACES.put("hosts.routes." + key + ".when.regex", new Place("/http/", text, "", outcome));
    }

    private static void section(String key, String text) {
        only(
                "access.sections." + key,
                "/http/",
                "access: {sections: [{path: /http, " + text + "}]}",
                Outcome.REFUSED);
    }

    private static void ofFiles(String key, String text, Outcome outcome) {
        only(
                "access.sections." + key,
                "/files/",
                "access: {sections: [{folder: FILES, " + text + "}]}",
                outcome);
    }

    static {
        host(
                "request-headers: [{set: X-B, value: \"%{ENV:BAD}\"}]\n    variables",
                "variables", "set: BAD, value: \"1\", ", Outcome.REFUSED);
        host("request-headers", "unset: X-Remote-User, ", Outcome.REFUSED);
        only(
                "request-headers.find",
                "/http/",
                "request-headers: [{edit: X-A, find: " + ENDLESS + ", value: b}]",
                Outcome.REFUSED);
        host("response-headers", "unset: X-Powered-By, ", Outcome.REPLACED);
        only(
                "response-headers.find",
                "/http/",
                "response-headers: [{set: X-C, value: \"%{HTTP:X-A}\"}, {edit: X-C, find: "
                        + ENDLESS
                        + ", value: b}]",
                Outcome.REPLACED);
        host("expires", "after: 1d, ", Outcome.REPLACED);
        host("substitute", "in: [\"*\"], ", Outcome.REFUSED);
        only(
                "substitute.replace.find",
                "/http/",
                "substitute: [{in: [\"*\"]}, {replace: [{find: " + ENDLESS + ", by: b}]}]",
                Outcome.REPLACED);
        host("compression", "codings: [gzip], ", Outcome.PLAIN);
        only("rules.regex", "/http/", "rules: [{refuse: 403, " + REGEX + "}]", Outcome.REFUSED);
        only(
                "rules.when.regex",
                "/http/",
                "rules: [{refuse: 403, prefix: /http, " + WHEN + "}]",
                Outcome.REFUSED);
        only(
                "error-pages.when.regex",
                "/files/",
                "error-pages: [{status: 404, text: mine, " + WHEN + "}]",
                Outcome.OWN_PAGE);
        only(
                "error-pages.regex",
                "/files/",
                "error-pages: [{status: 404, text: mine, " + REGEX + "}]",
                Outcome.OWN_PAGE);
        only(
                "access-log.when.regex",
                "/http/",
                "access-log: {file: a.log, " + WHEN + "}",
                Outcome.LOGGED);
        only(
                "further-logs.when.regex",
                "/http/",
                "access-log: {file: b.log}\n    further-logs: [{file: a.log, " + WHEN + "}]",
                Outcome.LOGGED);
        caches();
        limits();
        access();
        sections();
    }

    /// The one whose conditions do not come to an end keeps nothing; no other takes its place.
    private static void caches() {
        for (String place : List.of("regex", "when.regex")) {
            String match = place.equals("regex") ? REGEX : WHEN;
            only(
                    "cache." + place,
                    "/http/",
                    "cache: [{memory: 0, " + match + "}, {default-age: 1h}]",
                    Outcome.NOT_KEPT);
        }
        PLACES.put(
                "hosts.routes.cache.when.regex",
                new Place(
                        "/http/",
                        "cache: {memory: 0, " + WHEN + "}",
                        "cache: {default-age: 1h}",
                        Outcome.NOT_KEPT));
        for (String key : List.of("bypass", "no-store")) {
            String cache = "cache: {default-age: 1h, " + WHEN.replaceFirst("when", key) + "}";
            only("cache." + key + ".regex", "/http/", cache, Outcome.NOT_KEPT);
            PLACES.put(
                    "hosts.routes.cache." + key + ".regex",
                    new Place("/http/", cache, "", Outcome.NOT_KEPT));
        }
    }

    private static void limits() {
        host("bandwidth", "rate: 100, ", Outcome.SLOW);
        host("rate-limits", "rate: 1/h, ", Outcome.LIMITED);
        host("request-sizes", "target-max: 100, ", Outcome.REFUSED);
        PLACES.put(
                "hosts.routes.bandwidth.when.regex",
                new Place("/files/", "bandwidth: {rate: 100, " + WHEN + "}", "", Outcome.SLOW));
        route("rate-limits", "rate-limits: {rate: 1/h, " + WHEN + "}", Outcome.LIMITED);
        route("request-sizes", "request-sizes: {target-max: 100, " + WHEN + "}", Outcome.REFUSED);
        only(
                "shield.bots.agent",
                "/http/",
                "shield: {challenge: all, bots: [{name: b, domains: [b.example], agent: "
                        + ENDLESS
                        + "}]}",
                Outcome.LIMITED);
    }

    private static void access() {
        only(
                "access.require.when.regex",
                "/http/",
                "access: {require: [{" + WHEN + "}]}",
                Outcome.REFUSED);
        route("access.require", "access: {require: [{" + WHEN + "}]}", Outcome.REFUSED);
        only(
                "access.sections.when.regex",
                "/http/",
                "access: {sections: [{" + WHEN + ", require: [{everybody: false}]}]}",
                Outcome.REFUSED);
        section("require.when.regex", "require: [{" + WHEN + "}]");
        section("always.when.regex", "always: [{" + WHEN + "}]");
        section("allow.when.regex", "order: [{is: allow-deny}], allow: [{" + WHEN + "}]");
        section("deny.when.regex", "order: [{is: deny-allow}], deny: [{" + WHEN + "}]");
    }

    private static void sections() {
        section("redirects.regex", "redirects: [{refuse: 403, " + REGEX + "}]");
        section("redirects.when.regex", "redirects: [{refuse: 403, prefix: /, " + WHEN + "}]");
        String rewriting = "rewriting: true, rewrites-below: FILES/, rewrites: ";
        ofFiles("rewrites.regex", rewriting + "[{refuse: 403, " + REGEX + "}]", Outcome.REFUSED);
        ofFiles(
                "rewrites.when.regex",
                rewriting + "[{refuse: 403, path: \"*\", " + WHEN + "}]",
                Outcome.REFUSED);
        ofFiles("run.when.regex", "run: [{to: http, path: \"*\", " + WHEN + "}]", Outcome.UNSENT);
    }

    /// The keys with expressions below a shape.
    private static void find(Shape shape, String path, Set<String> found) {
        switch (shape) {
            case Shape.Section section -> {
                for (Shape.Key key : section.keys()) {
                    find(key.shape(), path.isEmpty() ? key.name() : path + "." + key.name(), found);
                }
            }
            case Shape.Items items -> find(items.item(), path, found);
            case Shape.Named named -> find(named.value(), path, found);
            case Shape.Scalar scalar -> {
                if (scalar.says().equals("a regular expression")) {
                    found.add(path);
                }
            }
        }
    }

    private static Set<String> keys() {
        Set<String> found = new TreeSet<>();
        find(FileShape.root(), "", found);
        found.removeAll(OF_OTHERS);
        return found;
    }

    @Test
    void everyKeyWithAnExpression_isTried() {
        Set<String> untried = new TreeSet<>(keys());
        untried.removeAll(PLACES.keySet());
        assertEquals(Set.of(), untried);
        Set<String> gone = new TreeSet<>(PLACES.keySet());
        gone.removeAll(keys());
        assertEquals(Set.of(), gone);
    }

    private MargayServer start(Place place, AnsweringServer back) throws IOException {
        Path files = Files.createDirectories(folder.resolve("files"));
        if (place.outcome != Outcome.OWN_PAGE) {
            Files.writeString(files.resolve(LONG), FILE);
        }
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                upstreams:
                  http: {members: [{url: "http://127.0.0.1:%d"}]}
                hosts:
                  - routes:
                      /files: {files: files%s}
                      /http: {gateway: http%s}
                    %s
                """
                        .formatted(
                                back.httpPort(),
                                ofRoute(place, "/files/"),
                                ofRoute(place, "/http/"),
                                place.host.replace("FILES", files.toString())));
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private static String ofRoute(Place place, String path) {
        return place.route.isEmpty() || !place.path.equals(path) ? "" : ", " + place.route;
    }

    @ParameterizedTest
    @MethodSource("keys")
    void expressionThatDoesNotEnd_letsNothingPass(String key) throws Exception {
        Place place = PLACES.get(key);
        assertNotNull(place, key);
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server = start(place, back)) {
            RawHttpClient.Response usual = get(server, place.path + "none", "b");
            assertTrue(usual.status() < 500, usual::text);
            back.forget();
            long began = System.nanoTime();
            RawHttpClient.Response response = get(server, place.path + LONG, LONG);
            String told = response.status() + " " + response.text();
            switch (place.outcome) {
                case REFUSED -> {
                    assertTrue(Set.of(500, 403, 414).contains(response.status()), told);
                    assertEquals(0, back.asked());
                }
                case REPLACED -> {
                    assertEquals(500, response.status(), told);
                    assertFalse(told.contains(AnsweringServer.MARK), told);
                }
                case LIMITED -> {
                    int code = response.status();
                    for (int i = 0; i < 100 && code == 200; i++) {
                        code = get(server, place.path + LONG, LONG).status();
                    }
                    assertTrue(code >= 400, told);
                }
                case SLOW -> {
                    assertEquals(200, response.status(), told);
                    assertTrue(System.nanoTime() - began > 1_000_000_000, told);
                }
                case PLAIN -> {
                    assertEquals(200, response.status(), told);
                    assertNull(response.field("Content-Encoding"));
                }
                case UNSENT -> assertFalse(told.contains(FILE), told);
                case LOGGED -> {
                    assertEquals(200, response.status(), told);
                    Path log = folder.resolve("a.log");
                    Eventually.holds("a line", () -> text(log).contains(LONG));
                }
                case NOT_KEPT -> {
                    assertEquals(200, response.status(), told);
                    assertEquals(200, get(server, place.path + LONG, LONG).status());
                    assertEquals(2, back.asked());
                    get(server, place.path + "other", "b");
                    get(server, place.path + "other", "b");
                    assertEquals(3, back.asked(), "others are kept");
                }
                case OWN_PAGE -> {
                    assertEquals(404, response.status(), told);
                    assertFalse(told.contains("mine"), told);
                }
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static RawHttpClient.Response get(MargayServer server, String path, String field)
            throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            client.send(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: a\r\nX-Remote-User: root\r\nX-A: "
                            + field
                            + "\r\nUser-Agent: "
                            + field
                            + "\r\n\r\n");
            return client.response();
        }
    }
}
