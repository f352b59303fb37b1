package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.admin.ManagedServer;
import io.margay.app.config.Endpoint;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.TransportChoice;
import io.margay.server.config.HttpLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.MemoryBudget;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server inside of another program does not look alive when a loop has died: it tells the
/// program, and load balancers by `/health`.
@Timeout(120)
class FatalLoopTest {
    private static final Handler DYING =
            exchange ->
                    ((DialingExchange) exchange)
                            .carrier()
                            .dialer()
                            .execute(() -> {
                                throw new OutOfMemoryError("as if it were so");
                            });

    private final BlockingQueue<Throwable> fatal = new LinkedBlockingQueue<>();

    private static int status(int port, String path) throws IOException {
        try (RawHttpClient client =
                RawHttpClient.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.get(path).status();
        }
    }

    /// The server that the admin listener is for, as far as its health goes.
    private static ManagedServer managed(ListenerSet listeners) {
        return (ManagedServer)
                Proxy.newProxyInstance(
                        ManagedServer.class.getClassLoader(),
                        new Class<?>[] {ManagedServer.class},
                        (_, method, _) ->
                                switch (method.getName()) {
                                    case "isDead" -> listeners.isDead();
                                    case "isServing" -> !listeners.isDead();
                                    case "isDiskFull" -> false;
                                    case "idleState" -> "failed";
                                    case "apps", "upstreams", "sessionEngines", "registrations" ->
                                            List.of();
                                    case "shared" -> null;
                                    default -> throw new IllegalStateException(method.getName());
                                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"NIO", "NATIVE"})
    void loopThatDies_isTold_andHealthIs503(String transport) throws Exception {
        WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
        ListenerSet listeners =
                new ListenerSet(DYING, null, workers, MemoryBudget.UNBOUNDED, fatal::add);
        listeners.open(
                List.of(
                        ListenerSettings.http(Endpoint.parse("127.0.0.1:0"))
                                .withTransport(TransportChoice.valueOf(transport))),
                HttpLimits.defaults());
        int port = ((InetSocketAddress) listeners.addresses().getFirst()).getPort();
        int adminPort = FreePort.next();
        AdminListener admin = new AdminListener(managed(listeners), _ -> "", fatal::add);
        admin.open(
                Margay.builder()
                        .admin("127.0.0.1:" + adminPort, "a-token-of-some-thirty-two-characters")
                        .config());
        try {
            assertEquals(200, status(adminPort, "/health"));
            assertEquals(200, status(adminPort, "/health/live"));
            try (RawHttpClient client =
                    RawHttpClient.connect(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                Throwable cause = fatal.poll(60, TimeUnit.SECONDS);
                assertEquals("as if it were so", cause == null ? "" : cause.getMessage());
            }
            assertEquals(503, status(adminPort, "/health"));
            assertEquals(503, status(adminPort, "/health/live"));
        } finally {
            admin.close();
            listeners.close();
            workers.close();
        }
    }
}
