package io.margay.app;

import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.WorkerSettings;
import io.margay.gateway.status.ServerFacts;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.dispatch.WorkerPool;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// A running server. Thread-safe; changes are guarded by `lock`, which is held while applications
/// are deployed and stopped, and never by a thread that serves.
public final class MargayServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MargayServer.class.getName());

    private final ReentrantLock lock = new ReentrantLock();
    private final WorkLock work;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Dispatcher dispatcher;
    private final Front front;
    private final ListenerSet listeners;
    private final ServerFacts facts;
    private MargayConfig config;
    private boolean stopping;

    private MargayServer(MargayConfig config, WorkLock work) {
        this.config = config;
        this.work = work;
        dispatcher = dispatcher(config.workers());
        front = new Front(Site.NONE);
        listeners = new ListenerSet(front, dispatcher);
        facts =
                new ServerFacts(
                        "Margay/" + VersionCommand.number(),
                        Instant.now(),
                        listeners::readings,
                        config.workers().limits().threadsMax());
    }

    /// Deploys, then opens the listeners.
    ///
    /// @throws StartException when a listener cannot be opened; nothing is left running
    static MargayServer start(MargayConfig config, DeployProgress progress) {
        WorkLock work = WorkLock.take(config.work());
        MargayServer server = new MargayServer(config, work);
        try {
            // Loops and the calls into the system are made ready beside the deployment.
            Thread transports =
                    Thread.ofPlatform()
                            .name("margay-transports")
                            .start(() -> server.listeners.prepare(config.listeners()));
            try {
                Site first = Site.build(config, Site.NONE, server.facts, progress);
                server.front.replace(first);
                first.begin(Site.NONE);
            } finally {
                join(transports);
            }
            server.listeners.open(config.listeners(), config.limits().http());
            return server;
        } catch (RuntimeException | Error e) {
            server.stop(Duration.ZERO);
            throw e;
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted", e);
        }
    }

    private static Dispatcher dispatcher(WorkerSettings workers) {
        return switch (workers.dispatch()) {
            case POOL -> new WorkerPool(workers.limits());
            case VIRTUAL -> new VirtualDispatcher(workers.limits().queuedMax());
        };
    }

    /// What is bound, in the order of the configuration, with the real ports.
    public List<SocketAddress> addresses() {
        lock.lock();
        try {
            return listeners.addresses();
        } finally {
            lock.unlock();
        }
    }

    /// The ports of [#addresses].
    public List<Integer> ports() {
        return addresses().stream().map(at -> ((InetSocketAddress) at).getPort()).toList();
    }

    /// What each application that could not be deployed suffers from.
    public List<String> failures() {
        return front.site().failures();
    }

    /// Whether there is neither an application nor a folder of files.
    boolean servesNothing() {
        return front.site().isEmpty();
    }

    /// The start-up lines: URL and transport of each listener.
    List<String> lines() {
        lock.lock();
        try {
            return listeners.lines();
        } finally {
            lock.unlock();
        }
    }

    /// Takes another configuration; requests that run are finished by what they began in, and none
    /// is lost. Workers and the work folder stay as they are.
    ///
    /// @throws StartException when something of it cannot be had; then nothing has changed
    public void reload(MargayConfig next) {
        lock.lock();
        try {
            if (stopping) {
                throw new StartException("the server is stopping");
            }
            Site before = front.site();
            Site after =
                    Site.build(next.withWork(config.work()), before, facts, DeployProgress.NONE);
            if (!after.failures().isEmpty()) {
                after.retire(before, Duration.ZERO);
                throw new StartException(String.join("\n", after.failures()));
            }
            try {
                listen(next);
            } catch (StartException e) {
                after.retire(before, Duration.ZERO);
                throw e;
            }
            front.replace(after);
            after.begin(before);
            listeners.limits(next.limits().http());
            listeners.retainOnly(next.listeners(), next.drain());
            config = next;
            Thread.ofPlatform()
                    .name("margay-retire")
                    .start(() -> before.retire(after, next.drain()));
        } finally {
            lock.unlock();
        }
    }

    /// Opens the new listeners, first closing those whose address they take; on failure the closed
    /// ones are opened again.
    private void listen(MargayConfig next) {
        List<ListenerSettings> inTheWay = listeners.inTheWayOf(next.listeners());
        if (!inTheWay.isEmpty()) {
            List<ListenerSettings> rest =
                    config.listeners().stream().filter(one -> !inTheWay.contains(one)).toList();
            listeners.retainOnly(rest, next.drain());
        }
        try {
            listeners.open(next.listeners(), next.limits().http());
        } catch (StartException e) {
            listeners.open(inTheWay, config.limits().http());
            throw e;
        }
    }

    /// Accepts no more connections, lets running requests end, stops the applications, which keeps
    /// their sessions, and ends all threads. Waits; a second call waits for the first.
    ///
    /// @param deadline for the running requests; those that exceed it are cut
    public void stop(Duration deadline) {
        lock.lock();
        try {
            if (stopping) {
                return;
            }
            stopping = true;
            listeners.drain(deadline);
            front.site().retire(Site.NONE, Duration.ZERO);
            listeners.close();
            dispatcher.close();
            work.close();
            LOG.log(Level.DEBUG, "stopped");
        } finally {
            stopped.countDown();
            lock.unlock();
        }
    }

    /// Stops with the drain time of the configuration.
    @Override
    public void close() {
        lock.lock();
        try {
            stop(config.drain());
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the server has been stopped.
    public void awaitStop() {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits until the server has been stopped, or the time is over.
    ///
    /// @return whether it has been stopped
    public boolean awaitStop(Duration time) throws InterruptedException {
        return stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
