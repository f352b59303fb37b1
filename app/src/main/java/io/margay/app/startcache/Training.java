package io.margay.app.startcache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The two processes that make a cache: one that serves for a moment and notes what it used, and
/// one that writes the cache of it. Confined to the thread that runs it, but for [#close].
///
/// A shell stands between, which ends the JVM when its own standard input ends: that is when this
/// process has gone, in whatever way. It bounds the processor time, too, and has no core written.
final class Training implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Training.class.getName());

    private static final String GUARD =
            """
            exec 3<&0
            ulimit -c 0 2>/dev/null
            ulimit -S -t "$1" 2>/dev/null
            low=
            [ "$2" = behind ] && command -v nice >/dev/null && low='nice -n 19'
            shift 2
            $low "$@" </dev/null 3<&- &
            child=$!
            { read -r line <&3; kill -KILL $child; } 2>/dev/null &
            watch=$!
            exec 3<&-
            wait $child
            code=$?
            kill $watch 2>/dev/null
            exit $code
            """;

    /// Of methods that are used less, nothing is noted: a start with the cache compiles all of
    /// which something is, and the training, which has no cache, makes classes that no start makes.
    private static final List<String> NOTED_ABOVE =
            List.of(
                    "-XX:Tier3InvocationThreshold=5000",
                    "-XX:Tier3MinInvocationThreshold=2500",
                    "-XX:Tier3CompileThreshold=50000",
                    "-XX:Tier3BackEdgeThreshold=1500000");

    /// What a shell reports of a process that has used up its time (SIGXCPU), or was ended.
    private static final int TIME_USED_UP = 128 + 24;

    private static final int KILLED = 128 + 9;

    /// A machine that is so slow is not made slower for longer.
    private static final long MINUTES_MAX = 15;

    private final List<String> java;
    private final List<String> program;
    private final Path crash;
    private final int secondsMax;
    private final boolean behind;
    private final Path work;
    private volatile @Nullable Process process;
    private volatile boolean closed;

    /// @param java the program `java` and those of its options that the cache must agree with
    /// @param program more options, and what is run to learn from; is handed a folder to work in
    /// @param crash where the JVM writes how it crashed
    /// @param secondsMax processor time of each of both processes
    /// @param behind whether all else comes first
    Training(List<String> java, List<String> program, Path crash, int secondsMax, boolean behind)
            throws IOException {
        this.java = java;
        this.program = program;
        this.crash = crash;
        this.secondsMax = secondsMax;
        this.behind = behind;
        work = Files.createTempDirectory("margay-cache-");
    }

    /// Trains.
    ///
    /// @return null when [#made] is there; otherwise why not
    @Nullable String run() throws IOException, InterruptedException {
        List<String> record = command("-XX:AOTMode=record");
        record.addAll(NOTED_ABOVE);
        record.addAll(program);
        record.add(work.toString());
        String why = run(record);
        if (why != null) {
            return why;
        }
        List<String> create = command("-XX:AOTMode=create");
        create.add("-XX:AOTCache=" + made());
        create.addAll(program);
        why = run(create);
        return why == null && !Files.exists(made()) ? "the JVM has written none" : why;
    }

    /// The cache, once it is whole.
    Path made() {
        return work.resolve("made.aot");
    }

    boolean isClosed() {
        return closed;
    }

    private List<String> command(String mode) {
        List<String> command = new ArrayList<>(java);
        command.add(mode);
        command.add("-XX:AOTConfiguration=" + work.resolve("made.aotconf"));
        command.add("-XX:ErrorFile=" + crash);
        return command;
    }

    private @Nullable String run(List<String> command) throws IOException, InterruptedException {
        List<String> guarded =
                new ArrayList<>(
                        List.of(
                                "/bin/sh",
                                "-c",
                                GUARD,
                                "sh",
                                String.valueOf(secondsMax),
                                behind ? "behind" : "now"));
        guarded.addAll(command);
        Path output = work.resolve("output.log");
        ProcessBuilder builder = new ProcessBuilder(guarded);
        builder.environment().remove("MARGAY_LOG");
        Files.deleteIfExists(crash);
        Process started =
                builder.directory(work.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        process = started;
        if (closed) {
            end(started);
        }
        if (!started.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
            end(started);
            return "it took longer than " + MINUTES_MAX + " minutes";
        }
        return started.exitValue() == 0 ? null : reason(started.exitValue(), output);
    }

    private String reason(int code, Path output) throws IOException {
        if (code == TIME_USED_UP) {
            return "it used " + secondsMax + " s of processor time";
        }
        if (Files.exists(crash)) {
            return "the JVM crashed, see " + crash;
        }
        if (code == KILLED) {
            return "its process was killed";
        }
        String said =
                Files.readString(output, StandardCharsets.ISO_8859_1)
                        .lines()
                        .filter(line -> !line.isBlank())
                        .reduce("", (_, last) -> last);
        return "exit code " + code + (said.isEmpty() ? "" : ": " + said.strip());
    }

    /// Has the shell end the JVM.
    private static void end(Process process) throws IOException {
        process.getOutputStream().close();
    }

    /// Ends what runs, and removes what it has written; from any thread.
    @Override
    public void close() {
        closed = true;
        @Nullable Process running = process;
        try {
            if (running != null) {
                end(running);
                if (!running.waitFor(10, TimeUnit.SECONDS)) {
                    running.destroyForcibly();
                }
            }
            remove();
        } catch (IOException | UncheckedIOException e) {
            LOG.log(Level.DEBUG, "temporary files stay behind", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void remove() throws IOException {
        if (!Files.exists(work)) {
            return;
        }
        try (Stream<Path> all = Files.walk(work)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
