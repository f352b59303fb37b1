package io.margay.app.command;

import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.deploy.ChangeCause;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A server of the command line: serves until a signal ends it. Run by the main thread; signals
/// arrive on threads of their own.
final class Serving {
    private static final System.Logger LOG = System.getLogger(Serving.class.getName());

    private final PrintStream err;
    private final @Nullable Source source;
    private final AtomicReference<@Nullable MargayServer> server = new AtomicReference<>();
    private final AtomicBoolean stopping = new AtomicBoolean();

    /// @param source what SIGHUP reads again, or null
    Serving(PrintStream err, @Nullable Source source) {
        this.err = err;
        this.source = source;
    }

    /// Where the configuration comes from, and comes from again.
    interface Source {
        /// As messages call it.
        String name();

        /// Reads it.
        ///
        /// @param problems receives what is wrong; then the result is not used
        MargayConfig read(List<String> problems);
    }

    /// Serves; returns the exit code when a signal has ended it.
    ///
    /// @param ready run once requests are answered
    int serve(MargayConfig config, Runnable ready) {
        FutureTask<Boolean> signals = new FutureTask<>(this::listen);
        Thread.ofPlatform().name("margay-signals").daemon().start(signals);
        MargayServer started = Startup.start(config, err, it -> ready(it, signals));
        ready.run();
        started.awaitStop();
        return ExitCode.DONE;
    }

    /// Listens for signals, beside the deployment: it takes the time of loading some classes.
    private boolean listen() {
        boolean heard = Signals.on("TERM", this::stop);
        Signals.on("INT", this::stop);
        Signals.on("HUP", () -> reload(new ChangeCause("by SIGHUP")));
        return heard;
    }

    /// From now on a signal finds a server.
    private void ready(MargayServer started, FutureTask<Boolean> signals) {
        server.set(started);
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
        MargayServer running = server.get();
        if (!stopping.compareAndSet(false, true)) {
            Runtime.getRuntime().halt(ExitCode.FAILED);
        } else if (running == null) {
            Runtime.getRuntime().halt(ExitCode.DONE); // Nothing was served yet.
        } else {
            err.println("margay: stopping; a second signal does not wait for running requests");
            Thread.ofPlatform().name("margay-drain").start(running::close);
        }
    }

    /// Reads the source again: a wrong one changes nothing.
    void reload(ChangeCause cause) {
        MargayServer running = server.get();
        Source from = source;
        if (from == null) {
            LOG.log(Level.INFO, "SIGHUP: there is no configuration file to read again");
            return;
        }
        if (running == null) {
            return;
        }
        try {
            List<String> problems = new ArrayList<>();
            MargayConfig next = from.read(problems);
            if (!problems.isEmpty()) {
                problems.forEach(problem -> err.println("margay: " + problem));
                LOG.log(Level.ERROR, "{0} has errors: nothing was changed", from.name());
                return;
            }
            running.reload(next, cause);
            LOG.log(Level.INFO, "{0} was read again and is in force", from.name());
        } catch (StartException e) {
            LOG.log(Level.ERROR, "nothing was changed: {0}", e.getMessage());
        }
    }
}
