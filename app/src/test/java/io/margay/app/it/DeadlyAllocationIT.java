package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three servers behind a gateway, and a request that ends each server that gets it, by what it
/// allocates.
@Tag("slow")
final class DeadlyAllocationIT {
    private static final String DEADLY = "/app/alloc/200";

    @TempDir Path folder;

    private final List<FaultyBackEnd> servers = new ArrayList<>();

    @AfterEach
    void close() {
        servers.forEach(FaultyBackEnd::close);
    }

    private long alive() {
        return servers.stream().filter(FaultyBackEnd::isAlive).count();
    }

    private static int get(FaultFront gateway, String target) throws IOException {
        InetSocketAddress at =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port());
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            return client.timeout(60_000).get(target).status();
        }
    }

    @Test
    void request_thatEndsServers_leavesOneOfThree_andLaterOnlyOneMore() throws Exception {
        for (String name : List.of("one", "two", "three")) {
            servers.add(
                    new FaultyBackEnd(
                            name,
                            folder,
                            "",
                            "-Xmx64m",
                            AllocatingServlet.class,
                            FaultsServlet.class));
        }
        servers.forEach(FaultyBackEnd::await);
        String[] members = servers.stream().map(each -> each.member("http")).toArray(String[]::new);
        try (FaultFront gateway = FaultFront.margay(folder.resolve("gateway"), 20, members)) {
            assertEquals(502, get(gateway, DEADLY));
            Eventually.holds("two have ended", () -> alive() == 1);
            for (int i = 0; i < 50; i++) {
                assertEquals(200, get(gateway, "/app/bytes/100"));
            }
            for (FaultyBackEnd each : servers) {
                if (!each.isAlive()) {
                    each.killAndRestart();
                    each.await();
                }
            }
            Eventually.holds(
                    "all are in", () -> servers.stream().allMatch(it -> gateway.isIn(it.name())));
            for (int i = 0; i < 10; i++) {
                assertEquals(502, get(gateway, DEADLY));
            }
            Eventually.holds("one has ended", () -> alive() == 2);
            for (int i = 0; i < 50; i++) {
                assertEquals(200, get(gateway, "/app/bytes/100"));
            }
            assertEquals(2, alive());
        }
    }
}
