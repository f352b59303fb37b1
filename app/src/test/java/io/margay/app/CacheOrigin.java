package io.margay.app;

import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What stands behind the cache: answers each path as it was told to, and knows what it was asked.
final class CacheOrigin implements AutoCloseable {
    private final Transport transport;
    private final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
    private final HttpServer server;
    private final int port;
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();

    /// How often each target was asked for: soaks ask millions of times.
    private final Map<String, Integer> asked = new ConcurrentHashMap<>();

    CacheOrigin() throws IOException {
        transport = Transports.open("nio", TransportConfig.defaults().withLoops(1));
        server = new HttpServer(this::handle, workers);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        port =
                ((InetSocketAddress)
                                server.listen(transport, ListenerConfig.of(any)).socket().address())
                        .getPort();
    }

    int port() {
        return port;
    }

    private void handle(Exchange exchange) throws IOException {
        String target = exchange.request().target().raw();
        int _ = asked.merge(target, 1, Integer::sum);
        int query = target.indexOf('?');
        Handler handler = handlers.get(query < 0 ? target : target.substring(0, query));
        if (handler == null) {
            exchange.status(404);
            exchange.end();
        } else {
            handler.handle(exchange);
        }
    }

    /// Has a path answered by 200 with fields, each as `NAME: VALUE`, and a content.
    void at(String path, String content, String... fields) {
        at(path, exchange -> answer(exchange, 200, content, fields));
    }

    void at(String path, Handler handler) {
        handlers.put(path, handler);
    }

    static void answer(Exchange exchange, int status, String content, String... fields)
            throws IOException {
        exchange.status(status);
        for (String field : fields) {
            int colon = field.indexOf(':');
            exchange.fields().add(field.substring(0, colon), field.substring(colon + 1).strip());
        }
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        exchange.end(bytes, 0, bytes.length);
    }

    /// How often a path was asked for, with whatever query.
    int asked(String path) {
        return asked.entrySet().stream()
                .filter(one -> one.getKey().equals(path) || one.getKey().startsWith(path + "?"))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    @Override
    public void close() throws IOException {
        server.close();
        transport.close();
        workers.close();
    }
}
