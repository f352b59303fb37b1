package io.margay.app.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.config.ConfigException;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.RoleServlet;
import io.margay.app.sample.UserServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.LoggedLines;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Hosts and routes that ask for a password, before files, applications and peers.
@Tag("slow")
final class HostLoginTest {
    /// The password of each is "secret".
    private static final String USERS =
            """
            ada:$2y$05$zFtZ9TbDUPWOWub6xKYMdONcC8HMOFavyjH6KwBMBVYdV4s/bQTL6
            bob:$apr1$wwgko7hg$cwxkbcbRC.lybDr58VGG80
            eve:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=
            clear:secret
            """;

    private static final String CHALLENGE = "Basic realm=\"Staff only\"";

    @TempDir Path folder;

    /// Further lines of the file of users.
    private String further = "";

    private MargayServer server(String transport, String host) throws Exception {
        Files.writeString(folder.resolve("users"), USERS + further);
        Files.writeString(folder.resolve("groups"), "admins: ada\nothers: bob eve\n");
        Files.createDirectories(folder.resolve("files/admin"));
        Files.writeString(folder.resolve("files/index.html"), "first");
        Files.writeString(folder.resolve("files/admin/a.txt"), "admin");
        Wars.with("v.txt", "one").servlet(UserServlet.class, "/*").war(folder.resolve("who.war"));
        Wars.with("v.txt", "one").servlet(RoleServlet.class, "/*").war(folder.resolve("role.war"));
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        "listeners: [{http: 127.0.0.1:0, transport: "
                                + transport
                                + "}]\nhosts:\n"
                                + host);
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        return MargayServer.start(config, DeployProgress.NONE);
    }

    private static String host(int http, int ajp) {
        return """
          - access-log: {file: access.log, format: "%%u %%U %%>s"}
            access:
              login: {users: users, groups: groups, name: Staff only}
              sections:
                - {path: /open, require: [{everybody: true}]}
                - {path: /files/admin, require: [{group: [admins]}]}
                - {path: /back/two, require: [{user: [bob, eve]}]}
            routes:
              /app: {app: who.war}
              /open: {app: who.war}
              /files: {files: files}
              /back: {gateway: http}
              /ajp: {gateway: ajp, access: {require: [{user: [eve]}]}}
        upstreams:
          http: {members: [{url: "http://127.0.0.1:%d"}]}
          ajp: {members: [{url: "ajp://127.0.0.1:%d", secret: s3}]}
        """
                .formatted(http, ajp);
    }

    private static String basic(String pair) {
        byte[] octets = pair.getBytes(StandardCharsets.UTF_8);
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(octets) + "\r\n";
    }

    private static RawHttpClient.Response get(MargayServer server, String path, String fields)
            throws IOException {
        var address = (InetSocketAddress) server.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
            return client.response();
        }
    }

    private static int status(MargayServer server, String path, String fields) throws IOException {
        return get(server, path, fields).status();
    }

    private static String post(MargayServer server, String path, String fields, String content)
            throws IOException {
        var address = (InetSocketAddress) server.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send(
                    "POST "
                            + path
                            + " HTTP/1.1\r\nHost: a\r\nContent-Length: "
                            + content.length()
                            + "\r\n"
                            + fields
                            + "\r\n"
                            + content);
            RawHttpClient.Response response = client.response();
            return response.status() + " " + response.text();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void host_withUsers_asksBeforeFilesApplicationsAndPeers(String transport) throws Exception {
        try (MargayServer member = member();
                MargayServer server =
                        server(
                                transport,
                                host(member.ports().getFirst(), member.ports().getLast()))) {
            for (String path : List.of("/app/x", "/files/", "/back/x", "/ajp/x", "/nothing")) {
                RawHttpClient.Response asked = get(server, path, "");
                assertEquals(401, asked.status(), path);
                assertEquals(List.of(CHALLENGE), asked.all("WWW-Authenticate"), path);
                assertEquals(401, status(server, path, basic("ada:wrong")), path);
                assertEquals(401, status(server, path, basic("clear:secret")), path);
                assertEquals(401, status(server, path, basic("nobody:secret")), path);
            }
            assertEquals("null null null 0", get(server, "/open/x", "").text());
            String content = "x".repeat(300_000);
            for (int i = 0; i < 2; i++) { // verified, then remembered
                String ada = basic("ada:secret");
                assertEquals("200 ada ada Basic 300000", post(server, "/app/x", ada, content));
                assertEquals("first", get(server, "/files/", ada).text());
                assertEquals("200 null null null 300000", post(server, "/back/x", ada, content));
                assertEquals(401, status(server, "/ajp/x", ada));
                assertEquals(401, status(server, "/back/two", ada));
                assertEquals("admin", get(server, "/files/admin/a.txt", ada).text());
                String eve = basic("eve:secret");
                assertEquals("200 eve eve Basic 300000", post(server, "/ajp/x", eve, content));
                assertEquals(200, status(server, "/back/two", eve));
                assertEquals(401, status(server, "/files/admin/a.txt", eve));
                assertEquals(404, status(server, "/nothing", basic("bob:secret")));
            }
        }
        assertTrue(Files.readString(folder.resolve("access.log")).contains("ada /app/x 200"));
    }

    /// A server that says whom its gateway calls the user.
    private MargayServer member() throws Exception {
        Path file = folder.resolve("member.yaml");
        Wars.with("v.txt", "one").servlet(UserServlet.class, "/*").war(folder.resolve("m.war"));
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}, {ajp: 127.0.0.1:0, secret: s3}]
                hosts: [{routes: {/: {app: m.war}}}]
                work: work-member
                """);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private static final String FILES =
            """
              - access:
                  sections:
                    - path: /files/admin
                      login: {users: users, name: Staff only}
                      require: [{any-user: true}]
                routes: {/files: {files: files}}
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/files/admin/a.txt",
                "/files//admin/a.txt",
                "//files/admin/a.txt",
                "/files/./admin/a.txt",
                "/files/x/../admin/a.txt",
                "/files/%61dmin/a.txt",
                "/files/admin;x/a.txt",
                "/files;x/admin/a.txt",
                "/files/admin%2fa.txt",
                "/files/admin%5ca.txt",
                "/files/admin/a.txt;",
                "/files/admin/a.txt%00",
                "/files/x/%2e%2e/admin/a.txt",
                "http://b/files/admin/a.txt"
            })
    void path_spelledOtherwise_isAskedForAPasswordOrRefused(String path) throws Exception {
        try (MargayServer server = server("nio", FILES)) {
            int status = status(server, path, "");
            assertTrue(status == 401 || status == 400 || status == 404, path + " " + status);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "access: {require: [{any-user: true}]}, routes: {/: {files: files}}",
                "access: {login: {method: basic, name: a}, require: [{all: 1}, {user: [ada]}]},"
                        + " routes: {/: {files: files}}",
                "access: {sections: [{path: /x, allow: [{group: [admins]}]}]},"
                        + " routes: {/: {files: files}}",
                "routes: {/: {files: files, access: {require: [{not: true, user: [bob]}]}}}"
            })
    void users_whomNobodyKnows_areRefusedByTheStart(String host) {
        ConfigException e =
                assertThrows(ConfigException.class, () -> server("nio", "  - {" + host + "}\n"));
        assertTrue(
                e.getMessage()
                        .matches(
                                "(?s).*margay\\.yaml:3:[0-9]+: no login is configured: the host"
                                        + " needs \"login: \\{users: FILE}\".*"),
                e.getMessage());
    }

    /// Browsers ask for the password again where an answer is not stale.
    @Test
    void digest_madeBeforeARestart_isStale_ifThePasswordIsRight() throws Exception {
        Path digests = folder.resolve("digests");
        Files.writeString(digests, "ada:Staff:" + md5("ada:Staff:secret") + "\n");
        String host =
                "  - {access: {login: {users: digests, method: digest, name: Staff}},"
                        + " routes: {/files: {files: files}}}\n";
        String nonce;
        try (MargayServer server = server("nio", host)) {
            String asked = digest(server, "").field("WWW-Authenticate");
            nonce = asked.replaceFirst(".*nonce=\"([^\"]+)\".*", "$1");
            assertEquals(200, digest(server, answer(nonce, "secret")).status());
            server.reload(ConfigFile.read(folder.resolve("margay.yaml"), Map.of()).get());
            assertEquals(200, digest(server, answer(nonce, "secret")).status());
        }
        try (MargayServer server = server("nio", host)) {
            RawHttpClient.Response right = digest(server, answer(nonce, "secret"));
            assertEquals(401, right.status());
            assertTrue(right.field("WWW-Authenticate").endsWith("stale=true"));
            RawHttpClient.Response wrong = digest(server, answer(nonce, "wrong"));
            assertEquals(401, wrong.status());
            assertFalse(wrong.field("WWW-Authenticate").contains("stale"));
        }
    }

    private static RawHttpClient.Response digest(MargayServer server, String field)
            throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect((InetSocketAddress) server.addresses().getFirst())) {
            client.send("GET /files/index.html HTTP/1.1\r\nHost: a\r\n" + field);
            return client.send("\r\n").response();
        }
    }

    private static String answer(String nonce, String password) throws Exception {
        String known = md5("ada:Staff:" + password);
        String asked = md5("GET:/files/index.html");
        return "Authorization: Digest username=\"ada\", realm=\"Staff\", nonce=\""
                + nonce
                + "\", uri=\"/files/index.html\", qop=auth, nc=00000001, cnonce=\"c\", response=\""
                + md5(known + ":" + nonce + ":00000001:c:auth:" + asked)
                + "\"\r\n";
    }

    private static String md5(String text) throws Exception {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(octets));
    }

    /// At every request it would be 500.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{method: digest, name: a, ldap: {url: 'ldap://h', base: dc=a}}|needs a file",
                "{method: digest, name: a, database: {resource: jdbc/u, password-query: q}}|needs a"
                        + " file of htdigest: name it by \"users\", or write basic",
                "{method: digest, name: a, server-users: true}|needs a file of htdigest",
                "{method: openid, users: users}|needs a provider: describe it by \"oidc\"",
                "{method: basic, name: a, auth-request: {upstream: u}}|leave \"method\" out",
                "{method: basic, users: users}|\"basic\" needs a \"name\"",
                "{method: digest, users: users}|\"digest\" needs a \"name\"",
            })
    void method_byWhichNobodyCouldLogIn_isRefusedByTheStart(String login, String why) {
        String host =
                "access: {login: "
                        + login
                        + "}, routes: {/: {files: files}}}\n"
                        + "resources: {jdbc/u: {url: 'jdbc:h2:mem:u'}}\n"
                        + "upstreams: {u: {members: [{url: 'http://127.0.0.1:1'}]}}\n"
                        + "deploy: {users: users}\n";
        ConfigException e =
                assertThrows(ConfigException.class, () -> server("nio", "  - {" + host));
        assertTrue(e.getMessage().contains("margay.yaml:3:"), e.getMessage());
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }

    @Test
    void method_ofASection_isForTheUsersOfTheHost() throws Exception {
        String sections =
                "login: {users: users, name: a}, sections: [{path: /x, login: {method: digest}}]";
        String host = "  - {access: {%s}, routes: {/: {files: files}}}\n";
        server("nio", host.formatted(sections)).close();
        String others = sections.replace("users: users", "server-users: true");
        ConfigException e =
                assertThrows(
                        ConfigException.class,
                        () -> server("nio", host.formatted(others) + "deploy: {users: users}\n"));
        assertTrue(e.getMessage().contains("needs a file of htdigest"), e.getMessage());
    }

    @Test
    void nonces_thatNobodyCouldUse_areRefusedByTheStart() {
        String host =
                "access: {login: {users: users, method: digest, nonce-lifetime: 0s},"
                        + " require: [{any-user: true}]}, routes: {/: {files: files}}";
        ConfigException e =
                assertThrows(ConfigException.class, () -> server("nio", "  - {" + host + "}\n"));
        assertTrue(e.getMessage().contains("with 0 every answer comes too late"), e.getMessage());
    }

    @Test
    void users_whoCannotLogIn_areNamedByCheck() throws Exception {
        Files.writeString(folder.resolve("users"), USERS + "zoe:$argon2id$v=19$m=1$a$b\n");
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        "hosts: [{access: {login: {users: users}}, rules: []}]\n"
                                + "limits: {login: {verifying-max: 3, remembered-for: 1m}}\n");
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(
                List.of(
                        "margay.yaml:1:27: users has users who cannot log in, because their"
                                + " passwords have an unknown form or cost too much: clear, zoe"),
                read.missing().stream()
                        .map(one -> one.toString().replace(folder + "/", ""))
                        .toList());
        assertEquals(3, read.get().limits().login().verifyingMax());
        assertEquals(Duration.ofMinutes(1), read.get().limits().login().rememberedFor());
    }

    @Test
    void fields_thatAreMalformed_areAnsweredLikeNone() throws Exception {
        List<String> fields = new ArrayList<>();
        fields.add("Authorization: Basic\r\n");
        fields.add("Authorization: Basic !!!\r\n");
        fields.add("Authorization: Bearer YWRhOnNlY3JldA==\r\n");
        fields.add(basic("ada"));
        fields.add(basic(":secret"));
        fields.add(basic("ada\u0000:secret"));
        fields.add(basic("ada:secret\u0000"));
        fields.add(basic("ada:secret") + basic("ada:secret"));
        fields.add(basic("ada:secret") + basic("eve:wrong"));
        fields.add(basic("ada:" + "x".repeat(5_000)));
        fields.add("Proxy-" + basic("ada:secret"));
        try (MargayServer server = server("nio", FILES)) {
            for (String one : fields) {
                assertEquals(401, status(server, "/files/admin/a.txt", one), one);
            }
            assertEquals(200, status(server, "/files/admin/a.txt", basic("ada:secret")));
            String huge = "Authorization: Basic " + "YWRh".repeat(10_000) + "\r\n";
            assertEquals(431, status(server, "/files/admin/a.txt", huge));
        }
    }

    @Test
    void file_thatCannotBeRead_isToldOnce_andOnceWhenItCanBe() throws Exception {
        try (MargayServer server = server("nio", FILES);
                LoggedLines lines = LoggedLines.of("io.margay.gateway")) {
            MargayConfig config = ConfigFile.read(folder.resolve("margay.yaml"), Map.of()).get();
            Path users = folder.resolve("users");
            Files.delete(users);
            for (int i = 0; i < 3; i++) {
                assertEquals(500, status(server, "/files/admin/a.txt", basic("ada:secret")));
            }
            server.reload(config);
            assertEquals(500, status(server, "/files/admin/a.txt", basic("ada:secret")));
            String told = users + " cannot be read, so that nobody can log in";
            assertEquals(1, lines.count("WARNING " + told), lines::toString);
            Files.writeString(users, USERS);
            Eventually.holds(
                    "ada is known",
                    () -> {
                        try {
                            return status(server, "/files/admin/a.txt", basic("ada:secret")) == 200;
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            assertEquals(1, lines.count("INFO " + users + " can be read again, after"));
        }
    }

    @Test
    void file_thatHasChanged_isReadAgain() throws Exception {
        try (MargayServer server = server("nio", FILES)) {
            assertEquals(200, status(server, "/files/admin/a.txt", basic("eve:secret")));
            Path users = folder.resolve("users");
            Files.writeString(users, USERS.replace("eve:", "zoe:"));
            Files.setLastModifiedTime(users, FileTime.from(Instant.now().plusSeconds(60)));
            Eventually.holds(
                    "eve is out",
                    () -> {
                        try {
                            return status(server, "/files/admin/a.txt", basic("eve:secret")) == 401;
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            assertEquals(200, status(server, "/files/admin/a.txt", basic("zoe:secret")));
            Files.delete(users);
            Eventually.holds(
                    "nobody can be known",
                    () -> {
                        try {
                            return status(server, "/files/admin/a.txt", basic("zoe:secret")) == 500;
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            assertEquals(401, status(server, "/files/admin/a.txt", ""));
        }
    }

    @Test
    void usersOfTheServer_logInToAHost_withTheirRolesAsGroups() throws Exception {
        Files.writeString(
                folder.resolve("users.xml"),
                "<tomcat-users><user username='ada' password='pw' roles='in'/>"
                        + "<user username='bob' password='pw' roles='out'/></tomcat-users>");
        try (MargayServer server =
                server(
                        "nio",
                        """
                          - access:
                              login: {server-users: true, forbid: true}
                              require: [{group: [in]}]
                            routes:
                              /: {app: who.war}
                              /role: {app: role.war}
                              /group:
                                app: role.war
                                access:
                                  login: {groups: groups}
                                  require: [{group: [admins]}]
                        deploy: {users: users.xml}
                        """)) {
            assertEquals("ada ada Basic 0", get(server, "/", basic("ada:pw")).text());
            assertEquals("true false false", get(server, "/role", basic("ada:pw")).text());
            // Groups of a file are for hosts alone.
            assertEquals("false false false", get(server, "/group", basic("ada:pw")).text());
            assertEquals(403, status(server, "/", basic("bob:pw")));
            assertEquals(401, status(server, "/", basic("ada:secret")));
            assertEquals(
                    "Basic realm=\"Restricted\"", get(server, "/", "").field("WWW-Authenticate"));
        }
    }

    @Test
    void member_byHttp_isToldTheUserInAFieldThatClientsCannotSet() throws Exception {
        try (AnsweringServer member = new AnsweringServer("back");
                MargayServer server =
                        server(
                                "nio",
                                """
                                  - access:
                                      login: {users: users}
                                      sections: [{path: /open, require: [{everybody: true}]}]
                                    request-headers:
                                      - {set: X-Remote-User, value: "%%{REMOTE_USER}"}
                                    routes: {/: {gateway: back}}
                                upstreams: {back: {members: [{url: "http://127.0.0.1:%d"}]}}
                                """
                                        .formatted(member.httpPort()))) {
            String spoofed = "X-Remote-User: root\r\n";
            String ada = get(server, "/x", basic("ada:secret") + spoofed).text();
            assertTrue(ada.contains("x-remote-user=ada"), ada);
            assertFalse(ada.contains("root"), ada);
            String nobody = get(server, "/open", basic("ada:secret") + spoofed).text();
            assertFalse(nobody.contains("ada"), nobody);
            assertFalse(nobody.contains("root"), nobody);
        }
    }

    @Test
    void passwords_thatAreGuessed_keepNobodyElseWaiting() throws Exception {
        further = "mia:$2y$08$GYRm8uFjZkgG2cF1i5DpreenDa1HOJV6tX9tccTEMJb7W3duYYPSG\n";
        String path = "/files/admin/a.txt";
        try (MargayServer server = server("nio", FILES)) {
            assertEquals(200, status(server, path, basic("ada:secret")));
            var address = (InetSocketAddress) server.addresses().getFirst();
            List<RawHttpClient> clients = new ArrayList<>();
            try {
                for (int i = 0; i < 100; i++) {
                    RawHttpClient client = RawHttpClient.connect(address);
                    clients.add(client);
                    client.send(
                            "GET "
                                    + path
                                    + " HTTP/1.1\r\nHost: a\r\n"
                                    + basic("mia:" + i)
                                    + "\r\n");
                }
                long start = System.nanoTime();
                assertEquals(200, status(server, path, basic("ada:secret")));
                long taken = System.nanoTime() - start;
                assertTrue(taken < TimeUnit.SECONDS.toNanos(1), taken + " ns");
                int busy = 0;
                for (RawHttpClient client : clients) {
                    int status = client.response().status();
                    assertTrue(status == 401 || status == 503, String.valueOf(status));
                    busy += status == 503 ? 1 : 0;
                }
                assertTrue(busy > 0 && busy < 100, busy + " of 100");
            } finally {
                for (RawHttpClient client : clients) {
                    client.close();
                }
            }
        }
    }

    @Test
    void http2_withCurl_logsInToo() throws Exception {
        try (MargayServer member = member();
                MargayServer server =
                        server("nio", host(member.ports().getFirst(), member.ports().getLast()))) {
            for (String path : List.of("/ajp/x", "/app/x")) {
                Process curl =
                        new ProcessBuilder(
                                        List.of(
                                                Program.of("curl"),
                                                "-s",
                                                "--max-time",
                                                "30",
                                                "--http2-prior-knowledge",
                                                "-u",
                                                "eve:secret",
                                                "-d",
                                                "abc",
                                                "http://127.0.0.1:"
                                                        + server.ports().getFirst()
                                                        + path))
                                .start();
                byte[] output = curl.getInputStream().readAllBytes();
                assertEquals("eve eve Basic 3", new String(output, StandardCharsets.UTF_8));
            }
        }
    }
}
