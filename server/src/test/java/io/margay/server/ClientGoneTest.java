package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.server.exchange.Exchange;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whether who works on a request can tell that its client has gone.
@Timeout(120)
final class ClientGoneTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final BlockingQueue<Boolean> seen = new LinkedBlockingQueue<>();

    static List<Wire> wires() {
        return Wire.all().toList();
    }

    private void watch(Exchange exchange) throws IOException {
        seen.add(exchange.hasClientGone());
        seen.add(Eventually.comes(PATIENCE, exchange::hasClientGone));
        TestHandlers.end(exchange, "to nobody");
    }

    @ParameterizedTest
    @MethodSource("wires")
    void clientThatWaits_isThere_untilItCloses(Wire wire) throws Exception {
        try (TestServer server = new TestServer(wire, TestHandlers.dispatched(this::watch))) {
            try (RawHttpClient client = server.client()) {
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals(false, seen.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            }
            assertEquals(true, seen.poll(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }
}
