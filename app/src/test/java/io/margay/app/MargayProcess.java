package io.margay.app;

import io.margay.app.command.Main;
import io.margay.testkit.program.Kill;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The program as a child process: in tests of processes (`*IT`) by its launcher, with the cache
/// that the build has made for faster starts; elsewhere on the class path of the tests. Its output
/// is read by threads of its own; everything waits within a bound.
public final class MargayProcess implements AutoCloseable {
    private static final long SECONDS_MAX = 60;

    /// The folder of that cache; null where there is none.
    private static final @Nullable String CACHE = System.getProperty("margay.it.cache");

    /// Those with which the cache was made.
    private static final List<String> JAVA_OPTIONS =
            List.of(
                    System.getProperty(
                                    "margay.it.options",
                                    "-Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
                            .split(" "));

    private static final Pattern URL = Pattern.compile("(?<!ms, )https?://[^ /]+:([0-9]+)/");

    private final Process process;
    private final List<String> out = new CopyOnWriteArrayList<>();
    private final List<String> err = new CopyOnWriteArrayList<>();
    private final List<Thread> readers = new ArrayList<>();

    private MargayProcess(Process process) {
        this.process = process;
        read(process.inputReader(), out);
        read(process.errorReader(), err);
    }

    public static MargayProcess start(Path folder, String... words) throws IOException {
        return start(folder, Map.of(), words);
    }

    /// Starts it with more options for the JVM.
    public static MargayProcess startWith(Path folder, List<String> options, String... words)
            throws IOException {
        return start(folder, Map.of(), options, words);
    }

    public static MargayProcess start(Path folder, Map<String, String> environment, String... words)
            throws IOException {
        return start(folder, environment, List.of(), words);
    }

    private static MargayProcess start(
            Path folder, Map<String, String> environment, List<String> options, String... words)
            throws IOException {
        return start(folder, environment, List.of(), options, words);
    }

    /// Starts it by a program that starts the JVM, such as the loader of another system.
    public static MargayProcess startBy(Path folder, List<String> starter, String... words)
            throws IOException {
        return start(folder, Map.of(), starter, List.of(), words);
    }

    private static MargayProcess start(
            Path folder,
            Map<String, String> environment,
            List<String> starter,
            List<String> options,
            String... words)
            throws IOException {
        // Where the tests were started with signals ignored (nohup), a JVM would not hear them.
        List<String> command =
                new ArrayList<>(List.of("env", "--default-signal=HUP,INT,TERM,USR1,USR2"));
        command.addAll(starter);
        List<String> all = new ArrayList<>(JAVA_OPTIONS);
        all.addAll(options);
        String java = System.getProperty("java.home");
        Map<String, String> variables = new HashMap<>();
        if (CACHE != null && starter.isEmpty()) {
            command.add(Path.of(System.getProperty("margay.root"), "margay").toString());
            variables.put("MARGAY_NO_BUILD", "1");
            variables.put("MARGAY_JAVA_HOME", java);
            variables.put("MARGAY_JAVA_OPTS", String.join(" ", all));
            variables.put("MARGAY_CACHE_DIR", CACHE);
        } else {
            command.add(Path.of(java, "bin", "java").toString());
            command.add("--enable-native-access=ALL-UNNAMED");
            command.add("-XX:+ExitOnOutOfMemoryError");
            command.addAll(all);
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
            command.add(Main.class.getName());
        }
        command.addAll(List.of(words));
        variables.putAll(environment);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MARGAY"));
        builder.environment().putAll(variables);
        return new MargayProcess(builder.start());
    }

    private void read(BufferedReader reader, List<String> lines) {
        readers.add(
                Thread.ofVirtual()
                        .start(() -> {
                            try (reader) {
                                for (String line = reader.readLine();
                                        line != null;
                                        line = reader.readLine()) {
                                    lines.add(line);
                                }
                            } catch (IOException e) {
                                lines.add("reading failed: " + e);
                            }
                        }));
    }

    /// Waits for a line on stderr.
    public String awaitLine(Predicate<String> wanted) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        int from = 0;
        while (System.nanoTime() < end) {
            for (; from < err.size(); from++) {
                if (wanted.test(err.get(from))) {
                    return err.get(from);
                }
            }
            if (!process.isAlive() && readers.stream().noneMatch(Thread::isAlive)) {
                break;
            }
            pause();
        }
        throw new AssertionError("not seen on stderr: " + this);
    }

    /// Waits until it serves, and tells the port of the first listener.
    public int awaitReady() {
        awaitLine(line -> line.contains("ready in "));
        return ports().getFirst();
    }

    /// The ports of the start-up lines.
    public List<Integer> ports() {
        return err.stream()
                .map(URL::matcher)
                .filter(Matcher::find)
                .map(matcher -> Integer.parseInt(matcher.group(1)))
                .toList();
    }

    /// Waits for the end; the exit code.
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + this);
        }
        for (Thread reader : readers) {
            reader.join(TimeUnit.SECONDS.toMillis(SECONDS_MAX));
        }
        return process.exitValue();
    }

    /// The same where another process has its output still.
    public int awaitEnd() throws InterruptedException {
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + this);
        }
        return process.exitValue();
    }

    /// The process id.
    public long pid() {
        return process.pid();
    }

    public void signal(String name) throws IOException, InterruptedException {
        Kill.send(name, process.pid());
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public List<String> out() {
        return List.copyOf(out);
    }

    public List<String> err() {
        return List.copyOf(err);
    }

    public static void pause() {
        LockSupport.parkNanos(10_000_000L);
    }

    @Override
    public String toString() {
        return "out:\n" + String.join("\n", out) + "\nerr:\n" + String.join("\n", err);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
    }
}
