package io.margay.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.RequestProtocol;
import io.margay.server.config.ServerStats;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerStatusTest {
    private static ServerStatus page(StatusSource source) {
        ServerStats stats = new ServerStats();
        stats.connectionAccepted();
        for (int i = 0; i < 4; i++) {
            stats.requestStarted(RequestProtocol.HTTP_1_1);
            stats.requestEnded(200, false, 100, 2048, 3_000_000);
        }
        return new ServerStatus(
                new ServerInfo(
                        "Margay/0",
                        Instant.EPOCH,
                        InstantSource.fixed(Instant.ofEpochSecond(3723)),
                        () -> List.of(stats.read()),
                        20),
                source);
    }

    @Test
    void auto_hasTheKeysOfModStatus() throws IOException {
        try (StatusServer server = new StatusServer(ServerStatusTest::page)) {
            List<String> lines = server.get("/server-status?auto").text().lines().toList();
            assertEquals("shop.example", lines.getFirst());
            Map<String, String> values = new HashMap<>();
            for (String line : lines.subList(1, lines.size())) {
                int colon = line.indexOf(": ");
                values.put(line.substring(0, colon), line.substring(colon + 2));
            }
            assertEquals("4", values.get("Total Accesses"));
            assertEquals("8", values.get("Total kBytes"));
            assertEquals("12", values.get("Total Duration"));
            assertEquals("2048.00", values.get("BytesPerReq"));
            assertEquals("1 hour 2 minutes 3 seconds", values.get("ServerUptime"));
            assertEquals("W" + "_".repeat(19), values.get("Scoreboard"));
            assertEquals("balancer://lb", values.get("ProxyBalancer[0]Name"));
            assertEquals("tc2", values.get("ProxyBalancer[0]Worker[1]Name"));
            for (String key : List.of("Load1", "CPUUser", "Uptime", "IdleWorkers", "ConnsTotal")) {
                assertNotNull(values.get(key), key);
            }
        }
    }

    @Test
    void page_refreshesWhenAsked() throws IOException {
        try (StatusServer server = new StatusServer(ServerStatusTest::page)) {
            assertEquals("5", server.get("/server-status?refresh=5").field("Refresh"));
            assertTrue(server.get("/server-status").text().startsWith("<!DOCTYPE html>"));
            assertEquals(405, server.post("/server-status", "a=b").status());
        }
    }
}
