package io.margay.app.process;

import io.margay.app.config.StartException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// How the commands `reload`, `upgrade`, `stop` and `status` reach a server: a Unix socket in its
/// work folder, which only its user may connect to. A client sends a word and a line end; the
/// answer is a line, `done` or `failed`, and lines for the user. One virtual thread accepts, one
/// answers each client.
public final class ControlSocket implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControlSocket.class.getName());
    private static final String FILE = "control";
    private static final String DONE = "done";
    private static final String FAILED = "failed";

    private final Path file;
    private final ServerSocketChannel socket;
    private final Function<String, Answer> answers;
    private final Semaphore clients = new Semaphore(ControlLimits.defaults().clientsMax());

    /// Whether the file is another process's.
    private volatile boolean left;

    private ControlSocket(Path file, ServerSocketChannel socket, Function<String, Answer> answers) {
        this.file = file;
        this.socket = socket;
        this.answers = answers;
    }

    /// What came of a command.
    ///
    /// @param sent run when the client has been told; the connection is open until it returns
    public record Answer(boolean done, List<String> lines, Runnable sent) {
        public Answer(boolean done, List<String> lines) {
            this(done, lines, () -> {});
        }
    }

    /// Listens in a work folder that no other server has. Where that is impossible, as with a path
    /// beyond what the system takes, the log says so and the server goes on.
    ///
    /// @param answers does what a word asks for, and may wait
    /// @return null when it is impossible
    public static @Nullable ControlSocket open(Path work, Function<String, Answer> answers) {
        Path file = work.resolve(FILE);
        try {
            Files.deleteIfExists(file); // What a server left behind that was killed.
            ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                socket.bind(UnixDomainSocketAddress.of(file));
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
            }
            ControlSocket opened = new ControlSocket(file, socket, answers);
            Runtime.getRuntime().addShutdownHook(new Thread(opened::close, "margay-control-end"));
            Thread.ofVirtual().name("margay-control").start(opened::accept);
            return opened;
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(
                    Level.INFO,
                    "margay reload, upgrade, stop and status cannot reach this server: {0}: {1}",
                    file,
                    e.getMessage());
            return null;
        }
    }

    /// Leaves the file to another process of the same work folder. Who has asked already is
    /// answered.
    public void leave() {
        left = true;
        close();
    }

    private void accept() {
        try {
            while (true) {
                clients.acquireUninterruptibly();
                SocketChannel client = socket.accept();
                Thread.ofVirtual().name("margay-control-client").start(() -> serve(client));
            }
        } catch (ClosedChannelException e) {
            LOG.log(Level.DEBUG, "the server ends");
        } catch (IOException e) {
            LOG.log(Level.WARNING, "margay reload, upgrade, stop and status no longer work", e);
        }
    }

    private void serve(SocketChannel client) {
        try (client;
                BufferedReader in =
                        new BufferedReader(Channels.newReader(client, StandardCharsets.UTF_8))) {
            Answer answer = answers.apply(String.valueOf(in.readLine()));
            List<String> lines = new ArrayList<>(answer.lines());
            lines.addFirst(answer.done() ? DONE : FAILED);
            String text = String.join("\n", lines) + "\n";
            client.write(StandardCharsets.UTF_8.encode(text));
            answer.sent().run();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a client of the control socket has left", e);
        } finally {
            clients.release();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
            if (!left) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the control socket", e);
        }
    }

    // The other side

    /// The work folders in and below a folder in which a server listens.
    public static List<Path> servers(Path folder) {
        List<Path> found = new ArrayList<>();
        try (var below = Files.newDirectoryStream(folder)) {
            for (Path each : below) {
                if (isServed(each)) {
                    found.add(each);
                }
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "no folder of work folders", e);
        }
        if (isServed(folder)) {
            found.add(folder);
        }
        return found;
    }

    /// The work folder of the only server in and below the folder `work` here.
    ///
    /// @throws StartException when there is none, or several are there
    public static Path only() {
        List<Path> found = servers(Path.of("work"));
        if (found.size() == 1) {
            return found.getFirst();
        }
        throw new StartException(
                found.isEmpty()
                        ? "no server runs with a work folder in ./work; say which with --work DIR"
                        : "several servers run here; say which with --work DIR: "
                                + String.join(", ", found.stream().map(Path::toString).toList()));
    }

    private static boolean isServed(Path work) {
        Path file = work.resolve(FILE);
        if (!Files.exists(file)) {
            return false;
        }
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
            return true;
        } catch (IOException e) {
            return false; // Left behind.
        }
    }

    /// Asks the server of a work folder.
    ///
    /// @throws StartException when there is none, or it ends before it has answered
    public static Answer ask(Path work, String word) {
        try (SocketChannel server =
                        SocketChannel.open(UnixDomainSocketAddress.of(work.resolve(FILE)));
                BufferedReader in =
                        new BufferedReader(Channels.newReader(server, StandardCharsets.UTF_8))) {
            server.write(StandardCharsets.UTF_8.encode(word + "\n"));
            List<String> lines = new ArrayList<>(in.lines().toList());
            // Who is asked to stop may be gone before its answer.
            boolean done = lines.isEmpty() || lines.removeFirst().equals(DONE);
            return new Answer(done, lines);
        } catch (IOException | UncheckedIOException e) {
            throw new StartException(
                    "no server answers in the work folder " + work + ": " + e.getMessage(), e);
        }
    }
}
