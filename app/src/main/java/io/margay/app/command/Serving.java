package io.margay.app.command;

import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.console.ConfigControl;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.logging.Logging;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.process.ControlSocket;
import io.margay.app.process.ServiceState;
import io.margay.app.process.Signals;
import io.margay.app.upgrade.Inheritance;
import io.margay.app.upgrade.KeptSessions;
import io.margay.app.upgrade.Predecessor;
import io.margay.app.upgrade.SystemdSockets;
import io.margay.transport.factory.IdleMemory;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A server of the command line: serves until a signal ends it. Run by the main thread; signals
/// arrive on threads of their own.
final class Serving {
    private static final System.Logger LOG = System.getLogger(Serving.class.getName());

    private static final int TOLD_SECONDS_MAX = 2;

    private final PrintStream err;
    private final @Nullable Source source;
    private final AtomicReference<@Nullable MargayServer> server = new AtomicReference<>();

    /// It has no listeners yet, and is looked after by now.
    private final AtomicReference<@Nullable MargayServer> starting = new AtomicReference<>();

    private final AtomicBoolean stopping = new AtomicBoolean();

    /// Whether a command has asked for the stop, and whether one that has was told of it.
    private volatile boolean stopAsked;

    private final CountDownLatch told = new CountDownLatch(1);

    /// SIGHUP and SIGUSR1 wait for it, so that none is lost that comes while the server starts.
    private final CountDownLatch there = new CountDownLatch(1);

    private final ServiceState state = new ServiceState(System.getenv("NOTIFY_SOCKET"));
    private final Upgrade upgrade = new Upgrade(this, state);

    /// Two reloads at once would read and apply in different orders.
    private final ReentrantLock reloading = new ReentrantLock();

    /// What was in force at the start, what is now, and since when.
    private volatile InForce started = new InForce(() -> "", Instant.EPOCH);

    private volatile InForce inForce = started;

    private record InForce(Supplier<String> text, Instant since) {}

    /// @param source what SIGHUP reads again, or null
    Serving(PrintStream err, @Nullable Source source) {
        this.err = err;
        this.source = source;
    }

    /// Where the configuration comes from, and comes from again.
    interface Source {
        /// As messages call it.
        String name();

        /// Whether SIGUSR1 has it read again, too.
        default boolean isRestartedGracefully() {
            return false;
        }

        /// Reads it.
        ///
        /// @param problems receives what is wrong; then the result is not used
        MargayConfig read(List<String> problems);

        /// Whether [#text] is that of one file.
        default boolean isOneFile() {
            return false;
        }

        /// What was read last, in the form of `margay.yaml`.
        ///
        /// @param read what it was made to
        default Supplier<String> text(MargayConfig read) {
            return () -> ConfigWriter.write(read);
        }

        /// Options of the command line that say something else.
        default List<String> commandLine() {
            return List.of();
        }
    }

    /// Serves; returns the exit code when a signal has ended it.
    ///
    /// @param ready run once requests are answered
    int serve(MargayConfig config, Runnable ready) {
        return serve(config, _ -> ready.run());
    }

    /// The same.
    ///
    /// @param ready is given the server once requests are answered
    int serve(MargayConfig config, Consumer<MargayServer> ready) {
        FutureTask<Boolean> signals = new FutureTask<>(this::listen);
        Thread.ofPlatform().name("margay-signals").daemon().start(signals);
        Predecessor before = Predecessor.find(System.getenv());
        MargayServer started;
        try {
            started = start(config, before, signals);
        } catch (StartException e) {
            if (stopping.get()) {
                return ExitCode.DONE; // As it was told.
            }
            throw e;
        }
        if (before != null) {
            takeCommands(started); // Which the other process has taken until now.
            before.ready(started::followed);
            started.keeper().takeOver(before);
        }
        upgrade.serve(started);
        ready.accept(started);
        state.ready();
        there.countDown();
        await(started);
        awaitTold();
        return ExitCode.DONE;
    }

    /// Waits for the stop; meanwhile memory that an idle process does not need goes back to the
    /// system.
    private static void await(MargayServer started) {
        IdleMemory memory = IdleMemory.ofProcess();
        try {
            @Nullable Duration next = IdleMemory.SOON;
            while (next != null && !started.awaitStop(next)) {
                next = memory.look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        started.awaitStop();
    }

    /// Whoever asked for the stop is told first what came of it.
    private void awaitTold() {
        try {
            boolean _ = !stopAsked || told.await(TOLD_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private MargayServer start(
            MargayConfig config, @Nullable Predecessor before, FutureTask<Boolean> signals) {
        long pid = ProcessHandle.current().pid();
        Inheritance inherited =
                before == null
                        ? Inheritance.of(SystemdSockets.of(System.getenv(), pid))
                        : before.inheritance();
        try {
            return Startup.start(
                    config,
                    inherited,
                    err,
                    it -> {
                        starting.set(it);
                        if (before == null) {
                            takeCommands(it);
                        }
                    },
                    it -> ready(it, config, signals));
        } catch (StartException e) {
            if (before != null) {
                before.failed(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    private void takeCommands(MargayServer started) {
        upgrade.control(ControlSocket.open(started.work(), this::command));
    }

    /// Listens for signals, beside the deployment: it takes the time of loading some classes.
    private boolean listen() {
        boolean heard = Signals.on("TERM", this::stop);
        Signals.on("INT", this::stop);
        Signals.on(
                "HUP",
                afterStart(() -> {
                    String _ = reload(new ChangeCause("by SIGHUP"));
                }));
        Signals.on("USR1", afterStart(this::reopen));
        if (System.getenv("_JAVA_SR_SIGNUM") != null) { // Otherwise SIGUSR2 is the JVM's own.
            Signals.on("USR2", () -> upgrade.later("by SIGUSR2"));
        }
        return heard;
    }

    private Runnable afterStart(Runnable action) {
        return () -> {
            try {
                there.await();
                action.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /// From now on a signal finds a server.
    private void ready(MargayServer started, MargayConfig config, FutureTask<Boolean> signals) {
        Source from = source;
        if (from != null) {
            this.started = new InForce(from.text(config), Instant.now());
            inForce = this.started;
            started.configuredBy(new Control(from));
        }
        server.set(started); // From now on it can be reloaded.
        boolean heard;
        try {
            heard = signals.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        if (!heard) {
            Runtime.getRuntime().addShutdownHook(new Thread(started::close, "margay-shutdown"));
        }
    }

    /// The first signal drains, the second does not wait.
    private void stop() {
        MargayServer running = server.get() == null ? starting.get() : server.get();
        if (upgrade.isFirstStopOfOld()) {
            err.println("margay: running requests are finished; another process serves");
        } else if (!stopping.compareAndSet(false, true)) {
            Runtime.getRuntime().halt(ExitCode.FAILED);
        } else if (running == null) {
            Runtime.getRuntime().halt(ExitCode.DONE); // Nothing was served yet.
        } else {
            err.println("margay: stopping; a second signal does not wait for running requests");
            state.stopping();
            upgrade.abandon();
            Thread.ofPlatform().name("margay-drain").start(running::close);
        }
    }

    /// Opens the access logs anew, and does what else a graceful restart of httpd's does.
    private void reopen() {
        MargayServer running = server.get();
        if (running != null) {
            running.reopenLogs();
            LOG.log(Level.INFO, "SIGUSR1: the access logs are reopened");
            if (source != null && source.isRestartedGracefully()) {
                String _ = reload(new ChangeCause("by SIGUSR1"));
            }
        }
    }

    /// What the commands of another process ask for.
    private ControlSocket.Answer command(String word) {
        MargayServer running = Objects.requireNonNull(starting.get());
        return switch (word) {
            case "reload" -> {
                String failure = reload(new ChangeCause("by margay reload"));
                yield failure == null
                        ? new ControlSocket.Answer(true, List.of())
                        : new ControlSocket.Answer(false, failure.lines().toList());
            }
            case "upgrade" -> upgrade.now("by margay upgrade");
            case "stop" -> {
                stopAsked = true;
                if (stopping.compareAndSet(false, true)) {
                    err.println("margay: stopping, as margay stop asks for");
                    state.stopping();
                    upgrade.abandon();
                    Thread.ofPlatform().name("margay-drain").start(running::close);
                }
                running.awaitStop();
                yield new ControlSocket.Answer(
                        true, KeptSessions.of(running.apps()), this::awaitEnd);
            }
            default -> running.answer(word);
        };
    }

    /// Has the server of another command take over, now, or at a later upgrade.
    ///
    /// @param words of the command
    /// @param from which server it takes sessions
    void leaveTo(List<String> words, MargayServer from) {
        upgrade.next(words, from);
        ControlSocket.Answer _ = upgrade.now("as --then says");
    }

    /// Waits for the end of the process, by which whoever asked for it learns of it.
    private void awaitEnd() {
        told.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Has `task` run while nothing is reloaded.
    <T> T withoutReload(Supplier<T> task) {
        reloading.lock();
        try {
            return task.get();
        } finally {
            reloading.unlock();
        }
    }

    /// Another process serves: finishes what has begun, then ends.
    void end(MargayServer running) {
        stopping.set(true);
        Thread.ofPlatform().name("margay-drain").start(running::close);
    }

    /// Reads the source again: a wrong one changes nothing.
    ///
    /// @return what is wrong; null when it is active
    @Nullable String reload(ChangeCause cause) {
        MargayServer running = server.get();
        Source from = source;
        if (from == null) {
            LOG.log(Level.INFO, "reload {0}: there is no configuration file to read again", cause);
            return "there is no configuration file to read again";
        }
        if (running == null) {
            return "the server is starting";
        }
        reloading.lock();
        state.reloading();
        try {
            List<String> problems = new ArrayList<>();
            MargayConfig next = from.read(problems);
            if (!problems.isEmpty()) {
                problems.forEach(problem -> Logging.failure(err, problem));
                LOG.log(Level.ERROR, "{0} has errors: nothing was changed", from.name());
                running.reloadRefused(String.join("\n", problems));
                return String.join("\n", problems);
            }
            running.reload(next, cause);
            inForce = new InForce(from.text(next), Instant.now());
            LOG.log(Level.INFO, "{0} was read again and is active, {1}", from.name(), cause);
            return null;
        } catch (StartException e) {
            LOG.log(Level.ERROR, "nothing was changed: {0}", e.getMessage());
            return String.valueOf(e.getMessage());
        } finally {
            state.ready();
            reloading.unlock();
        }
    }

    /// What the console asks for.
    private final class Control implements ConfigControl {
        private final Source from;

        Control(Source from) {
            this.from = from;
        }

        @Override
        public String name() {
            return from.name();
        }

        @Override
        public List<String> check() {
            return next().problems();
        }

        @Override
        public Said started() {
            InForce first = started;
            return said(first.text, first.since, List.of());
        }

        @Override
        public Said inForce() {
            InForce now = inForce;
            return said(now.text, now.since, List.of());
        }

        @Override
        public Said next() {
            return withoutReload(() -> {
                List<String> problems = new ArrayList<>();
                MargayConfig read = MargayConfig.defaults();
                try {
                    read = from.read(problems);
                } catch (StartException e) {
                    problems.add(String.valueOf(e.getMessage()));
                }
                boolean whole = problems.isEmpty() || from.isOneFile();
                return said(whole ? from.text(read) : () -> "", Instant.now(), problems);
            });
        }

        private Said said(Supplier<String> text, Instant at, List<String> problems) {
            return new Said(text.get(), at, from.isOneFile(), from.commandLine(), problems);
        }

        @Override
        public @Nullable String reload(String by) {
            return Serving.this.reload(new ChangeCause(by));
        }
    }
}
