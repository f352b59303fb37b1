package io.margay.app.command;

import io.margay.app.MargayServer;
import io.margay.app.config.StartException;
import io.margay.app.process.ControlSocket;
import io.margay.app.process.ServiceState;
import io.margay.app.upgrade.KeptSessions;
import io.margay.app.upgrade.PidFile;
import io.margay.app.upgrade.Questions;
import io.margay.app.upgrade.Successor;
import io.margay.app.upgrade.UpgradeException;
import io.margay.transport.handover.HandoverLimits;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// How another process takes over from this one: it is started, given the sockets, and waited for;
/// then this one finishes its requests and ends. Thread-safe; one upgrade at a time.
final class Upgrade {
    private static final System.Logger LOG = System.getLogger(Upgrade.class.getName());

    private final Serving serving;
    private final ServiceState state;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile @Nullable MargayServer server;
    private volatile @Nullable ControlSocket control;
    private volatile @Nullable Successor successor;

    private volatile @Nullable Other other;

    /// A server of another command that takes over.
    ///
    /// @param words of the command
    /// @param from which server it takes sessions
    private record Other(List<String> words, MargayServer from) {}

    /// Another process serves, and no signal has come since.
    private final AtomicBoolean succeeded = new AtomicBoolean();

    Upgrade(Serving serving, ServiceState state) {
        this.serving = serving;
        this.state = state;
    }

    /// By what the commands of other processes come.
    void control(@Nullable ControlSocket socket) {
        control = socket;
    }

    /// From now on there is something to take over.
    void serve(MargayServer running) {
        server = running;
    }

    /// From now on another command takes over.
    ///
    /// @param words of the command
    /// @param from which server it takes sessions
    void next(List<String> words, MargayServer from) {
        other = new Other(List.copyOf(words), from);
    }

    /// Begins an upgrade on a thread of its own.
    void later(String cause) {
        Thread.ofPlatform()
                .name("margay-upgrade")
                .start(() -> {
                    ControlSocket.Answer _ = now(cause);
                });
    }

    /// Upgrades; returns when the other process serves, or does not.
    ControlSocket.Answer now(String cause) {
        MargayServer running = server;
        if (running == null || !busy.compareAndSet(false, true)) {
            return failed(running == null ? "the server is starting" : "an upgrade is in progress");
        }
        LOG.log(Level.INFO, "starting the process that is to take over, {0}", cause);
        try {
            return serving.withoutReload(() -> upgrade(running));
        } catch (UpgradeException | StartException e) {
            LOG.log(Level.ERROR, "this process serves on: {0}", e.getMessage());
            return failed(String.valueOf(e.getMessage()));
        } finally {
            successor = null;
            busy.set(succeeded.get());
        }
    }

    private ControlSocket.Answer upgrade(MargayServer running) {
        Other command = other;
        List<String> words = command == null ? List.of() : command.words;
        MargayServer from = command == null ? running : command.from;
        Successor next =
                Successor.start(
                        from.work(), HandoverLimits.defaults(), words, one -> successor = one);
        running.share(next::give);
        Questions questions = new Questions(from::apps, from.keeper()::states);
        next.awaitReady(questions);
        running.leaveToOther();
        succeeded.set(true);
        ControlSocket socket = control;
        if (socket != null) {
            socket.leave();
        }
        PidFile.succeededBy(next.pid());
        state.succeededBy(next.pid());
        next.go(questions);
        String line = "process " + next.pid() + " serves; this one finishes its requests";
        LOG.log(Level.INFO, line);
        serving.end(running);
        List<String> lines = new ArrayList<>(List.of(line));
        lines.addAll(KeptSessions.leaving(from.apps()));
        return new ControlSocket.Answer(true, lines);
    }

    private static ControlSocket.Answer failed(String why) {
        return new ControlSocket.Answer(false, why.lines().toList());
    }

    /// The server stops: a process that is about to take over is not wanted any more.
    void abandon() {
        Successor next = successor;
        if (next != null && !succeeded.get()) {
            next.abandon();
        }
    }

    /// Whether this is the first signal to stop since another process serves: this one stops by
    /// itself.
    boolean isFirstStopOfOld() {
        return succeeded.compareAndSet(true, false);
    }
}
