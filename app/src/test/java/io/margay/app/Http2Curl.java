package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.program.Program;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/// Asks by HTTP/2 without TLS, with curl. Stateless.
public final class Http2Curl {
    private Http2Curl() {}

    /// Head and content of what is answered.
    public static String get(int port, String path) throws Exception {
        Process process =
                new ProcessBuilder(
                                Program.of("curl"),
                                "-si",
                                "--http2-prior-knowledge",
                                "--max-time",
                                "30",
                                "http://127.0.0.1:" + port + path)
                        .start();
        try {
            byte[] output = process.getInputStream().readAllBytes();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS));
            return new String(output, StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }
}
