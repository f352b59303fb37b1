package io.margay.app.upgrade;

import io.margay.transport.handover.DatagramSockets;
import io.margay.transport.handover.HandoverChannel;
import io.margay.transport.handover.HandoverChannel.Message;
import io.margay.transport.handover.HandoverEndException;
import io.margay.transport.handover.HandoverLimits;
import io.margay.transport.handover.HandoverListener;
import io.margay.transport.handover.ListeningSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The process that is to take over from this one: started with the same command, or another, it
/// connects to a Unix socket in the work folder, is given the listening sockets, and says when it
/// serves. Until then this process serves on, whatever becomes of the other. Used by one thread,
/// but for [#abandon].
public final class Successor {
    private static final System.Logger LOG = System.getLogger(Successor.class.getName());

    /// How often it is looked whether the new process is still alive before it has connected.
    private static final Duration LOOK = Duration.ofMillis(500);

    private final HandoverLimits limits;
    private final Process process;
    private volatile boolean abandoned;
    private @Nullable HandoverChannel channel;

    private Successor(HandoverLimits limits, Process process) {
        this.limits = limits;
        this.process = process;
    }

    /// Starts the process, and waits until it has connected.
    ///
    /// @param work the work folder of this process
    /// @param words of its command; empty = those of this process
    /// @param started is given the process before it is waited for
    /// @throws UpgradeException when it does not come to that; it has ended then
    public static Successor start(
            Path work, HandoverLimits limits, List<String> words, Consumer<Successor> started) {
        HandoverListener.obstacle()
                .ifPresent(why -> {
                    throw new UpgradeException(why);
                });
        if (ProcessHandle.current().pid() == 1) {
            throw new UpgradeException(
                    "this is process 1 of its container, which ends with it; start another"
                            + " container instead");
        }
        Path folder = work.toAbsolutePath().normalize();
        Path file = folder.resolve(Predecessor.FILE);
        try (HandoverListener listener = HandoverListener.open(file, limits)) {
            ProcessBuilder builder = new ProcessBuilder(NewProcess.command(words)).inheritIO();
            builder.environment().put(Predecessor.VARIABLE, file.toString());
            Process process = builder.start();
            Successor made = new Successor(limits, process);
            started.accept(made);
            made.talk(() -> {
                HandoverChannel met = made.connection(listener);
                made.channel = met;
                met.patience(limits.startTimeout());
                met.send(text(Predecessor.WORK + folder));
            });
            return made;
        } catch (IOException e) {
            throw new UpgradeException(String.valueOf(e.getMessage()), e);
        }
    }

    /// A part of the conversation.
    @FunctionalInterface
    private interface Part {
        void run() throws IOException;
    }

    /// Whatever goes wrong ends the new process.
    private void talk(Part part) {
        try {
            part.run();
        } catch (HandoverEndException e) {
            String ended = ended();
            abandon();
            throw new UpgradeException(ended, e);
        } catch (IOException e) {
            abandon();
            throw new UpgradeException(String.valueOf(e.getMessage()), e);
        } catch (UpgradeException e) {
            abandon();
            throw e;
        }
    }

    private HandoverChannel channel() {
        return Objects.requireNonNull(channel, "not connected");
    }

    /// Gives it the listening sockets, which stay open here.
    ///
    /// @throws UpgradeException as [#start]
    public void give(List<ListeningSocket> sockets) {
        try {
            talk(() -> giveAll(sockets));
        } finally {
            sockets.forEach(Successor::closeLink);
        }
    }

    private void giveAll(List<ListeningSocket> sockets) throws IOException {
        for (ListeningSocket socket : sockets) {
            byte[] name = (Predecessor.SOCKET + socket.name()).getBytes(StandardCharsets.UTF_8);
            channel().send(new Message(name, socket.descriptor()));
            DatagramSockets more = socket.datagrams();
            if (more != null) {
                give(more);
            }
        }
        channel().send(text(Predecessor.STATE));
        channel().send(text(Predecessor.START));
    }

    /// The other end of the link is the new process's alone: its end is the end of the link.
    private static void closeLink(ListeningSocket of) {
        try {
            DatagramSockets more = of.datagrams();
            if (more != null) {
                more.closeLink();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing a link", e);
        }
    }

    /// Those of UDP, after the socket at whose address they are.
    private void give(DatagramSockets sockets) throws IOException {
        String state = HexFormat.of().formatHex(sockets.state());
        String text = Predecessor.DATAGRAMS + sockets.descriptors().size() + " " + state;
        channel().send(new Message(text.getBytes(StandardCharsets.UTF_8), sockets.link()));
        for (int descriptor : sockets.descriptors()) {
            channel().send(new Message(new byte[0], descriptor));
        }
    }

    /// Waits until it serves, too, and answers what it asks for meanwhile.
    ///
    /// @param questions of this process
    /// @throws UpgradeException as [#start]; also with what the new process says of itself
    public void awaitReady(Questions questions) {
        talk(() -> {
            while (true) {
                String said = text(channel().receive());
                Message answer = questions.answer(said);
                if (answer != null) {
                    channel().send(answer);
                } else if (said.equals(Predecessor.READY)) {
                    return;
                } else if (said.startsWith(Predecessor.FAILED)) {
                    throw new UpgradeException(said.substring(Predecessor.FAILED.length()));
                }
            }
        });
    }

    /// Tells the new process that it serves alone from now on, and answers what it asks for until
    /// this process ends, on a thread of its own.
    public void go(Questions questions) {
        Thread.ofPlatform()
                .name("margay-successor")
                .daemon()
                .start(() -> {
                    try {
                        channel().patience(Duration.ZERO);
                        channel().send(text(Predecessor.GO));
                        while (true) {
                            Message answer = questions.answer(text(channel().receive()));
                            channel().send(answer == null ? text("") : answer);
                        }
                    } catch (IOException e) {
                        LOG.log(
                                Level.DEBUG,
                                "the new process no longer responds: {0}",
                                e.getMessage());
                    }
                });
    }

    private HandoverChannel connection(HandoverListener listener) throws IOException {
        long end = System.nanoTime() + limits.startTimeout().toNanos();
        while (System.nanoTime() - end < 0) {
            HandoverChannel met = listener.accept(LOOK);
            if (met != null && isOurs(met.peer())) {
                return met;
            } else if (met != null) {
                met.close(); // Another program of the same user.
            }
            if (!process.isAlive()) {
                throw new UpgradeException(ended());
            }
        }
        throw new UpgradeException(
                "the new process did not start within "
                        + limits.startTimeout().toMinutes()
                        + " min");
    }

    /// Whether a process is the one that was started, or was started by that.
    private boolean isOurs(long pid) {
        Optional<ProcessHandle> one = ProcessHandle.of(pid);
        while (one.isPresent() && one.get().pid() != process.pid()) {
            one = one.get().parent();
        }
        return one.isPresent();
    }

    private String ended() {
        try {
            boolean over = process.waitFor(LOOK.toMillis() * 10, TimeUnit.MILLISECONDS);
            return abandoned
                    ? "this process was stopped meanwhile"
                    : over
                            ? "the new process ended with exit code "
                                    + process.exitValue()
                                    + "; the log of this server says why"
                            : "the new process has closed its connection";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /// The process.
    public long pid() {
        return process.pid();
    }

    /// Ends the new process; this one has the sockets alone. Any thread.
    public void abandon() {
        abandoned = true;
        process.destroy();
    }

    static Message text(String text) {
        return new Message(text.getBytes(StandardCharsets.UTF_8), Message.NONE);
    }

    static String text(Message message) {
        return new String(message.body(), StandardCharsets.UTF_8);
    }
}
