package io.margay.app.agreement.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.migrate.FrontEndFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.TestAuthority;
import io.margay.testkit.TestAuthority.Issued;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/// Servers that want certificates of clients: nginx and Margay let in the same.
final class NginxClientCertificateIT {
    private static final int TIMEOUT_MILLIS = 20_000;

    private static final String CONFIGURATION =
            """
              default_type text/plain;
              ssl_certificate @CERT@;
              ssl_certificate_key @KEY@;
              ssl_protocols TLSv1.2;
              server {
                listen 127.0.0.1:@ALWAYS@ ssl;
                listen 127.0.0.1:@PLAIN@;
                ssl_verify_client on;
                ssl_client_certificate @CA@;
                location / { return 200 "$ssl_client_verify $ssl_client_s_dn"; }
              }
              server {
                listen 127.0.0.1:@PERHAPS@ ssl;
                ssl_verify_client optional;
                ssl_client_certificate @CA@;
                location / { return 200 "$ssl_client_verify"; }
                location /closed { if ($ssl_client_verify != SUCCESS) { return 403; } return 204; }
              }
            """;

    private record Ports(int always, int perhaps, int plain) {
        static Ports free() throws IOException {
            return new Ports(FreePort.next(), FreePort.next(), FreePort.next());
        }
    }

    @Test
    void clients_areLetInAsByNginx() throws Exception {
        Path folder = Files.createTempDirectory("margay-nginx-clients");
        try {
            TestAuthority authority = TestAuthority.in(folder, "inner");
            Issued site = authority.issue("localhost", "localhost");
            Issued ada = authority.issue("ada");
            Ports theirs = Ports.free();
            Ports ours = Ports.free();
            Path nginx = write(folder, "nginx.conf", theirs, site, authority.cert());
            List<String> expected;
            try (NginxProcess _ = NginxProcess.start(nginx, theirs.plain, TIMEOUT_MILLIS)) {
                expected = answers(theirs, authority.cert(), ada);
            }
            assertTrue(expected.contains("400 ") && expected.contains("204 "), expected::toString);
            Path conf = write(folder, "margay.conf", ours, site, authority.cert());
            GatewayPlan plan = FrontEndFiles.read(List.of(conf), Map.of());
            assertFalse(plan.isWrong());
            try (MargayServer _ = PlanServer.start(plan, folder.resolve("work"))) {
                assertEquals(expected, answers(ours, authority.cert(), ada));
            }
        } finally {
            Folders.delete(folder);
        }
    }

    private static Path write(Path folder, String name, Ports ports, Issued site, Path ca)
            throws IOException {
        return Files.writeString(
                folder.resolve(name),
                NginxProcess.configuration(folder, CONFIGURATION)
                        .replace("@CERT@", site.cert().toString())
                        .replace("@KEY@", site.key().toString())
                        .replace("@CA@", ca.toString())
                        .replace("@ALWAYS@", Integer.toString(ports.always))
                        .replace("@PERHAPS@", Integer.toString(ports.perhaps))
                        .replace("@PLAIN@", Integer.toString(ports.plain)));
    }

    /// What clients get: with a certificate and without, and without TLS.
    private static List<String> answers(Ports ports, Path ca, Issued own) throws Exception {
        List<String> answers = new ArrayList<>();
        for (SSLContext context :
                List.of(TestAuthority.client(ca, null), TestAuthority.client(ca, own))) {
            for (int port : List.of(ports.always, ports.perhaps)) {
                for (String path : List.of("/", "/closed")) {
                    answers.add(
                            answer(
                                    context.getSocketFactory()
                                            .createSocket(InetAddress.getLoopbackAddress(), port),
                                    path));
                }
            }
        }
        answers.add(answer(new Socket(InetAddress.getLoopbackAddress(), ports.plain), "/"));
        return answers;
    }

    /// The status, and the text where it is 200.
    private static String answer(Socket socket, String path) throws IOException {
        try (socket) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            String request =
                    "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            String status = answer.substring(9, 12);
            String text = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            return status + " " + (status.equals("200") ? text : "");
        }
    }
}
