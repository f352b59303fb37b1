package io.margay.app;

import io.margay.app.admin.ManagedServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.console.ConfigControl;
import io.margay.app.deploy.AppChange;
import io.margay.app.deploy.AppFailure;
import io.margay.app.deploy.AppName;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.deploy.ChangeLog;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.deploy.Deployments;
import io.margay.app.deploy.RunningApp;
import io.margay.app.deploy.SiteContext;
import io.margay.app.deploy.UndeployedApps;
import io.margay.app.jmx.JmxDomain;
import io.margay.app.register.Announcer;
import io.margay.app.register.RegistrationReading;
import io.margay.app.site.Front;
import io.margay.app.site.Site;
import io.margay.app.upgrade.Inheritance;
import io.margay.app.upgrade.StateKeeper;
import io.margay.gateway.status.ServerInfo;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.MemoryBudget;
import io.margay.servlet.deploy.Deployment;
import io.margay.transport.FatalHandler;
import io.margay.transport.handover.ListeningSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A running server. Thread-safe; changes are guarded by `lock`, which is held while applications
/// are deployed and stopped, and never by a thread that serves.
public final class MargayServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MargayServer.class.getName());

    /// At the end of the server, when no request runs any more that could be waited for.
    private static final long RETIRE_NANOS_MAX = 5_000_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final WorkLock work;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Dispatcher dispatcher;
    final Front front;
    private final ListenerSet listeners;
    final SiteContext context;
    private final MemoryBudget memory;
    private volatile MargayConfig config;
    private final boolean ownProcess;
    private final AutoDeploy autoDeploy = new AutoDeploy(this);
    private final Announcer announcer = new Announcer();
    private final UndeployedApps undeployed = new UndeployedApps();

    /// Applications that finish the requests that they have begun.
    private final Set<RunningApp> retiring = new LinkedHashSet<>();

    private final Condition retired = lock.newCondition();
    final AdminListener admin;
    private final StateKeeper keeper;
    final AppControl control = new AppControl(this);
    private final JmxDomain jmx = new JmxDomain(control);
    volatile boolean started;
    private volatile boolean stopping;

    /// The end has been announced, and requests are still taken.
    private volatile boolean leaving;

    /// Another process accepts connections in its place.
    private volatile boolean succeeded;

    final Configured configured = new Configured();

    /// What an operator has stopped, though the configuration names it.
    private final Set<AppName> stoppedApps = ConcurrentHashMap.newKeySet();

    private MargayServer(MargayConfig config, WorkLock work, FatalHandler onFatal) {
        this.config = config;
        this.work = work;
        ownProcess = onFatal instanceof ProcessEnd;
        dispatcher = config.workers().dispatcher();
        front = new Front(Site.NONE, config.shared());
        memory = config.limits().memory().budget();
        listeners =
                new ListenerSet(front, front, dispatcher, memory, onFatal, front.certificates());
        ServerInfo info =
                new ServerInfo(
                        "Margay/" + ServerVersion.number(),
                        Instant.now(),
                        InstantSource.system(),
                        listeners::readings,
                        config.workers().limits().threadsMax());
        context = new SiteContext(front::site, info, memory, front.shared(), front.sight());
        front.sight().watch(listeners::watched);
        admin = new AdminListener(control, jmx::ask, onFatal);
        keeper = new StateKeeper(config.work(), () -> front.site().state(context).all());
    }

    /// Starts a server that outlives the death of one of its threads, as in a program of others.
    public static MargayServer start(MargayConfig config, DeployProgress progress) {
        return start(config, progress, _ -> {}, Inheritance.none());
    }

    /// Deploys, then opens the listeners.
    ///
    /// @param onFatal what is done when a thread dies that clients cannot do without
    /// @param inherited what is open already
    /// @throws StartException when a listener cannot be opened; nothing is left running
    public static MargayServer start(
            MargayConfig config,
            DeployProgress progress,
            FatalHandler onFatal,
            Inheritance inherited) {
        return start(config, progress, onFatal, inherited, _ -> {});
    }

    /// The same.
    ///
    /// @param reachable is given the server before its listeners open: it is looked after by then
    public static MargayServer start(
            MargayConfig config,
            DeployProgress progress,
            FatalHandler onFatal,
            Inheritance inherited,
            Consumer<MargayServer> reachable) {
        WorkLock work = WorkLock.take(config.work(), inherited.isShared(config.work()));
        MargayServer server = new MargayServer(config, work, onFatal);
        new ServerStart(server, config, inherited).run(progress, () -> reachable.accept(server));
        return server;
    }

    private void requireRunning() {
        if (stopping) {
            throw new StartException("the server is stopping");
        }
    }

    /// What comes last of a start, unless the server was told to stop meanwhile.
    void whileRunning(Runnable open) {
        lock.lock();
        try {
            requireRunning();
            open.run();
            autoDeploy.start();
            started = true;
            announcer.follow(config.register());
        } finally {
            lock.unlock();
        }
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

    /// The ports of [#addresses]; 0 for a Unix socket.
    public List<Integer> ports() {
        return addresses().stream()
                .map(at -> at instanceof InetSocketAddress i ? i.getPort() : 0)
                .toList();
    }

    /// Port of the admin listener; 0 = there is none.
    int adminPort() {
        return admin.port();
    }

    /// What each application that could not be deployed suffers from.
    public List<String> failures() {
        return front.site().failures().stream().map(AppFailure::text).toList();
    }

    /// Whether there is neither an application nor a folder of files.
    public boolean servesNothing() {
        return front.site().isEmpty();
    }

    /// The start-up lines: URL and transport of each listener.
    public List<String> lines() {
        lock.lock();
        try {
            return Stream.concat(listeners.lines().stream(), admin.lines().stream()).toList();
        } finally {
            lock.unlock();
        }
    }

    /// Takes another configuration; requests that run are finished by what they began in, and none
    /// is lost. Workers and the work folder stay as they are.
    ///
    /// @throws StartException when something of it cannot be had; then nothing has changed
    public void reload(MargayConfig next) {
        reload(next, ChangeCause.PROGRAM);
    }

    /// The same, and who asks for it. Applications of a folder that cannot be deployed are left as
    /// they were, as at the start, and so are those that could not be deployed before.
    public void reload(MargayConfig next, ChangeCause cause) {
        try {
            tryReload(next, cause);
            configured.reloaded(null);
        } catch (StartException e) {
            reloadRefused(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /// Notes that a reload has not come so far, because what was read is wrong.
    public void reloadRefused(String why) {
        configured.reloaded(why);
    }

    private void tryReload(MargayConfig next, ChangeCause cause) {
        lock.lock();
        try {
            requireRunning();
            Site before = front.site();
            MargayConfig here = next.withWork(config.work());
            Site after =
                    Site.build(
                            here,
                            before,
                            new AppChange.ToConfiguration(),
                            stoppedApps,
                            context,
                            DeployProgress.NONE);
            List<String> failures =
                    after.failures().stream()
                            .filter(failure -> !AppFiles.isTolerable(failure, before, here))
                            .map(AppFailure::text)
                            .toList();
            if (!failures.isEmpty()) {
                after.retire(before, Duration.ZERO);
                throw new StartException(String.join("\n", failures));
            }
            try {
                listeners.change(config, next);
            } catch (StartException e) {
                after.retire(before, Duration.ZERO);
                throw e;
            }
            putInForce(before, after, next.drain(), cause, () -> {});
            listeners.limits(next.limits().http());
            listeners.retainOnly(next.listeners(), next.drain());
            config = here;
            admin.reopen(here);
            front.slow().from(here.limits().slow());
            keeper.start();
            announcer.follow(here.register());
        } finally {
            lock.unlock();
        }
    }

    private void putInForce(
            Site before, Site after, Duration drain, ChangeCause cause, Runnable afterwards) {
        after.follow(before);
        after.apps().stream()
                .filter(app -> before.app(app.name()) == null)
                .forEach(this::followRetiring);
        front.replace(after);
        ChangeLog.changed(before, after, stoppedApps::contains, cause);
        jmx.follow(config.jmx());
        before.apps().stream().filter(app -> !after.apps().contains(app)).forEach(retiring::add);
        Thread.ofPlatform()
                .name("margay-retire")
                .start(() -> {
                    try {
                        undeployed(before.retire(after, drain));
                    } finally {
                        afterwards.run();
                    }
                });
    }

    /// An application that is started again while its previous instance finishes requests: it takes
    /// over the sessions, which are not in the file yet.
    private void followRetiring(RunningApp app) {
        RunningApp last = null;
        for (RunningApp one : retiring) {
            last = one.name().equals(app.name()) ? one : last;
        }
        if (last != null) {
            app.deployment().webApp().follow(last.deployment().webApp());
        }
    }

    /// Lets go of what stopped applications held, but of files only that no other uses.
    private void undeployed(List<Deployments.Stopped> gone) {
        if (gone.isEmpty()) {
            return;
        }
        dispatcher.renew();
        listeners.renew();
        undeployed.add(gone);
        lock.lock();
        try {
            for (Deployments.Stopped one : gone) {
                retiring.remove(one.app());
                retired.signalAll();
                Deployment deployment = one.app().deployment();
                boolean shared =
                        Stream.concat(front.site().apps().stream(), retiring.stream())
                                .anyMatch(app -> deployment.sharesFilesWith(app.deployment()));
                if (!shared) {
                    deployment.letGoOfFiles(!stopping);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Deploys the named applications anew, or stops them if nothing names them any more. Requests
    /// that run are finished by what they began in, and none is lost; an application that cannot be
    /// deployed stays as it was.
    ///
    /// @return what has failed
    List<AppFailure> change(Set<AppName> names, ChangeCause cause) {
        return change(names, cause, () -> {});
    }

    /// The same; `afterwards` is run when what was replaced has ended its requests and was stopped.
    List<AppFailure> change(Set<AppName> names, ChangeCause cause, Runnable afterwards) {
        lock.lock();
        try {
            requireRunning();
            Site before = front.site();
            AppChange change = new AppChange.Of(names);
            Site after =
                    Site.build(config, before, change, stoppedApps, context, DeployProgress.NONE);
            putInForce(before, after, config.drain(), cause, afterwards);
            return after.failures().stream()
                    .filter(failure ->
                            failure.key() != null && names.contains(failure.key().name()))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /// Forgets that an application could not be deployed lastly: what it was to be deployed from is
    /// no longer there.
    void forgetFailure(AppName name) {
        lock.lock();
        try {
            front.replace(front.site().withoutFailure(name));
        } finally {
            lock.unlock();
        }
    }

    /// Keeps others from changing the server until [#unlock].
    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /// Whether a thread has died without which nothing is served.
    boolean isDead() {
        return listeners.isDead();
    }

    /// Memory for client data.
    MemoryBudget memory() {
        return memory;
    }

    /// Whether requests are taken.
    boolean isServing() {
        return started && !stopping && !leaving && !isDead();
    }

    ListenerSet listeners() {
        return listeners;
    }

    /// Undeployed applications that are still in memory.
    List<ManagedServer.Leak> findLeaks() {
        return undeployed.find();
    }

    /// The active configuration.
    MargayConfig config() {
        return config;
    }

    /// The server as JMX shows it.
    JmxDomain jmx() {
        return jmx;
    }

    /// What is served now.
    public Site site() {
        return front.site();
    }

    /// Notes whether an operator has stopped an application; it takes a [#change].
    void stopped(AppName name, boolean stop) {
        boolean _ = stop ? stoppedApps.add(name) : stoppedApps.remove(name);
    }

    /// Whether an operator has stopped an application.
    boolean isStopped(AppName name) {
        return stoppedApps.contains(name);
    }

    /// Lets another process have the sockets that it listens at; none is closed meanwhile.
    ///
    /// @throws StartException when they cannot be found, or the server is stopping
    public void share(Consumer<List<ListeningSocket>> receiver) {
        lock.lock();
        try {
            requireRunning();
            List<ListeningSocket> sockets = new ArrayList<>(listeners.sockets());
            sockets.addAll(admin.sockets());
            receiver.accept(sockets);
        } catch (IOException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        } finally {
            lock.unlock();
        }
    }

    /// What runs now.
    public List<RunningApp> apps() {
        return front.site().apps();
    }

    /// What the next process goes on with.
    public StateKeeper keeper() {
        return keeper;
    }

    /// The process before has ended, whose sessions are in their files by now.
    public void followed() {
        front.site().apps().forEach(app -> app.deployment().webApp().followed());
    }

    /// Leaves the sockets to another process; [#close] lets end what this one has accepted.
    public void leaveToOther() {
        lock.lock();
        try {
            succeeded = true;
            announcer.leaveToOther();
            keeper.leave();
            autoDeploy.close();
            listeners.leaveToOther();
            admin.leaveToOther();
        } finally {
            lock.unlock();
        }
    }

    /// Accepts no more connections, lets running requests end, stops the applications, which keeps
    /// their sessions, and ends all threads. Waits; a second call waits for the first.
    ///
    /// @param deadline for the running requests; those that exceed it are cut
    public void stop(Duration deadline) {
        boolean first = false;
        lock.lock();
        try {
            if (!stopping) {
                stopping = true;
                first = true;
                end(deadline);
            }
        } finally {
            if (first) {
                stopped.countDown();
            }
            lock.unlock();
        }
        awaitStop();
    }

    private void end(Duration deadline) {
        announcer.leave();
        autoDeploy.close();
        jmx.close();
        front.site().leave(Site.NONE);
        listeners.drain(deadline, succeeded);
        keeper.close();
        front.site().end(ownProcess);
        listeners.close();
        awaitRetired();
        admin.close();
        dispatcher.close();
        context.shared().close();
        front.close();
        work.close();
        LOG.log(started ? Level.INFO : Level.DEBUG, "stopped");
    }

    /// Waits for applications that were stopped just before, so that their sessions are kept, too;
    /// the lock is free meanwhile.
    private void awaitRetired() {
        long left = RETIRE_NANOS_MAX;
        try {
            while (!retiring.isEmpty() && left > 0) {
                left = retired.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Stops with the drain time of the configuration, after its drain delay: meanwhile the server
    /// is not ready, and serves on.
    @Override
    public void close() {
        Duration delay = config.drainDelay();
        if (started && !stopping && !succeeded && !delay.isZero()) {
            leaving = true;
            LOG.log(
                    Level.INFO,
                    "not ready from now on; new connections are accepted for {0} s more",
                    String.valueOf(delay.toSeconds()));
            announcer.drain();
            try {
                boolean _ = awaitStop(delay);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        stop(config.drain());
    }

    /// Opens the access logs anew, after they have been rotated.
    public void reopenLogs() {
        front.site().reopenLogs();
    }

    /// The folder that this server alone works in.
    public Path work() {
        return config.work();
    }

    /// What those who run it are answered.
    public io.margay.app.process.ControlSocket.Answer answer(String word) {
        return ServerReport.answer(word, this, control);
    }

    /// How it does where it registers itself.
    List<RegistrationReading> registrations() {
        return announcer.read();
    }

    /// Where servlets run.
    Dispatcher dispatcher() {
        return dispatcher;
    }

    /// Says where the configuration comes from, and comes from again.
    public void configuredBy(ConfigControl control) {
        configured.by(control);
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
