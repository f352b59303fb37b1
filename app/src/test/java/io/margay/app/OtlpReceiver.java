package io.margay.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/// A collector that takes spans by OTLP over HTTP, and keeps them.
final class OtlpReceiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Received> spans = new CopyOnWriteArrayList<>();

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

    OtlpReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            ExportTraceServiceRequest sent =
                    ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
            sent.getResourceSpansList()
                    .forEach(from -> {
                        String service =
                                from.getResource().getAttributesList().stream()
                                        .filter(one -> one.getKey().equals("service.name"))
                                        .map(one -> one.getValue().getStringValue())
                                        .findFirst()
                                        .orElse("");
                        spans.addAll(
                                from.getScopeSpansList().stream()
                                        .flatMap(one -> one.getSpansList().stream())
                                        .map(span -> new Received(service, span))
                                        .toList());
                    });
            exchange.sendResponseHeaders(200, -1);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Received> spans() {
        return List.copyOf(spans);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
