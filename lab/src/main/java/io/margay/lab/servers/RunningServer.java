package io.margay.lab.servers;

import io.margay.lab.machine.ProcessSample;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A server and its back ends while they run. Confined to one thread, but for [#close], which is
/// thread-safe.
public final class RunningServer implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofSeconds(90);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    private static final long POLL_NANOS = 10_000_000L;
    private static final int CONNECT_MILLIS = 500;
    private static final int LOG_LINES = 12;

    private record Child(String tier, Process process, Path log) {}

    private final ServerSpec spec;
    private final Setting setting;
    private final List<Child> children = new CopyOnWriteArrayList<>();
    private boolean closed;

    public RunningServer(ServerSpec spec, Setting setting) {
        this.spec = spec;
        this.setting = setting;
    }

    /// Writes the configuration of all tiers, starts them one after the other, and waits for each.
    ///
    /// A front end of which no back ends are specified stands in front of some that run already.
    ///
    /// @param prefix words before each command, such as those that pin it to a core
    /// @throws IOException if one cannot be started; the message ends with the end of its log
    public void start(List<String> prefix) throws IOException {
        if (!spec.backs().isEmpty()) {
            for (Setting back : setting.backs()) {
                startAll(spec.backs().getFirst().prepare(back), back, prefix);
            }
        }
        startAll(spec.front().prepare(setting), setting, prefix);
    }

    private void startAll(List<Tier> tiers, Setting of, List<String> prefix) throws IOException {
        for (Tier tier : tiers) {
            for (int port : tier.ports()) {
                if (!isFree(port)) {
                    throw new IOException("port " + port + " is in use; --port chooses others");
                }
            }
            List<String> command = new ArrayList<>(prefix);
            command.addAll(tier.command());
            Path log = of.folder().resolve(tier.name() + ".log");
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(of.folder().toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile());
            builder.environment().putAll(tier.environment());
            Child child;
            synchronized (this) {
                if (closed) {
                    throw new IOException("stopped");
                }
                Process process = builder.start();
                process.getOutputStream().close();
                child = new Child(tier.name(), process, log);
                children.add(child);
            }
            for (int port : tier.ports()) {
                await(child, () -> answers(port));
            }
            for (Path socket : tier.sockets()) {
                await(child, () -> Files.exists(socket));
            }
        }
    }

    /// Something that tells whether a server is ready.
    private interface Sign {
        boolean isThere() throws IOException;
    }

    private static void await(Child child, Sign sign) throws IOException {
        long until = System.nanoTime() + START_MAX.toNanos();
        while (!sign.isThere()) {
            if (!child.process.isAlive()) {
                throw new IOException(
                        "%s ended while starting (exit code %d):%n%s"
                                .formatted(child.tier, child.process.exitValue(), end(child.log)));
            }
            if (System.nanoTime() - until > 0) {
                throw new IOException(
                        "%s did not answer within %d s:%n%s"
                                .formatted(child.tier, START_MAX.toSeconds(), end(child.log)));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        if (!child.process.isAlive()) {
            throw new IOException(
                    "%s ended while starting (exit code %d):%n%s"
                            .formatted(child.tier, child.process.exitValue(), end(child.log)));
        }
    }

    /// Whether nothing listens on a port of 127.0.0.1.
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean answers(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (ConnectException | SocketTimeoutException e) {
            return false;
        }
    }

    /// Whether it answers a GET of a page with 200, over HTTP/1.1.
    public boolean answers(String page) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), setting.http())) {
            socket.setSoTimeout((int) START_MAX.toMillis());
            String request =
                    "GET " + page + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            String head = new String(in.readNBytes(12), StandardCharsets.US_ASCII);
            return head.endsWith(" 200");
        }
    }

    /// Waits until it answers a GET of a page with 200.
    ///
    /// @throws IOException if it ends, or does not answer in time
    public void awaitAnswer(String page) throws IOException {
        await(children.getLast(), () -> answers(page));
    }

    /// The last lines of a log, indented.
    private static String end(Path log) throws IOException {
        try (Stream<String> all = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            List<String> lines = all.toList();
            StringBuilder text = new StringBuilder();
            for (String line : lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size())) {
                text.append("    ").append(line).append('\n');
            }
            return text.append("    (").append(log).append(')').toString();
        }
    }

    /// What each tier has used so far; tiers of one name are added up.
    public Map<String, ProcessSample> sample() {
        Map<String, ProcessSample> samples = new LinkedHashMap<>();
        for (Child child : children) {
            samples.merge(
                    child.tier, ProcessSample.of(child.process.toHandle()), ProcessSample::plus);
        }
        return samples;
    }

    /// The processes of each tier, by their numbers.
    public Map<String, List<Long>> processes() {
        Map<String, List<Long>> processes = new LinkedHashMap<>();
        for (Child child : children) {
            List<Long> of = processes.computeIfAbsent(child.tier, _ -> new ArrayList<>());
            of.add(child.process.pid());
            try (Stream<ProcessHandle> descendants = child.process.descendants()) {
                descendants.forEach(it -> of.add(it.pid()));
            }
        }
        return processes;
    }

    /// @throws IOException if a process has ended
    public void requireAlive() throws IOException {
        for (Child child : children) {
            if (!child.process.isAlive()) {
                throw new IOException(
                        "%s ended under load (exit code %d):%n%s"
                                .formatted(child.tier, child.process.exitValue(), end(child.log)));
            }
        }
    }

    /// What clients get from it.
    public Set<Feature> features() {
        return spec.features();
    }

    public Setting setting() {
        return setting;
    }

    /// Asks the front end to end, so that several servers end at the same time; [#close] follows.
    public synchronized void ask() {
        if (!children.isEmpty()) {
            children.getLast().process.destroy();
        }
    }

    /// Ends exactly what was started: asks, waits, insists.
    @Override
    public synchronized void close() {
        closed = true;
        for (Child child : children.reversed()) {
            List<ProcessHandle> all = new ArrayList<>();
            try (Stream<ProcessHandle> descendants = child.process.descendants()) {
                descendants.forEach(all::add);
            }
            child.process.destroy();
            try {
                if (!child.process.waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS)) {
                    child.process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                child.process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
            all.forEach(ProcessHandle::destroyForcibly);
        }
        children.clear();
    }
}
