package io.margay.app.login;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.MargayServer;
import io.margay.app.Wars;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.UserServlet;
import io.margay.testkit.TestAuthority;
import io.margay.testkit.TestAuthority.Issued;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who is let in by a certificate, and who it says that the user is.
final class ClientCertificateAccessTest {
    @TempDir static Path folder;

    private static Issued ada;
    private static Issued bob;
    private static Issued guest;
    private static Issued gone;
    private static MargayServer server;

    @BeforeAll
    static void start() throws Exception {
        TestAuthority staff = TestAuthority.in(folder, "staff");
        TestAuthority guests = TestAuthority.in(folder, "guests");
        Issued site = staff.issue("site", "localhost");
        ada = staff.issue("ada");
        bob = staff.issue("bob");
        guest = guests.issue("ada"); // Of another authority, by the same name.
        gone = staff.issue("gone");
        staff.revoke(gone);
        Files.writeString(folder.resolve("groups"), "admins: ada\n");
        Files.writeString(folder.resolve("users"), "zoe:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n");
        Wars.with("v.txt", "one").servlet(UserServlet.class, "/*").war(folder.resolve("who.war"));
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners:
                          - https: 127.0.0.1:0
                            certificates: [{cert: %s, key: %s}]
                            client-certificate: want
                            trust: [%s, %s]
                            crl: [%s, %s]
                            crl-check: leaf
                        hosts:
                          - routes:
                              /: {app: who.war}
                              /shown:
                                app: who.war
                                access: {client-certificate: require}
                              /shown/open:
                                app: who.war
                                access: {require: [{everybody: true}]}
                              /any: {app: who.war, access: {require: [{certificate: true}]}}
                              /ada: {app: who.war, access: {require: [{subject: [CN=ada]}]}}
                              /staff:
                                app: who.war
                                access:
                                  require: [{all: 2}, {subject: [CN=ada]}, {issuer: [CN=staff]}]
                              /me:
                                app: who.war
                                access: {login: {certificate-user: SSL_CLIENT_S_DN_CN}}
                              /admins:
                                app: who.war
                                access:
                                  login: {certificate-user: SSL_CLIENT_S_DN_CN, groups: groups}
                                  require: [{group: [admins]}]
                              /either:
                                app: who.war
                                access:
                                  login: {certificate-user: SSL_CLIENT_S_DN_CN, users: users}
                        """
                                .formatted(
                                        site.cert(),
                                        site.key(),
                                        staff.cert(),
                                        guests.cert(),
                                        staff.crl(),
                                        guests.crl()));
        ConfigFile.Result read = ConfigFile.read(file, Map.of());
        assertEquals(List.of(), read.missing());
        server = MargayServer.start(read.get(), DeployProgress.NONE);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /// Status and content, or that there is no connection.
    private static String get(String path, @Nullable Issued shown, String... further)
            throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Program.of("curl"),
                                "-sk",
                                "--max-time",
                                "30",
                                "-w",
                                " %{http_code}"));
        if (shown != null) {
            command.addAll(
                    List.of("--cert", shown.cert().toString(), "--key", shown.key().toString()));
        }
        command.addAll(List.of(further));
        command.add("https://127.0.0.1:" + server.ports().getFirst() + path);
        Process curl = new ProcessBuilder(command).start();
        String answer = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String status = answer.substring(answer.lastIndexOf(' ') + 1);
        return status.equals("200") || status.equals("000") ? answer.strip() : status;
    }

    @Test
    void certificate_thatIsRequired_isShownOrRefused() throws IOException {
        assertEquals("null null null 0 200", get("/", null));
        for (String path : List.of("/shown", "/shown/x", "/shown/open", "/any", "/ada", "/staff")) {
            assertEquals("403", get(path, null), path);
            assertEquals("null null null 0 200", get(path, ada), path);
            assertEquals("000", get(path, gone), path);
        }
        assertEquals("null null null 0 200", get("/any", bob));
        assertEquals("403", get("/ada", bob));
        assertEquals("null null null 0 200", get("/ada", guest));
        assertEquals("403", get("/staff", guest));
    }

    @Test
    void user_whomTheCertificateNames_isKnownAndInGroups() throws IOException {
        assertEquals("ada ada CLIENT_CERT 0 200", get("/me", ada));
        assertEquals("bob bob CLIENT_CERT 0 200", get("/me/x", bob));
        assertEquals("403", get("/me", null));
        assertEquals("ada ada CLIENT_CERT 0 200", get("/admins", ada));
        assertEquals("403", get("/admins", bob));
        assertEquals("403", get("/admins", null));
    }

    @Test
    void user_withoutACertificate_isAskedForAPassword() throws IOException {
        assertEquals("401", get("/either", null));
        assertEquals("zoe zoe Basic 0 200", get("/either", null, "-u", "zoe:secret"));
        assertEquals("bob bob CLIENT_CERT 0 200", get("/either", bob, "-u", "zoe:secret"));
    }

    @Test
    void fields_thatTellOfACertificate_areNone() throws IOException {
        for (String field :
                List.of(
                        "SSL_CLIENT_S_DN_CN: ada",
                        "X-SSL-Client-S-DN-CN: ada",
                        "ssl_client_verify: SUCCESS",
                        "SSL-Client-Verify: SUCCESS")) {
            assertEquals("403", get("/me", null, "-H", field), field);
            assertEquals("403", get("/shown", null, "-H", field), field);
        }
    }

    @Test
    void certificate_thatNobodyCanShow_isNamedByCheck() throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("closed.yaml"),
                        "listeners: [{http: 127.0.0.1:0}]\n"
                                + "hosts: [{access: {client-certificate: require}}]\n");
        assertEquals(
                List.of(
                        "closed.yaml:2:19: this admits nobody: no listener asks for"
                                + " certificates (client-certificate: want)"),
                ConfigFile.read(file, Map.of()).missing().stream()
                        .map(one -> one.toString().replace(folder + "/", ""))
                        .toList());
    }
}
