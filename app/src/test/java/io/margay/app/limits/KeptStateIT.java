package io.margay.app.limits;

import static io.margay.app.limits.ShieldClient.COOKIE;
import static io.margay.app.limits.ShieldClient.TEXT;
import static io.margay.app.limits.ShieldClient.found;
import static io.margay.app.limits.ShieldClient.send;
import static io.margay.app.limits.ShieldClient.solve;
import static io.margay.app.limits.ShieldClient.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a server leaves in its work folder for the one that starts after it.
@Timeout(60)
final class KeptStateIT {
    @TempDir Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(folder.resolve("site"));
        Files.writeString(folder.resolve("site/index.html"), "home");
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts:
                  - name: limited
                    rate-limits: [{rate: 2/h}]
                    routes: {/*: {files: site}}
                  - name: shielded
                    shield: {challenge: all, proof-bits: 4, bots: []}
                    routes: {/*: {files: site}}
                work: work
                """);
    }

    /// Each a process, for the secret of shields is one of the process.
    private MargayProcess start() throws IOException {
        return MargayProcess.start(folder, "run", "margay.yaml");
    }

    private static String ask(MargayProcess server, String host, String line, String... fields)
            throws IOException {
        int port = server.awaitReady();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            send(socket, host, line, fields);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void restart_keepsWhatLimitsHaveCounted_andWhoHasAnsweredTheShield() throws Exception {
        String cookie;
        try (MargayProcess server = start()) {
            assertEquals(200, status(ask(server, "limited", "GET /")));
            assertEquals(200, status(ask(server, "limited", "GET /")));
            String text = found(TEXT, ask(server, "shielded", "GET /"));
            String answer = "GET /.margay/pass/" + text + "/" + solve(text, 4) + "/";
            cookie = "Cookie: " + found(COOKIE, ask(server, "shielded", answer));
            end(server);
        }
        Path state = folder.resolve("work/state");
        assertTrue(Files.exists(state));
        try (MargayProcess server = start()) {
            assertEquals(429, status(ask(server, "limited", "GET /")));
            assertEquals(200, status(ask(server, "shielded", "GET /", cookie)));
            assertEquals(403, status(ask(server, "shielded", "GET /")));
            end(server);
        }
        Files.writeString(state, "something else");
        try (MargayProcess server = start()) {
            assertEquals(200, status(ask(server, "limited", "GET /")));
            assertEquals(403, status(ask(server, "shielded", "GET /", cookie)));
            assertTrue(server.toString().contains("state is ignored"), server::toString);
        }
    }

    private static void end(MargayProcess server) throws Exception {
        server.signal("TERM");
        assertEquals(0, server.awaitExit(), server::toString);
    }
}
