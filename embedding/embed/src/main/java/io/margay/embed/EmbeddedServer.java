package io.margay.embed;

import io.margay.embed.Activity.Sessions;
import io.margay.embed.Activity.Traffic;
import io.margay.embed.Activity.Workers;
import io.margay.server.HttpServer;
import io.margay.server.HttpServer.HttpListener;
import io.margay.server.ListenerProtocol;
import io.margay.server.compression.Compression;
import io.margay.server.compression.CompressionLimits;
import io.margay.server.compression.Compressor;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.Routes;
import io.margay.server.log.AccessLog;
import io.margay.server.log.LogFormat;
import io.margay.servlet.WebApp;
import io.margay.servlet.descriptor.WebAppException;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.Transport;
import io.margay.transport.factory.Transports;
import io.margay.transport.quic.DatagramListener;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A server in a program: applications, which [#deploy] starts, and listeners, which [#start] opens
/// and [#pause] closes. It can be started again after it has been stopped. Thread-safe: what starts
/// and stops is guarded by `lock`, which no thread that serves takes.
public final class EmbeddedServer implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stopped = lock.newCondition();
    private final ServerPlan plan;
    private volatile @Nullable EmbeddedApps apps;
    private volatile @Nullable Open open;

    /// The ports that were bound last, which a restart asks for again; guarded by `lock`.
    private List<Integer> lastPorts = List.of();

    EmbeddedServer(ServerPlan plan) {
        this.plan = plan;
    }

    /// 0 = a Unix socket.
    static int port(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }

    /// Open listeners and what they need.
    private record Open(
            HttpServer server, Transport transport, Dispatcher workers, @Nullable AccessLog log) {
        List<Integer> ports() {
            List<Integer> ports = new ArrayList<>();
            for (HttpListener listener : server.listeners()) {
                ports.add(port(listener.socket().address()));
            }
            return ports;
        }

        void close() {
            server.close();
            workers.close();
            transport.close();
            if (log != null) {
                log.close();
            }
        }
    }

    /// Starts the applications without listening; [#start] does that, too. Contexts are without
    /// their servlets that load on start-up until then.
    ///
    /// @throws ServerStartException when one cannot be started; none is left running
    public void deploy() {
        lock.lock();
        try {
            if (apps == null) {
                apps = EmbeddedApps.start(plan);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Starts the applications that do not run yet, and opens the listeners that are not open.
    ///
    /// @throws ServerStartException when something cannot be had; nothing is left running
    public void start() {
        lock.lock();
        try {
            if (open != null) {
                return;
            }
            boolean deployed = apps != null;
            deploy();
            EmbeddedApps running = Objects.requireNonNull(apps);
            try {
                running.load();
                Open opened = listen(running);
                open = opened;
                lastPorts = opened.ports();
            } catch (WebAppException e) {
                undeploy();
                throw new ServerStartException(String.valueOf(e.getMessage()), e);
            } catch (RuntimeException | Error e) {
                if (!deployed) {
                    undeploy();
                }
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    private Open listen(EmbeddedApps running) {
        Transport transport = transport();
        Dispatcher workers = plan.workers().get();
        AccessLog log = null;
        try {
            log = accessLog();
            HttpServer server =
                    new HttpServer(compressed(running.routes()), workers, plan.http(), log);
            Open opened = new Open(server, transport, workers, log);
            listen(opened);
            return opened;
        } catch (RuntimeException | Error e) {
            workers.close();
            transport.close();
            if (log != null) {
                log.close();
            }
            throw e;
        }
    }

    private void listen(Open opened) {
        int number = 0;
        for (ServerPlan.Listening wanted : plan.listeners()) {
            ListenerConfig socket = socket(wanted.socket(), number);
            try {
                TlsConfig tls = socket.tls();
                if (wanted.http3() && tls != null) {
                    listenHttp3(opened, socket, tls);
                } else if (wanted.ajp() == null) {
                    opened.server.listen(opened.transport, socket);
                } else {
                    opened.server.listenAjp(opened.transport, socket, wanted.ajp());
                }
            } catch (IOException | RuntimeException e) {
                opened.server.close();
                throw new ServerStartException(
                        "cannot listen at " + socket.address() + ": " + e.getMessage(),
                        e,
                        port(socket.address()));
            }
            number++;
        }
    }

    private void listenHttp3(Open opened, ListenerConfig socket, TlsConfig tls) throws IOException {
        TlsConfig over = tls.withApplicationProtocols(List.of(ListenerProtocol.HTTP_3));
        DatagramListener.Prepared beside =
                Transports.datagrams(over, plan.transportConfig(), null, Runnable::run);
        HttpServer.HttpListener _ = opened.server.prepare(opened.transport, socket, beside).open();
    }

    /// The same port after a restart; with TLS, what HTTP/2 needs.
    private ListenerConfig socket(ListenerConfig wanted, int number) {
        SocketAddress address = wanted.address();
        if (address instanceof InetSocketAddress at
                && at.getPort() == 0
                && number < lastPorts.size()) {
            int port = lastPorts.get(number);
            address =
                    at.getAddress() == null
                            ? new InetSocketAddress(at.getHostString(), port)
                            : new InetSocketAddress(at.getAddress(), port);
        }
        TlsConfig tls = wanted.tls();
        if (tls != null) {
            tls = tls.withApplicationProtocols(ListenerProtocol.offered(plan.http().http2()));
        }
        return wanted.withAddress(address).withTls(tls);
    }

    private Transport transport() {
        String name = plan.transport();
        try {
            return name == null
                    ? Transports.best(plan.transportConfig()).transport()
                    : Transports.open(name, plan.transportConfig());
        } catch (IOException | IllegalArgumentException e) {
            throw new ServerStartException("the transport is not available: " + e.getMessage(), e);
        }
    }

    private @Nullable AccessLog accessLog() {
        ServerPlan.Log wanted = plan.accessLog();
        if (wanted == null) {
            return null;
        }
        try {
            return new AccessLog(wanted.file().toString(), LogFormat.of(wanted.format()));
        } catch (IOException | IllegalArgumentException e) {
            throw new ServerStartException(
                    "the access log " + wanted.file() + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private Handler compressed(Routes routes) {
        Compression compression = plan.compression();
        if (compression == null) {
            return routes;
        }
        Compressor compressor = new Compressor(plan.http().memory(), CompressionLimits.defaults());
        return exchange ->
                routes.select(exchange)
                        .handle(
                                exchange instanceof DialingExchange dialing
                                        ? compressor.compress(dialing, compression)
                                        : exchange);
    }

    /// The first port that is listened at.
    public int port() {
        return ports().getFirst();
    }

    /// The ports that are listened at, in the order in which the listeners were named.
    ///
    /// @throws IllegalStateException when the server does not listen
    public List<Integer> ports() {
        Open now = open;
        if (now == null) {
            throw new IllegalStateException("the server does not listen");
        }
        return now.ports();
    }

    /// What is spoken at each of [#ports], in the same order: `http`, `https` or `ajp`.
    public List<String> schemes() {
        return plan.listeners().stream()
                .map(one ->
                        one.ajp() != null ? "ajp" : one.socket().tls() != null ? "https" : "http")
                .toList();
    }

    /// Whether it listens.
    public boolean isListening() {
        return open != null;
    }

    /// The contexts and applications that run, in the order in which they were named, contexts
    /// first.
    public List<ServletContext> contexts() {
        EmbeddedApps now = apps;
        return now == null ? List.of() : now.contexts();
    }

    /// What it does and has done, for metrics.
    public Activity activity() {
        Open now = open;
        EmbeddedApps served = apps;
        int max = plan.workersMax();
        return new Activity(
                now == null ? Traffic.NONE : Traffic.of(now.server.listeners()),
                now == null ? new Workers(0, 0, 0, max) : Workers.of(now.workers, max),
                served == null ? Sessions.NONE : Sessions.of(served.webApps()));
    }

    /// Open connections of all listeners together at most.
    public int connectionsMax() {
        long sum = plan.listeners().stream().mapToLong(one -> one.socket().connectionsMax()).sum();
        return (int) Math.min(sum, Integer.MAX_VALUE);
    }

    /// Takes the certificates again from where they come from, for new connections.
    public void reloadCertificates() {
        Open now = open;
        if (now != null) {
            now.server.listeners().forEach(one -> one.socket().reloadCertificates());
        }
    }

    /// Closes the listeners and every connection at once; the applications stay.
    public void pause() {
        lock.lock();
        try {
            Open now = open;
            open = null;
            if (now != null) {
                now.close();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Takes no new connections, ends WebSocket sessions with 1001, lets requests that have begun
    /// end, and closes the listeners; the applications stay. Waits.
    ///
    /// @return whether every request has ended by itself, and nobody else has closed the listeners
    public boolean drain(Duration deadline) {
        Open now = open;
        if (now == null) {
            return true;
        }
        EmbeddedApps served = apps;
        List<WebApp> running = served == null ? List.of() : served.webApps();
        running.forEach(WebApp::leave);
        boolean done = now.server.drain(deadline);
        boolean ours = now.equals(open);
        pause();
        running.forEach(WebApp::rejoin);
        return done && ours;
    }

    /// Stops gracefully on a thread of its own: no new connections, running requests may end, then
    /// the applications stop.
    ///
    /// @param ended told whether every request has ended before the deadline
    public void stop(Duration deadline, Consumer<Boolean> ended) {
        Thread.ofPlatform().name("margay-stop").start(() -> ended.accept(stop(deadline)));
    }

    /// The same, and waits for it.
    ///
    /// @return whether every request has ended before the deadline
    public boolean stop(Duration deadline) {
        boolean done = drain(deadline);
        undeploy();
        return done;
    }

    private void undeploy() {
        lock.lock();
        try {
            EmbeddedApps now = apps;
            apps = null;
            stopped.signalAll();
            if (now != null) {
                now.stop();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Stops, as [#close], and starts again at the same ports, with new servlet contexts.
    public void restart() {
        lock.lock();
        try {
            close();
            start();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the server has been stopped: its threads do not keep a program alive.
    public void await() throws InterruptedException {
        boolean _ = await(Duration.ofNanos(Long.MAX_VALUE));
    }

    /// The same, at most this long.
    ///
    /// @return whether the server has been stopped
    public boolean await(Duration most) throws InterruptedException {
        long nanos = most.toNanos();
        lock.lock();
        try {
            while (apps != null) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = stopped.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Lets running requests end within the time that the builder was given, and stops.
    @Override
    public void close() {
        boolean _ = stop(plan.drain());
    }
}
