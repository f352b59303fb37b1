package io.margay.app;

import io.margay.protocol.http.Fields;
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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// A back end that speaks HTTP and AJP13, and answers with its name, what it was asked for, and the
/// fields beginning with `X-`, `Forwarded`, and the request attributes beginning with `T_` that it
/// was sent, but for `X-Forwarded-Server`. `…/host` tells the `Host` instead, `…/fields` has fields
/// of its own, `…/missing` is answered with 404, `…?moved=URL` with 302.
public final class AnsweringServer implements AutoCloseable {
    /// What each answer begins with.
    public static final String MARK = "answered by ";

    private final String name;
    private final Transport transport;
    private final HttpServer server;
    private final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
    private final HttpServer.HttpListener http;
    private final HttpServer.HttpListener ajp;
    private final AtomicInteger asked = new AtomicInteger();

    public AnsweringServer(String name) throws IOException {
        this(name, 0);
    }

    /// @param ajpPort where it listens for AJP13; 0 = somewhere
    public AnsweringServer(String name, int ajpPort) throws IOException {
        this(name, ajpPort, InetAddress.getLoopbackAddress());
    }

    /// @param address at which it listens
    public AnsweringServer(String name, int ajpPort, InetAddress address) throws IOException {
        this.name = name;
        transport = Transports.open("nio", TransportConfig.defaults().withLoops(1));
        server = new HttpServer(this::handle, workers);
        http = server.listen(transport, at(address, 0));
        ajp =
                server.listenAjp(
                        transport,
                        at(address, ajpPort),
                        AjpConfig.withoutSecret()
                                .withAllowedRequestAttributes(Pattern.compile("T_.*")));
    }

    private static ListenerConfig at(InetAddress address, int port) {
        return ListenerConfig.of(new InetSocketAddress(address, port));
    }

    public int httpPort() {
        return ((InetSocketAddress) http.socket().address()).getPort();
    }

    public int ajpPort() {
        return ((InetSocketAddress) ajp.socket().address()).getPort();
    }

    /// How many requests it has been asked.
    public int asked() {
        return asked.get();
    }

    /// Counts anew.
    public void forget() {
        asked.set(0);
    }

    private void handle(Exchange exchange) throws IOException {
        asked.incrementAndGet();
        String target = exchange.request().target().raw();
        String line = MARK + name + ": " + target + told(exchange) + "\n";
        if (target.endsWith("/host")) {
            line = MARK + name + ": " + target + " of " + exchange.request().field("Host") + "\n";
        }
        if (target.endsWith("/missing")) {
            exchange.status(404);
        }
        if (target.endsWith("/fields")) {
            exchange.fields()
                    .add("X-Powered-By", "the back end")
                    .add("X-List", "one")
                    .add("X-Vowels", "a word")
                    .add("Set-Cookie", "a=1; Path=/")
                    .add("Set-Cookie", "b=2");
        }
        int moved = target.indexOf("?moved=");
        if (moved >= 0) {
            exchange.status(302);
            exchange.fields().add("Location", target.substring(moved + 7));
        }
        if (target.endsWith("/cookies")) {
            exchange.fields()
                    .add("Set-Cookie", "a=1; Path=/app")
                    .add("Set-Cookie", "b=2; path=/app/; HttpOnly")
                    .add("Set-Cookie", "c=3; Path=/app/deeper; Secure")
                    .add("Set-Cookie", "d=4; Path=/application")
                    .add("Set-Cookie", "e=5; Domain=back.example; Path=/other")
                    .add("Set-Cookie", "f=6; Domain=Back.example")
                    .add("Set-Cookie", "h=8");
        }
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        exchange.fields().set("Content-Type", "text/plain;charset=utf-8");
        exchange.end(bytes, 0, bytes.length);
    }

    /// Fields, and request attributes of AJP13 beginning with `T_`.
    private static String told(Exchange exchange) {
        Set<String> found = new TreeSet<>();
        for (String attribute : exchange.attributeNames()) {
            if (attribute.startsWith("T_")) {
                found.add(attribute + "=" + exchange.attribute(attribute));
            }
        }
        Fields fields = exchange.request().fields();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i).toLowerCase(Locale.ROOT);
            boolean told = name.startsWith("x-") || name.equals("forwarded");
            boolean own = name.equals("x-forwarded-server") || name.equals("x-request-id");
            if (told && !own) {
                found.add(name + "=" + fields.value(i));
            }
        }
        return found.isEmpty() ? "" : " " + found;
    }

    @Override
    public void close() {
        server.close();
        transport.close();
        workers.close();
    }
}
