package io.margay.server;

import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.config.ServerStats;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.dispatch.InlineDispatcher;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.MemoryBudget;
import io.margay.testkit.Http2Wire;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.TestCertificate;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server on a free port of the loopback, for one test.
final class TestServer implements AutoCloseable {
    private static final TestCertificate CERTIFICATE = TestCertificate.temporary();

    final Transport transport;
    final Dispatcher dispatcher;
    final HttpServer server;
    final HttpServer.HttpListener listener;
    final Wire wire;

    /// What became of each exchange: status and failure.
    final List<String> ends = new CopyOnWriteArrayList<>();

    TestServer(Wire wire, Handler handler) throws IOException {
        this(wire, handler, HttpLimits.defaults());
    }

    TestServer(Wire wire, Handler handler, HttpLimits limits) throws IOException {
        this(wire, handler, limits, new WorkerPool(WorkerLimits.defaults()));
    }

    TestServer(Wire wire, Handler handler, HttpLimits limits, Dispatcher dispatcher)
            throws IOException {
        this(wire, handler, limits, dispatcher, MemoryBudget.UNBOUNDED);
    }

    /// A server whose clients may make it hold no more than a budget has.
    TestServer(Wire wire, Handler handler, MemoryBudget memory) throws IOException {
        this(wire, handler, HttpLimits.defaults(), new WorkerPool(WorkerLimits.defaults()), memory);
    }

    private TestServer(
            Wire wire,
            Handler handler,
            HttpLimits limits,
            Dispatcher dispatcher,
            MemoryBudget memory)
            throws IOException {
        this.wire = wire;
        this.dispatcher = wire.inline() ? new InlineDispatcher(dispatcher, 0, 0) : dispatcher;
        transport = Transports.open(wire.transport(), TransportConfig.defaults());
        server =
                new HttpServer(
                        handler,
                        this.dispatcher,
                        HttpServerConfig.defaults()
                                .withLimits(limits)
                                .withStrictSni(false)
                                .withMemory(memory),
                        exchange ->
                                ends.add(
                                        exchange.status()
                                                + (exchange.failure() == null ? "" : " failed")));
        ListenerConfig plain =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener =
                server.listen(
                        transport,
                        wire.tls()
                                ? plain.withTls(
                                        TlsConfig.of(CERTIFICATE.cert(), CERTIFICATE.key())
                                                .withApplicationProtocols(
                                                        List.of("h2", "http/1.1")))
                                : plain);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.socket().address();
    }

    RawHttpClient client() throws IOException {
        return wire.tls()
                ? RawHttpClient.connect(address(), CERTIFICATE.client(), "localhost")
                : RawHttpClient.connect(address());
    }

    Http2Wire http2() throws IOException {
        return Http2Wire.connect(address(), wire.tls() ? CERTIFICATE.client() : null);
    }

    /// A client of the JDK's, which speaks HTTP/2 over TLS.
    HttpClient.Builder jdkClient() {
        return HttpClient.newBuilder().sslContext(CERTIFICATE.client());
    }

    ServerStats.Reading stats() {
        return listener.stats().read();
    }

    @Override
    public void close() {
        server.close();
        transport.close();
        dispatcher.close();
    }
}
