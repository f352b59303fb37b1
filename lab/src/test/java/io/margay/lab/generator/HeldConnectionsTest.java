package io.margay.lab.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.site.Certificate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class HeldConnectionsTest {
    @TempDir Path folder;

    @Test
    void eachConnection_asksOnce() throws IOException {
        try (ScriptedServer server = new ScriptedServer(_ -> ScriptedServer.ok("hello"));
                HeldConnections _ =
                        HeldConnections.open(20, server.port(), "/", Optional.empty())) {
            assertEquals(20, server.requests());
        }
    }

    @Test
    void overTls_theGivenCertificateIsTrusted() throws Exception {
        Certificate certificate =
                Certificate.in(folder, Path.of(System.getProperty("java.home")), true);
        try (ScriptedServer server =
                        ScriptedServer.tls(
                                certificate.store(), "margay-lab", _ -> ScriptedServer.ok("x"));
                HeldConnections _ =
                        HeldConnections.open(
                                3, server.port(), "/", Optional.of(certificate.pem()))) {
            assertEquals(3, server.requests());
        }
    }

    @Test
    void answerThatIsNo200_isAnError() throws IOException {
        String busy = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
        try (ScriptedServer server = new ScriptedServer(_ -> busy)) {
            var e =
                    assertThrows(
                            IOException.class,
                            () -> HeldConnections.open(1, server.port(), "/", Optional.empty()));
            assertTrue(String.valueOf(e.getMessage()).contains("503"), e.getMessage());
        }
    }
}
