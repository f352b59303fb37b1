package io.margay.app;

import io.margay.app.config.Endpoint;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.TransportChoice;
import io.margay.server.config.HttpLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.MemoryBudget;
import java.net.InetSocketAddress;
import java.util.List;

/// A server in a process of its own whose loop dies of the first request: `DyingServer TRANSPORT`.
/// Prints its port; ends with its input if it has not ended before.
final class DyingServer {
    private DyingServer() {}

    public static void main(String[] words) throws Exception {
        ListenerSet listeners =
                new ListenerSet(
                        exchange ->
                                ((DialingExchange) exchange)
                                        .carrier()
                                        .dialer()
                                        .execute(() -> {
                                            throw new OutOfMemoryError("as if it were so");
                                        }),
                        null,
                        new WorkerPool(WorkerLimits.defaults()),
                        MemoryBudget.UNBOUNDED,
                        new ProcessEnd());
        listeners.open(
                List.of(
                        ListenerSettings.http(Endpoint.parse("0"))
                                .withTransport(TransportChoice.valueOf(words[0]))),
                HttpLimits.defaults());
        System.out.println(((InetSocketAddress) listeners.addresses().getFirst()).getPort());
        System.out.flush();
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(0);
    }
}
