package io.margay.server.ajp;

import io.margay.server.HttpServer;
import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.server.exchange.Handler;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// An AJP13 listener on a free port of the loopback, for one test.
final class AjpServer implements AutoCloseable {
    static final String SECRET = "s3cret";

    final HttpServer server;
    private final Transport transport;
    private final WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
    private final AjpConfig config;
    private final HttpServer.HttpListener listener;

    AjpServer(String transport, Handler handler) throws IOException {
        this(transport, handler, AjpConfig.withSecret(SECRET), HttpLimits.defaults());
    }

    AjpServer(String transport, Handler handler, AjpConfig config, HttpLimits limits)
            throws IOException {
        this.config = config;
        this.transport = Transports.open(transport, TransportConfig.defaults());
        server =
                new HttpServer(
                        handler, workers, HttpServerConfig.defaults().withLimits(limits), null);
        listener =
                server.listenAjp(
                        this.transport,
                        ListenerConfig.of(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                        config);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.socket().address();
    }

    HttpServer.HttpListener listener() {
        return listener;
    }

    FrontEnd frontEnd() throws IOException {
        return new FrontEnd(address(), config.limits());
    }

    @Override
    public void close() {
        server.close();
        transport.close();
        workers.close();
    }
}
