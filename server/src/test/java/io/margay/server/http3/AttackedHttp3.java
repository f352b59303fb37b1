package io.margay.server.http3;

import io.margay.server.config.HttpServerConfig;
import io.margay.server.config.ServerStats;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

/// A server of HTTP/3 in a process of its own, for [Http3AttackSoak]: says its port, then how much
/// of its heap is in use whenever it is asked by a line, and ends with its input.
final class AttackedHttp3 {
    private static final byte[] LITTLE = "ok".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MUCH = new byte[100_000];

    private AttackedHttp3() {}

    /// @param arguments nothing
    public static void main(String[] arguments) throws IOException {
        BufferedReader asked =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        Runtime runtime = Runtime.getRuntime();
        try (PlainDatagrams socket = new PlainDatagrams();
                WorkerPool workers = new WorkerPool(WorkerLimits.defaults())) {
            ConnectionContext context =
                    new ConnectionContext(
                            AttackedHttp3::handle,
                            workers,
                            HttpServerConfig.defaults()
                                    .withMemory(new MemoryBudget(runtime.maxMemory() / 4)),
                            new ServerStats(),
                            null,
                            InstantSource.system(),
                            System::nanoTime);
            Http3Service.open(new LoopsAlone(List.of(socket), null), () -> context, 10_000, null);
            System.out.println(socket.address().getPort());
            while (asked.readLine() != null) {
                System.gc();
                System.out.println(runtime.totalMemory() - runtime.freeMemory());
            }
        }
    }

    private static void handle(Exchange exchange) throws IOException {
        boolean much = exchange.request().target().raw().startsWith("/much");
        byte[] content = much ? MUCH : LITTLE;
        exchange.end(content, 0, content.length);
    }
}
