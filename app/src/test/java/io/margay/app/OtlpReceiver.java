package io.margay.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.margay.protocol.http.FieldList;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.exchange.Exchange;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/// A collector that takes spans, metrics and lines of the log by OTLP, and keeps them.
final class OtlpReceiver implements AutoCloseable {
    private final List<Received> spans = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger spanCount = new AtomicInteger();
    private final Map<String, Metric> metrics = new ConcurrentHashMap<>();
    private final List<LogRecord> lines = new CopyOnWriteArrayList<>();
    private final String url;
    private final List<Runnable> ends = new ArrayList<>();

    /// Calls by gRPC that are answered with UNAVAILABLE, from the first on.
    private final AtomicInteger refusals = new AtomicInteger();

    /// Calls by HTTP whose responses have a head and no end, from the first on.
    private final AtomicInteger stalls = new AtomicInteger();

    private volatile boolean trickle;

    private final AtomicInteger calls = new AtomicInteger();
    private final Set<Long> connections = ConcurrentHashMap.newKeySet();

    /// @param service what its sender calls itself
    record Received(String service, Span span) {
        String trace() {
            return hex(span.getTraceId().toByteArray());
        }

        String id() {
            return hex(span.getSpanId().toByteArray());
        }

        String parent() {
            return hex(span.getParentSpanId().toByteArray());
        }

        /// Its attributes as texts.
        Map<String, String> attributes() {
            return span.getAttributesList().stream()
                    .collect(
                            Collectors.toMap(
                                    one -> one.getKey(),
                                    one ->
                                            one.getValue().hasStringValue()
                                                    ? one.getValue().getStringValue()
                                                    : String.valueOf(
                                                            one.getValue().getIntValue())));
        }

        private static String hex(byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
    }

    /// One that is told by HTTP.
    OtlpReceiver() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.createContext("/v1/", this::take);
        server.start();
        ends.add(() -> server.stop(0));
        ends.add(threads::close);
        url = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private OtlpReceiver(int refused) throws IOException {
        refusals.set(refused);
        Transport transport = Transports.open("nio", TransportConfig.defaults());
        io.margay.server.HttpServer server =
                new io.margay.server.HttpServer(this::called, new VirtualDispatcher(10));
        ends.add(server::close);
        ends.add(transport::close);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        InetSocketAddress address =
                (InetSocketAddress)
                        server.listen(transport, ListenerConfig.of(any)).socket().address();
        url = "http://127.0.0.1:" + address.getPort();
    }

    /// One that is told by gRPC.
    ///
    /// @param refused calls that it cannot take at first
    static OtlpReceiver byGrpc(int refused) throws IOException {
        return new OtlpReceiver(refused);
    }

    private void called(Exchange exchange) throws IOException {
        exchange.dispatch(() -> {
            try {
                answer(exchange);
            } catch (IOException e) {
                exchange.abort();
            }
        });
    }

    private void answer(Exchange exchange) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] part = new byte[8_192];
        for (int count = 0; count >= 0; count = exchange.read(part, 0, part.length)) {
            content.write(part, 0, count);
        }
        calls.incrementAndGet();
        connections.add(exchange.connectionId());
        boolean refuses = refusals.getAndDecrement() > 0;
        byte[] message = content.toByteArray();
        boolean whole = ByteBuffer.wrap(message, 1, 4).getInt() == message.length - 5;
        if (whole && !refuses) {
            take(
                    exchange.request().target().rawPath().replaceAll(".*[.](\\w+)Service/.*", "$1"),
                    new ByteArrayInputStream(message, 5, message.length - 5));
        }
        exchange.status(200);
        exchange.fields().add("Content-Type", "application/grpc");
        String code = refuses ? "14" : whole ? "0" : "3";
        exchange.trailers(() -> new FieldList().add("grpc-status", code));
        exchange.end(new byte[5], 0, 5);
    }

    /// So many of the next calls are answered with a head, and a byte now and then or none.
    void stall(int count, boolean trickles) {
        trickle = trickles;
        stalls.set(count);
    }

    /// How many are still to be.
    int stalls() {
        return Math.max(0, stalls.get());
    }

    private void stall(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 10_000);
        OutputStream out = exchange.getResponseBody();
        out.flush();
        while (trickle) {
            out.write('x');
            out.flush();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        if (stalls.getAndDecrement() > 0) {
            stall(exchange);
            return;
        }
        try (exchange) {
            take(exchange.getRequestURI().getPath(), exchange.getRequestBody());
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private void take(String kind, InputStream content) throws IOException {
        switch (kind) {
            case "/v1/traces", "Trace" -> takeSpans(ExportTraceServiceRequest.parseFrom(content));
            case "/v1/metrics", "Metrics" ->
                    ExportMetricsServiceRequest.parseFrom(content).getResourceMetricsList().stream()
                            .flatMap(from -> from.getScopeMetricsList().stream())
                            .flatMap(scope -> scope.getMetricsList().stream())
                            .forEach(one -> metrics.put(one.getName(), one));
            case "/v1/logs", "Logs" ->
                    ExportLogsServiceRequest.parseFrom(content).getResourceLogsList().stream()
                            .flatMap(from -> from.getScopeLogsList().stream())
                            .flatMap(scope -> scope.getLogRecordsList().stream())
                            .forEach(lines::add);
            default -> throw new IOException(kind);
        }
    }

    private void takeSpans(ExportTraceServiceRequest sent) {
        sent.getResourceSpansList()
                .forEach(from -> {
                    String service =
                            from.getResource().getAttributesList().stream()
                                    .filter(one -> one.getKey().equals("service.name"))
                                    .map(one -> one.getValue().getStringValue())
                                    .findFirst()
                                    .orElse("");
                    List<Received> come =
                            from.getScopeSpansList().stream()
                                    .flatMap(one -> one.getSpansList().stream())
                                    .map(span -> new Received(service, span))
                                    .toList();
                    spans.addAll(come);
                    spanCount.addAndGet(come.size());
                });
    }

    String url() {
        return url;
    }

    List<Received> spans() {
        return List.copyOf(spans);
    }

    /// Those that have come since the last time, which are not kept any more.
    List<Received> take() {
        synchronized (spans) {
            List<Received> taken = List.copyOf(spans);
            spans.clear();
            return taken;
        }
    }

    int spanCount() {
        return spanCount.get();
    }

    /// The last of each name.
    Map<String, Metric> metrics() {
        return Map.copyOf(metrics);
    }

    List<LogRecord> lines() {
        return List.copyOf(lines);
    }

    /// Calls by gRPC.
    int calls() {
        return calls.get();
    }

    /// On how many connections they came.
    int connections() {
        return connections.size();
    }

    @Override
    public void close() {
        ends.forEach(Runnable::run);
    }
}
