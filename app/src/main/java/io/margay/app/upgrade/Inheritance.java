package io.margay.app.upgrade;

import io.margay.app.deploy.RunningApp;
import io.margay.transport.ListenerConfig;
import io.margay.transport.handover.DatagramSockets;
import io.margay.transport.handover.ListeningSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a server has at its start from others: sockets that listen already, and the work folder of
/// a server that is about to end. Confined to the thread that starts the server.
public final class Inheritance {
    private static final System.Logger LOG = System.getLogger(Inheritance.class.getName());

    private final List<ListeningSocket> sockets;
    private final Map<Integer, DatagramSockets> datagrams = new HashMap<>();
    private final @Nullable Path work;
    private final @Nullable Predecessor before;

    private Inheritance(
            List<ListeningSocket> sockets, @Nullable Path work, @Nullable Predecessor before) {
        this.sockets = new ArrayList<>(sockets);
        this.work = work;
        this.before = before;
    }

    /// Nothing: every socket is opened, and the work folder is nobody's.
    public static Inheritance none() {
        return new Inheritance(List.of(), null, null);
    }

    /// The sockets of a service manager.
    public static Inheritance of(List<ListeningSocket> sockets) {
        return new Inheritance(sockets, null, null);
    }

    /// What the server before has handed over.
    ///
    /// @param work its work folder, which it still uses
    static Inheritance of(List<ListeningSocket> sockets, Path work, Predecessor before) {
        return new Inheritance(sockets, work, before);
    }

    /// Whether the server before still uses a work folder.
    public boolean isShared(Path folder) {
        return work != null && folder.toAbsolutePath().normalize().equals(work);
    }

    /// The socket that a listener of the server before had under this name, or else one that
    /// listens at the address; it is the caller's.
    ///
    /// @return its descriptor, or [ListenerConfig#NO_DESCRIPTOR]
    public int take(String name, SocketAddress address) {
        for (ListeningSocket socket : sockets) {
            if (socket.name().equals(name)) {
                return taken(socket);
            }
        }
        for (ListeningSocket socket : sockets) {
            if (socket.isAt(address)) {
                return taken(socket);
            }
        }
        return ListenerConfig.NO_DESCRIPTOR;
    }

    private int taken(ListeningSocket socket) {
        sockets.remove(socket);
        DatagramSockets more = socket.datagrams();
        if (more != null) {
            datagrams.put(socket.descriptor(), more);
        }
        return socket.descriptor();
    }

    /// The sockets of UDP at the address of one that was taken, which are the caller's; null when
    /// there are none.
    public @Nullable DatagramSockets datagrams(int descriptor) {
        return datagrams.remove(descriptor);
    }

    /// Runs what is to be done when the server before receives no more datagrams.
    public void whenAlone(Runnable step) {
        if (before == null) {
            step.run();
        } else {
            before.whenAlone(step);
        }
    }

    /// Has applications take over the sessions that they have in the server before, each when it is
    /// asked for.
    public void follow(List<RunningApp> apps) {
        Predecessor from = before;
        if (from != null) {
            for (RunningApp app : apps) {
                app.deployment().webApp().follow(from.sessions(SessionQuestions.key(app.name())));
            }
        }
    }

    /// Has a site go on with what the process before knows, or has left in the work folder.
    ///
    /// @return whether that process has told it: then nobody has to be waited for
    public boolean restore(StateKeeper keeper) {
        Predecessor from = before;
        if (from != null && from.handsState()) {
            from.restore(keeper.states());
            return true;
        }
        keeper.restore();
        return false;
    }

    /// Whether another process serves until this one does.
    public boolean hasPredecessor() {
        return before != null;
    }

    /// Closes what no listener has taken.
    public void closeRest() {
        sockets.stream().map(ListeningSocket::datagrams).forEach(Inheritance::close);
        datagrams.values().forEach(Inheritance::close);
        datagrams.clear();
        for (ListeningSocket socket : sockets) {
            try {
                socket.close();
                LOG.log(
                        Level.WARNING,
                        "no listener of the configuration takes the socket {0} at {1}",
                        socket.name(),
                        socket.address());
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "closing a socket", e);
            }
        }
        sockets.clear();
    }

    private static void close(@Nullable DatagramSockets unused) {
        try {
            if (unused != null) {
                unused.close();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing sockets of UDP", e);
        }
    }
}
