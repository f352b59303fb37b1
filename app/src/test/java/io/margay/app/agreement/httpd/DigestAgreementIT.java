package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `AuthType Digest` of httpd's files, asked with curl beside a real httpd.
final class DigestAgreementIT {
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authn_core",
                    "authn_file",
                    "authz_core",
                    "authz_user",
                    "authz_groupfile",
                    "auth_digest",
                    "dir",
                    "mime");

    /// `ada:Staff only:secret` and `bob:Other:secret`.
    private static final String USERS =
            """
            ada:Staff only:%s
            bob:Other:%s
            """;

    private Path folder;
    private String text;

    @BeforeEach
    void makeFiles() throws Exception {
        folder = Files.createTempDirectory("margay-digest");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path www = Files.createDirectories(folder.resolve("www/deep"));
        Files.writeString(www.resolveSibling("a.txt"), "a");
        Files.writeString(www.resolve("b.txt"), "b");
        Files.writeString(
                folder.resolve("users"),
                USERS.formatted(md5("ada:Staff only:secret"), md5("bob:Other:secret")));
        Files.writeString(folder.resolve("groups"), "admins: bob\n");
        text =
                """
                Listen 127.0.0.1:@PORT@
                DocumentRoot "@DIR@/www"
                <Directory "@DIR@/www">
                  AuthType Digest
                  AuthName "Staff only"
                  AuthDigestProvider file
                  AuthDigestQop auth
                  AuthUserFile "@DIR@/users"
                  AuthGroupFile "@DIR@/groups"
                  Require valid-user
                </Directory>
                <Location /deep>
                  Require group admins
                </Location>
                """
                        .replace("@DIR@", folder.toString());
    }

    private static String md5(String octets) throws Exception {
        byte[] bytes = octets.getBytes(StandardCharsets.ISO_8859_1);
        return java.util.HexFormat.of()
                .formatHex(java.security.MessageDigest.getInstance("MD5").digest(bytes));
    }

    @AfterEach
    void deleteFiles() {
        Folders.delete(folder);
    }

    private MargayServer margay() throws IOException {
        Path own = Files.createDirectories(folder.resolve("margay"));
        Path conf =
                Files.writeString(
                        own.resolve("httpd.conf"),
                        text.replace("@PORT@", String.valueOf(FreePort.next())));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        MargayConfig config = GatewayConfig.of(plan, List.of());
        return MargayServer.start(
                config.withWork(own.resolve("work")).withDrain(Duration.ZERO), DeployProgress.NONE);
    }

    /// Statuses and content of what curl is told.
    private static String curl(int port, String path, String... further) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Program.of("curl"),
                                "-s",
                                "--max-time",
                                "30",
                                "-w",
                                " %{http_code}"));
        command.addAll(List.of(further));
        command.add("http://127.0.0.1:" + port + path);
        Process curl = new ProcessBuilder(command).start();
        String answer = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String status = answer.substring(answer.lastIndexOf(' ') + 1);
        return status.equals("200") ? answer : status;
    }

    @Test
    void users_ofHtdigest_areLetInAsByHttpd() throws Exception {
        int port = FreePort.next();
        Path own = folder.resolve("httpd");
        try (HttpdProcess _ =
                        HttpdProcess.startSingle(
                                own, MODULES, text.replace("@PORT@", String.valueOf(port)), port);
                MargayServer margay = margay()) {
            for (String path : List.of("/a.txt", "/a.txt?x=1", "/deep/b.txt")) {
                for (String[] who :
                        new String[][] {
                            {"--digest", "-u", "ada:secret"},
                            {"--digest", "-u", "ada:wrong"},
                            {"--digest", "-u", "bob:secret"},
                            {"--digest", "-u", "eve:secret"},
                            {"-u", "ada:secret"},
                            {}
                        }) {
                    assertEquals(
                            curl(port, path, who),
                            curl(margay.ports().getFirst(), path, who),
                            path + " " + List.of(who));
                }
            }
            assertEquals(
                    "a 200",
                    curl(margay.ports().getFirst(), "/a.txt", "--digest", "-u", "ada:secret"));
        }
    }

    @Test
    void answers_thatAreForAnotherRequest_areRefused() throws Exception {
        try (MargayServer margay = margay()) {
            var address = (InetSocketAddress) margay.addresses().getFirst();
            String challenge = get(address, "/a.txt", "").field("WWW-Authenticate");
            assertTrue(
                    challenge.matches(
                            "Digest realm=\"Staff only\", nonce=\"[A-Za-z0-9_-]+\", algorithm=MD5,"
                                    + " qop=\"auth\""),
                    challenge);
            String nonce = challenge.replaceFirst(".*nonce=\"([^\"]*)\".*", "$1");
            String good = field(nonce, "/a.txt");
            assertEquals(200, get(address, "/a.txt", good).status());
            assertEquals(200, get(address, "/a.txt", good).status()); // As httpd: until it is old.
            assertEquals(400, get(address, "/deep/b.txt", good).status());
            assertEquals(400, get(address, "/a.txt?x", good).status());
            assertEquals(401, get(address, "/a.txt", good + good).status());
            assertEquals(401, get(address, "/a.txt", field("A" + nonce, "/a.txt")).status());
            assertEquals(401, get(address, "/a.txt", field("", "/a.txt")).status());
        }
    }

    private static String field(String nonce, String uri) throws Exception {
        String answer =
                md5(
                        md5("ada:Staff only:secret")
                                + ":"
                                + nonce
                                + ":00000001:c:auth:"
                                + md5("GET:" + uri));
        return "Authorization: Digest username=\"ada\", realm=\"Staff only\", nonce=\""
                + nonce
                + "\", uri=\""
                + uri
                + "\", qop=auth, nc=00000001, cnonce=\"c\", response=\""
                + answer
                + "\"\r\n";
    }

    private static RawHttpClient.Response get(InetSocketAddress to, String path, String fields)
            throws IOException {
        try (RawHttpClient client = RawHttpClient.connect(to)) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
            return client.response();
        }
    }
}
