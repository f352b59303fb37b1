package io.margay.app.agreement.nginx;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// A member behind two front ends: it answers each of them as it was told to, and its content says
/// how often this one has asked. Thread-safe.
public final class CacheMember implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, List<Reply>> replies = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    /// @param status 0 = the connection is closed
    /// @param fields each as `NAME: VALUE`
    public record Reply(int status, List<String> fields) {
        public static Reply of(int status, String... fields) {
            return new Reply(status, List.of(fields));
        }
    }

    public CacheMember() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /// Has a path answered so, one reply after the other; the last one stays.
    public void at(String path, Reply... all) {
        replies.put(path, List.of(all));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Headers asked = exchange.getRequestHeaders();
        String front = asked.getFirst("X-Front");
        int count =
                counts.computeIfAbsent(front + path, _ -> new AtomicInteger()).incrementAndGet();
        List<Reply> all = replies.getOrDefault(path, List.of(Reply.of(200)));
        Reply reply = all.get(Math.min(count, all.size()) - 1);
        if (reply.status == 0) {
            exchange.close();
            return;
        }
        Headers told = exchange.getResponseHeaders();
        for (String field : reply.fields) {
            int colon = field.indexOf(':');
            told.add(field.substring(0, colon), field.substring(colon + 1).strip());
        }
        String tag = told.getFirst("ETag");
        if (tag != null && tag.equals(asked.getFirst("If-None-Match"))) {
            exchange.sendResponseHeaders(304, -1);
            exchange.close();
            return;
        }
        byte[] content =
                (exchange.getRequestMethod() + " " + count + "\n")
                        .getBytes(StandardCharsets.ISO_8859_1);
        exchange.sendResponseHeaders(reply.status, content.length);
        exchange.getResponseBody().write(content);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
