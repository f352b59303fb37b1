package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.server.compression.Coding;
import io.margay.server.compression.Compression;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.compression.CompressionLimits;
import io.margay.server.compression.Compressor;
import io.margay.server.compression.Encoders;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.testkit.Eventually;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Codings by libraries of the system, decoded by curl.
@Tag("slow")
@Timeout(60)
class NativeCodingTest {
    private final byte[] content = new byte[2_000_000];
    private final MemoryBudget memory = new MemoryBudget(50_000_000);
    private final CountDownLatch seen = new CountDownLatch(1);
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        Random random = new Random(3);
        for (int i = 0; i < content.length; i++) {
            // Every fourth piece can hardly be compressed.
            content[i] =
                    (byte) (i / 100_000 % 4 == 0 ? random.nextInt() : "some text\n".charAt(i % 10));
        }
        Compressor compressor = new Compressor(memory, CompressionLimits.defaults());
        Compression all = Compression.of(CompressionConfig.defaults());
        server =
                new TestServer(
                        new Wire("nio", false),
                        exchange -> {
                            Exchange made = compressor.compress((DialingExchange) exchange, all);
                            made.fields().add("Content-Type", "text/plain");
                            made.dispatch(TestHandlers.unchecked(() -> answer(made)));
                        });
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void answer(Exchange exchange) throws IOException {
        switch (exchange.request().target().rawPath()) {
            case "/whole" -> exchange.end(content, 0, content.length);
            case "/pieces" -> {
                for (int i = 0; i < content.length; i += 12_500) {
                    exchange.write(content, i, 12_500);
                    if (i % 100_000 == 0) {
                        exchange.push();
                    }
                }
                exchange.end();
            }
            default -> {
                exchange.write(content, 0, 1000);
                exchange.push();
                try {
                    seen.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                exchange.end(content, 1000, 1000);
            }
        }
    }

    private Process curl(Coding coding, String path) throws IOException {
        return new ProcessBuilder(
                        Program.of("curl"),
                        "-sN",
                        "--compressed",
                        "--max-time",
                        "30",
                        "-H",
                        "Accept-Encoding: " + coding.token(),
                        "-w",
                        "%{stderr}%header{content-encoding} %{size_download}",
                        "http://127.0.0.1:" + server.address().getPort() + path)
                .start();
    }

    private static void assume(Coding coding) {
        assumeTrue(Encoders.isAvailable(coding), () -> "no library for " + coding);
    }

    @ParameterizedTest
    @EnumSource(Coding.class)
    void content_isDecodedByCurl(Coding coding) throws IOException {
        assume(coding);
        for (String path : new String[] {"/whole", "/pieces", "/whole"}) {
            Process curl = curl(coding, path);
            assertArrayEquals(content, curl.getInputStream().readAllBytes(), path);
            String told = new String(curl.getErrorStream().readAllBytes());
            assertTrue(told.startsWith(coding.token() + " "), told);
            int bytes = Integer.parseInt(told.substring(told.indexOf(' ') + 1));
            assertTrue(bytes < content.length / 3, told);
        }
        Eventually.holds("all encoders are given back", () -> memory.held() == 0);
    }

    @ParameterizedTest
    @EnumSource(Coding.class)
    void pushedContent_isDecodableAtOnce(Coding coding) throws IOException {
        assume(coding);
        Process curl = curl(coding, "/events");
        try (InputStream in = curl.getInputStream()) {
            assertEquals(1000, in.readNBytes(1000).length);
            seen.countDown();
            assertEquals(1000, in.readAllBytes().length);
        }
    }
}
