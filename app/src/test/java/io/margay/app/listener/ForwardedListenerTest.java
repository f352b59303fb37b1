package io.margay.app.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.ConfigWriter;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Listeners that believe the forwarding fields of front ends: applications, access rules,
/// redirects, cookies, logs and members see the request as the client has sent it to the front end.
final class ForwardedListenerTest {
    private static final String PAGE =
            "<%@ page session=\"true\" %><%= request.getScheme() %> <%= request.isSecure() %>"
                    + " <%= request.getServerName() %> <%= request.getServerPort() %>"
                    + " <%= request.getRemoteAddr() %> <%= request.getHeader(\"X-Forwarded-Proto\")"
                    + " %> <%= request.getHeader(\"X-Forwarded-For\") %>";

    private static final String ALL = "take: [for, proto, host, port]";
    private static final List<String> VERSIONS = List.of("--http1.1", "--http2-prior-knowledge");

    @TempDir Path folder;

    private MargayConfig config(String listeners, int member) throws IOException {
        Wars.with("index.jsp", PAGE).folder(folder.resolve("any"));
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [%s]
                hosts:
                  - access-log: {file: access.log, format: "%%h %%{c}a"}
                    routes: {/: {app: any}, /member: {gateway: member}}
                  - name: shop.example
                    access: {require: [{from: [203.0.113.0/24]}, {tls: true}]}
                    https-redirect: true
                    hsts: {}
                    routes: {/: {app: any}}
                  - name: closed.example
                    access: {require: [{from: [203.0.113.0/24]}]}
                    routes: {/: {app: any}}
                upstreams:
                  member: {members: [{url: "http://127.0.0.1:%d"}]}
                work: work
                """
                        .formatted(listeners, member));
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(List.of(), read.problems());
        return read.get();
    }

    private MargayServer start(int member) throws IOException {
        return MargayServer.start(
                config(
                        """
                        {http: 127.0.0.1:0, forwarded: {from: [127.0.0.1]}},
                        {http: 127.0.0.1:0, forwarded: {from: [127.0.0.0/8], %s}},
                        {http: 127.0.0.1:0, forwarded: {from: [10.0.0.0/8], %s}},
                        {http: 127.0.0.1:0, forwarded: {from: [127.0.0.1], as: standard, %s}}
                        """
                                .formatted(ALL, ALL, ALL),
                        member),
                DeployProgress.NONE);
    }

    /// The answer with its head, in which the session is called SESSION.
    private static String curl(MargayServer server, int listener, String path, String... options)
            throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Program.of("curl"), "-ski", "--max-time", "30"));
        command.addAll(Arrays.asList(options));
        command.add("http://127.0.0.1:" + server.ports().get(listener) + path);
        Process curl = new ProcessBuilder(command).start();
        String text = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, curl.waitFor());
        return text.replace(":" + server.ports().get(listener), ":0").strip();
    }

    private static String page(String answer) {
        return answer.substring(answer.lastIndexOf('\n') + 1);
    }

    private static String[] fields(String... fields) {
        List<String> options = new ArrayList<>();
        for (String field : fields) {
            options.add("-H");
            options.add(field);
        }
        return options.toArray(String[]::new);
    }

    private static String[] with(String option, String... fields) {
        List<String> options = new ArrayList<>(Arrays.asList(fields(fields)));
        options.add(option);
        return options.toArray(String[]::new);
    }

    private static final String[] TOLD = {
        "Host: a.example:8080",
        "X-Forwarded-For: 9.9.9.9, 203.0.113.9",
        "X-Forwarded-Proto: https",
        "X-Forwarded-Host: b.example",
        "X-Forwarded-Port: 8443"
    };

    @Test
    void applications_seeWhatTheFrontEndTells_byEveryProtocol() throws Exception {
        try (MargayServer server = start(1)) {
            for (String version : VERSIONS) {
                String answer = curl(server, 0, "/", with(version, TOLD));
                assertEquals("https true a.example 8080 203.0.113.9 https 9.9.9.9", page(answer));
                assertTrue(answer.toLowerCase(java.util.Locale.ROOT).contains("; secure"), answer);
                assertEquals(
                        "https true b.example 8443 203.0.113.9 https 9.9.9.9",
                        page(curl(server, 1, "/", with(version, TOLD))));
                assertEquals(
                        "https true b.example 443 2001:db8:0:0:0:0:0:9 null null",
                        page(
                                curl(
                                        server,
                                        3,
                                        "/",
                                        with(
                                                version,
                                                "Forwarded: for=_x;proto=https;host=evil.example",
                                                "Forwarded: for=\"[2001:db8::9]\";proto=https;"
                                                        + "host=b.example"))));
                String plain = curl(server, 0, "/", with(version, "Host: a.example"));
                assertEquals("http false a.example 80 127.0.0.1 null null", page(plain));
                assertFalse(plain.contains("; Secure"), plain);
            }
        }
    }

    @Test
    void clients_thatAreNoFrontEnds_areNotBelieved() throws Exception {
        try (MargayServer server = start(1)) {
            for (String version : VERSIONS) {
                String answer = curl(server, 2, "/", with(version, TOLD));
                assertEquals("http false a.example 8080 127.0.0.1 null null", page(answer));
                assertFalse(answer.contains("; Secure"), answer);
            }
            // What nearly is the name of a field, and lists that disagree.
            assertEquals(
                    "http false a.example 80 127.0.0.1 null null",
                    page(
                            curl(
                                    server,
                                    0,
                                    "/",
                                    fields(
                                            "Host: a.example",
                                            "X_Forwarded_Proto: https",
                                            "Forwarded: for=203.0.113.9;proto=https"))));
            assertEquals(
                    "http false a.example 80 203.0.113.9 http null",
                    page(
                            curl(
                                    server,
                                    0,
                                    "/",
                                    fields(
                                            "Host: a.example",
                                            "X-Forwarded-For: 203.0.113.9",
                                            "X-Forwarded-Proto: https",
                                            "X-Forwarded-Proto: http"))));
        }
    }

    @Test
    void accessRulesRedirectsAndBrowsers_followTheSchemeAndTheClient() throws Exception {
        String shop = "Host: shop.example";
        String https = "X-Forwarded-Proto: https";
        try (MargayServer server = start(1)) {
            String plain = curl(server, 0, "/a?b", fields(shop, "X-Forwarded-Proto: http"));
            assertTrue(plain.startsWith("HTTP/1.1 308 "), plain);
            assertTrue(plain.contains("https://shop.example/a?b"), plain);
            String secure = curl(server, 0, "/", fields(shop, https));
            assertTrue(secure.startsWith("HTTP/1.1 200 "), secure);
            assertTrue(secure.contains("Strict-Transport-Security: "), secure);
            assertTrue(
                    curl(server, 2, "/", fields(shop, https)).startsWith("HTTP/1.1 308 "),
                    "not from anybody");
            String closed = "Host: closed.example";
            String client = "X-Forwarded-For: 203.0.113.9";
            assertTrue(curl(server, 0, "/", fields(closed, client)).startsWith("HTTP/1.1 200 "));
            assertTrue(curl(server, 2, "/", fields(closed, client)).startsWith("HTTP/1.1 403 "));
            // Chosen by the host that the front end tells, where that is taken.
            String host = "X-Forwarded-Host: closed.example";
            assertTrue(curl(server, 1, "/", fields(host)).startsWith("HTTP/1.1 403 "));
            assertTrue(curl(server, 0, "/", fields(host)).startsWith("HTTP/1.1 200 "));
        }
    }

    @Test
    void members_areToldTheSame() throws Exception {
        try (AnsweringServer member = new AnsweringServer("member");
                MargayServer server = start(member.httpPort())) {
            assertEquals(
                    "answered by member: /member [x-forwarded-for=9.9.9.9, 203.0.113.9,"
                            + " x-forwarded-host=a.example:8080, x-forwarded-proto=https]",
                    page(curl(server, 0, "/member", fields(TOLD))));
            assertEquals(
                    "answered by member: /member [x-forwarded-for=9.9.9.9, 203.0.113.9,"
                            + " x-forwarded-host=b.example, x-forwarded-port=8443,"
                            + " x-forwarded-proto=https]",
                    page(curl(server, 1, "/member", fields(TOLD))));
            assertEquals(
                    "answered by member: /member [x-forwarded-for=127.0.0.1,"
                            + " x-forwarded-host=a.example:8080, x-forwarded-proto=http]",
                    page(curl(server, 2, "/member", fields(TOLD))));
        }
    }

    @Test
    void frontEnds_writtenAndReadAgain_areTheSame_andWrongOnesAreTold() throws IOException {
        MargayConfig config =
                config(
                        "{http: 127.0.0.1:0, forwarded: {from: [10.0.0.0/8, \"::1\"]}},"
                                + " {http: 127.0.0.1:0, scheme: https, forwarded: {from: [1.1.1.1],"
                                + " as: standard, take: [port, proto]}}",
                        1);
        Path copy = Files.writeString(folder.resolve("copy.yaml"), ConfigWriter.write(config));
        assertEquals(config.listeners(), ConfigFile.read(copy, Map.of()).get().listeners());
        Path wrong = folder.resolve("wrong.yaml");
        for (String text :
                List.of(
                        "http: 0, forwarded: {}",
                        "http: 0, forwarded: {from: []}",
                        "http: 0, forwarded: {from: [lb.example]}",
                        "http: 0, forwarded: {from: [10.0.0.0/33]}",
                        "http: 0, forwarded: {from: [10.0.0.1], as: x}",
                        "http: 0, forwarded: {from: [10.0.0.1], take: []}",
                        "http: 0, forwarded: {from: [10.0.0.1], take: [scheme]}",
                        "ajp: 0, secret: abc, forwarded: {from: [10.0.0.1]}")) {
            Files.writeString(wrong, "listeners: [{" + text + "}]\nhosts: []\n");
            assertTrue(!ConfigFile.read(wrong, Map.of()).problems().isEmpty(), text);
        }
    }
}
