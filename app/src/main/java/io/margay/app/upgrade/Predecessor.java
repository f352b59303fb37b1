package io.margay.app.upgrade;

import io.margay.app.config.StartException;
import io.margay.server.handover.StateSection;
import io.margay.server.handover.TravellingState;
import io.margay.servlet.session.SessionStore;
import io.margay.transport.handover.DatagramSockets;
import io.margay.transport.handover.HandoverChannel;
import io.margay.transport.handover.HandoverChannel.Message;
import io.margay.transport.handover.HandoverLimits;
import io.margay.transport.handover.ListeningSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The process that has started this one to take over from it, and serves until this one does. Made
/// by one thread; questions may come from any, one after the other.
public final class Predecessor {
    /// Names the Unix socket of the process before.
    static final String VARIABLE = "MARGAY_UPGRADE";

    /// The socket's name in the work folder.
    static final String FILE = "upgrade";

    static final String WORK = "work ";
    static final String SOCKET = "socket ";
    static final String DATAGRAMS = "datagrams ";
    static final String STATE = "state";
    static final String START = "start";
    static final String READY = "ready";
    static final String FAILED = "failed ";
    static final String GO = "go";

    /// How often it is asked what changes while it drains.
    private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();

    private static final int ROUNDS_APART = 10;

    private static final System.Logger LOG = System.getLogger(Predecessor.class.getName());

    private final HandoverChannel channel;
    private final List<ListeningSocket> sockets = new ArrayList<>();
    private final List<Runnable> whenAlone = new ArrayList<>();
    private Path work = Path.of("");
    private boolean handsState;

    /// One question at a time; guards `broken`, too.
    private final ReentrantLock asking = new ReentrantLock();

    /// An answer has not come, so that none can be told from another.
    private boolean broken;

    private Predecessor(HandoverChannel channel) {
        this.channel = channel;
    }

    /// The process that the environment leads to; null when none has started this one.
    ///
    /// @throws StartException when it is no longer there
    public static @Nullable Predecessor find(Map<String, String> environment) {
        String file = environment.get(VARIABLE);
        if (file == null || file.isEmpty()) {
            return null;
        }
        HandoverLimits limits = HandoverLimits.defaults();
        try {
            HandoverChannel channel = HandoverChannel.connect(Path.of(file), limits);
            channel.patience(limits.answerTimeout());
            Predecessor before = new Predecessor(channel);
            before.receive(limits);
            return before;
        } catch (IOException e) {
            throw new StartException(
                    "nothing can be taken over from the process that "
                            + VARIABLE
                            + " names: "
                            + e.getMessage(),
                    e);
        }
    }

    private void receive(HandoverLimits limits) throws IOException {
        while (sockets.size() <= limits.socketsMax()) {
            Message message = channel.receive();
            String text = Successor.text(message);
            if (text.equals(START)) {
                return;
            } else if (text.equals(STATE)) {
                handsState = true;
            } else if (text.startsWith(WORK)) {
                work = Path.of(text.substring(WORK.length()));
            } else if (text.startsWith(SOCKET) && message.descriptor() != Message.NONE) {
                sockets.add(
                        ListeningSocket.given(
                                text.substring(SOCKET.length()), message.descriptor()));
            } else if (text.startsWith(DATAGRAMS) && message.descriptor() != Message.NONE) {
                String words = text.substring(DATAGRAMS.length());
                sockets.addLast(
                        sockets.removeLast().with(datagrams(words, message.descriptor(), limits)));
            }
        }
        throw new IOException("more than " + limits.socketsMax() + " sockets");
    }

    /// Those of UDP of the socket before.
    ///
    /// @param words how many there are, and what the process tells of itself
    private DatagramSockets datagrams(String words, int link, HandoverLimits limits)
            throws IOException {
        String[] parts = words.split(" ", 2);
        int count = Integer.parseInt(parts[0]);
        List<Integer> descriptors = new ArrayList<>();
        while (descriptors.size() < Math.min(count, limits.socketsMax())) {
            descriptors.add(channel.receive().descriptor());
        }
        return new DatagramSockets(descriptors, link, HexFormat.of().parseHex(parts[1]));
    }

    /// Has something done when that process receives no more datagrams.
    void whenAlone(Runnable step) {
        whenAlone.add(step);
    }

    /// What it hands over.
    public Inheritance inheritance() {
        return Inheritance.of(sockets, work, this);
    }

    /// Whether it tells what it knows beside sessions.
    boolean handsState() {
        return handsState;
    }

    /// Has holders take over their states from it.
    void restore(List<TravellingState> states) {
        for (TravellingState each : handsState ? states : List.<TravellingState>of()) {
            try {
                restore(each);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "{0}: {1}", each.name(), e.getMessage());
                return;
            }
        }
    }

    private void restore(TravellingState one) throws IOException {
        byte[] answer = ask(StateQuestions.STATE + one.name());
        if (answer.length > 0 && answer[0] == StateQuestions.GIVEN) {
            byte[] section = Arrays.copyOfRange(answer, 1, answer.length);
            boolean _ = StateSection.restore(one, section, Duration.ZERO);
        }
    }

    /// Has states follow what changes in it until it ends, or does not answer; on a thread of its
    /// own.
    ///
    /// @param live those of the site in force
    void watch(Supplier<List<TravellingState>> live) {
        if (handsState) {
            Thread _ = Thread.ofVirtual().name("margay-before").start(() -> follow(live));
        }
    }

    private void follow(Supplier<List<TravellingState>> live) {
        try {
            while (true) {
                long begun = System.nanoTime();
                for (TravellingState each : live.get()) {
                    restore(each);
                }
                // Many states take a tenth of the time of both processes at most.
                long took = System.nanoTime() - begun;
                LockSupport.parkNanos(this, Math.max(LOOK_NANOS, ROUNDS_APART * took));
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the process before has ended: {0}", e.getMessage());
        } finally {
            live.get().forEach(TravellingState::ended);
        }
    }

    private byte[] ask(String question) throws IOException {
        asking.lock();
        try {
            if (broken) {
                throw new IOException("the process before does not answer");
            }
            broken = true;
            channel.send(Successor.text(question));
            byte[] answer = channel.receive().body();
            broken = false;
            return answer;
        } finally {
            asking.unlock();
        }
    }

    /// The sessions that an application has there.
    SessionStore.Elsewhere sessions(String app) {
        return new SessionStore.Elsewhere() {
            @Override
            public Predicate<String> known() {
                try {
                    return KnownSessions.read(ask(SessionQuestions.KNOWN + app));
                } catch (IOException e) {
                    LOG.log(Level.WARNING, "sessions of {0}: {1}", app, e.getMessage());
                    return _ -> false;
                }
            }

            @Override
            public byte @Nullable [] take(String id) throws IOException {
                byte[] answer = ask(SessionQuestions.SESSION + app + "\n" + id);
                return switch (answer.length == 0 ? SessionQuestions.OVER : answer[0]) {
                    case SessionQuestions.NONE -> null;
                    case SessionQuestions.GIVEN -> Arrays.copyOfRange(answer, 1, answer.length);
                    default -> throw new IOException("the process before ends");
                };
            }
        };
    }

    /// Says that this process serves, and waits until the other accepts no more connections; where
    /// that has ended meanwhile, this one serves on alone.
    ///
    /// @param ended run once the other process has ended, on another thread
    public void ready(Runnable ended) {
        try {
            Optional<ProcessHandle> process = ProcessHandle.of(channel.peer());
            if (process.isPresent()) {
                CompletableFuture<Void> _ = process.get().onExit().thenRun(ended);
            }
            byte[] _ = ask(READY);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the process before: {0}", e.getMessage());
        } finally {
            whenAlone.forEach(Runnable::run);
        }
    }

    /// Says why this process does not serve, where it has come to nothing before it has met the one
    /// before: a configuration is wrong.
    public static void failed(Map<String, String> environment, String why) {
        String file = environment.get(VARIABLE);
        if (file != null && Files.exists(Path.of(file))) {
            try {
                Predecessor before = find(environment);
                if (before != null) {
                    before.failed(why);
                }
            } catch (StartException e) {
                LOG.log(Level.DEBUG, "the process before has gone: {0}", e.getMessage());
            }
        }
    }

    /// Says why this process does not serve.
    public void failed(String why) {
        try {
            channel.send(Successor.text(FAILED + why));
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the process before has gone: {0}", e.getMessage());
        }
    }
}
