package io.margay.app.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.TestSite;
import io.margay.app.config.file.ConfigFile;
import io.margay.protocol.http.FieldList;
import io.margay.server.HttpServer;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Attempt;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.Relay;
import io.margay.server.host.StatusResponse;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What those are told who watch exchanges.
@Timeout(60)
final class ExchangeObserverTest {
    @TempDir Path folder;

    private final List<String> told = new CopyOnWriteArrayList<>();

    /// Writes down what it is told, and tells members of it.
    private final class Recorder implements ExchangeObserver {
        @Override
        public void begun(Exchange exchange) {
            told.add("begun");
        }

        @Override
        public void routed(Exchange exchange, Handler to, String route) {
            told.add("routed " + route);
        }

        @Override
        public void attempt(Exchange exchange, Relay to, FieldList fields) {
            fields.add("Traceparent", "00-" + to.peer());
            told.add("attempt " + to.upstream());
        }

        @Override
        public boolean followsAttempts() {
            return true;
        }

        @Override
        public void attempted(Exchange exchange, Attempt attempt) {
            told.add("attempted " + attempt.to().upstream() + " " + attempt.status());
        }

        @Override
        public void ended(Exchange exchange) {
            told.add("ended " + exchange.status());
        }
    }

    private static InetSocketAddress listen(HttpServer server, Transport transport)
            throws IOException {
        ListenerConfig any =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return (InetSocketAddress) server.listen(transport, any).socket().address();
    }

    private static int status(InetSocketAddress address, String path) throws Exception {
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
            return client.response().status();
        }
    }

    @Test
    void observer_isToldOfBeginning_route_attemptsAndEnd() throws Exception {
        List<String> traces = new CopyOnWriteArrayList<>();
        Handler memberHandler =
                exchange -> {
                    traces.add(String.valueOf(exchange.request().field("Traceparent")));
                    StatusResponse.plain(exchange, 200, "hello");
                };
        try (WorkerPool pool = new WorkerPool(WorkerLimits.defaults());
                Transport transport = Transports.open("nio", TransportConfig.defaults());
                HttpServer member = new HttpServer(memberHandler, pool)) {
            Path file = folder.resolve("margay.yaml");
            Files.writeString(
                    file,
                    """
                    listeners: [{http: 0}]
                    hosts:
                      - request-sizes: [{prefix: /small, target-max: 3}]
                        routes: {/: {gateway: back}}
                    upstreams: {back: {members: [{url: "http://127.0.0.1:%d"}]}}
                    work: work
                    """
                            .formatted(listen(member, transport).getPort()));
            Site site = TestSite.of(ConfigFile.read(file, Map.of()).get());
            try (HttpServer server =
                    new HttpServer(
                            new Front(site), pool, HttpServerConfig.defaults(), new Recorder())) {
                InetSocketAddress address = listen(server, transport);
                assertEquals(200, status(address, "/"));
                // The response may have gone before the attempt is over.
                Eventually.holds("the end", () -> told.size() == 5);
                assertEquals(List.of("begun", "routed /*", "attempt back"), told.subList(0, 3));
                assertEquals(
                        Set.of("attempted back 200", "ended 200"), Set.copyOf(told.subList(3, 5)));
                assertTrue(traces.getFirst().startsWith("00-"), traces::toString);
                told.clear();
                assertEquals(414, status(address, "/small"));
                Eventually.holds("the end", () -> told.contains("ended 414"));
                assertEquals(List.of("begun", "ended 414"), told);
            } finally {
                site.retire(Site.NONE, Duration.ZERO);
            }
        }
    }
}
