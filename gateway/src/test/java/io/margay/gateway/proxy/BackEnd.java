package io.margay.gateway.proxy;

import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.protocol.http.FieldList;
import io.margay.server.HttpServer;
import io.margay.server.config.AjpConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Exchange;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Margay itself as the server behind a gateway, by HTTP or AJP13. What it was asked is recorded.
///
/// `/echo` answers with the content of the request, `/grpc` with trailers behind it, `/fields` with
/// its fields, `/trailers` with its trailers, `/bytes/N` with so many bytes, `/moved` with a
/// redirection to itself, other paths with method and path. `/socket` accepts a WebSocket, on which
/// it says again what comes, and `bye` at the end.
final class BackEnd implements AutoCloseable {
    static final String SECRET = "s3cret";

    final List<String> requests = new CopyOnWriteArrayList<>();

    /// WebSockets that are open.
    final AtomicInteger sockets = new AtomicInteger();

    private final PeerScheme scheme;
    private final Transport transport;
    private final HttpServer server;
    private final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
    private final HttpServer.HttpListener listener;

    BackEnd(PeerScheme scheme) throws IOException {
        this(scheme, "nio");
    }

    BackEnd(PeerScheme scheme, String transportName) throws IOException {
        this.scheme = scheme;
        transport = Transports.open(transportName, TransportConfig.defaults().withLoops(1));
        server = new HttpServer(this::handle, workers);
        ListenerConfig socket =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        if (scheme.isSecure()) {
            socket = socket.withTls(Gateway.tls());
        }
        listener =
                scheme == PeerScheme.AJP
                        ? server.listenAjp(transport, socket, AjpConfig.withSecret(SECRET))
                        : server.listen(transport, socket);
    }

    int port() {
        return ((InetSocketAddress) listener.socket().address()).getPort();
    }

    PeerConfig peer() {
        return peer("peer");
    }

    PeerConfig peer(String name) {
        PeerConfig made = PeerConfig.of(name, PeerAddress.of(scheme, "127.0.0.1", port()));
        return made.withAjp(new PeerConfig.Ajp(SECRET, 8192, made.ajp().pings()))
                .withTls(new PeerConfig.Tls(true, Gateway.CERTIFICATE.cert(), null, List.of()));
    }

    int connections() {
        return server.connectionCount();
    }

    private void handle(Exchange exchange) {
        requests.add(exchange.request().method() + " " + exchange.request().target().raw());
        exchange.dispatch(() -> {
            try {
                answer(exchange);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /// The content with a trailer, as gRPC has it: what the request's trailers were is told.
    private static void echoWithTrailers(Exchange exchange) throws IOException {
        exchange.fields().set("Content-Type", "application/grpc");
        exchange.trailers(() ->
                new FieldList()
                        .add("grpc-status", "0")
                        .add("x-received", String.valueOf(exchange.trailers().get("x-sent"))));
        byte[] buffer = new byte[4096];
        for (int n = exchange.read(buffer, 0, buffer.length);
                n >= 0;
                n = exchange.read(buffer, 0, buffer.length)) {
            exchange.write(buffer, 0, n);
            exchange.flush();
        }
        exchange.end();
    }

    private void webSocket(Exchange exchange) throws IOException {
        sockets.incrementAndGet();
        exchange.onEnd(sockets::decrementAndGet);
        String key = exchange.request().field("sec-websocket-key");
        exchange.fields().add("Upgrade", "websocket");
        exchange.fields().add("Sec-WebSocket-Accept", accept(key));
        exchange.fields().add("Sec-WebSocket-Protocol", "echo");
        exchange.upgrade();
        byte[] buffer = new byte[4096];
        for (int n = exchange.read(buffer, 0, buffer.length);
                n >= 0;
                n = exchange.read(buffer, 0, buffer.length)) {
            exchange.write(buffer, 0, n);
        }
        end(exchange, "bye");
    }

    private static String accept(@Nullable String key) {
        try {
            String both = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
            byte[] bytes = both.getBytes(StandardCharsets.US_ASCII);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(Exchange exchange) throws IOException {
        String path = exchange.request().target().rawPath();
        if (path.equals("/socket")) {
            webSocket(exchange);
        } else if (path.equals("/echo")) {
            byte[] buffer = new byte[4096];
            for (int n = exchange.read(buffer, 0, buffer.length);
                    n >= 0;
                    n = exchange.read(buffer, 0, buffer.length)) {
                exchange.write(buffer, 0, n);
            }
            exchange.end();
        } else if (path.equals("/trailers")) {
            while (exchange.read(new byte[64], 0, 64) >= 0) {}
            end(exchange, exchange.trailers().toString());
        } else if (path.equals("/grpc")) {
            echoWithTrailers(exchange);
        } else if (path.equals("/fields")) {
            StringBuilder text = new StringBuilder(exchange.request().fields().toString());
            text.append("remote: ").append(exchange.remote()).append('\n');
            text.append("user: ").append(exchange.remoteUser()).append('\n');
            text.append("activation: ").append(exchange.attribute("JK_LB_ACTIVATION")).append('\n');
            end(exchange, text.toString());
        } else if (path.startsWith("/bytes/")) {
            int count = Integer.parseInt(path.substring("/bytes/".length()));
            byte[] bytes = content(count);
            exchange.fields().set("Content-Length", Integer.toString(count));
            exchange.write(bytes, 0, count);
            exchange.end();
        } else if (path.equals("/moved")) {
            exchange.status(302);
            exchange.fields().set("Location", "http://127.0.0.1:" + port(exchange) + "/there");
            exchange.end();
        } else {
            end(exchange, exchange.request().method() + " " + path);
        }
    }

    private static int port(Exchange exchange) {
        return ((InetSocketAddress) exchange.local()).getPort();
    }

    private static void end(Exchange exchange, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        exchange.end(bytes, 0, bytes.length);
    }

    /// Bytes whose place can be told by their value.
    static byte[] content(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        return bytes;
    }

    @Override
    public void close() {
        server.close();
        transport.close();
        workers.close();
    }
}
