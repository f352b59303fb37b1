package io.margay.app.command;

import io.margay.app.config.StartException;
import io.margay.app.process.MemoryLeft;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes the file from which the JVM takes our classes at the next start, loaded, linked and with
/// what is known of their methods (the JDK's AOT cache, JEP 483, 514, 515).
///
/// The file comes from a second process ([CacheTraining]) that serves the example application for a
/// moment, at the lowest priority, some seconds after the start: neither the start nor the stop of
/// the server waits for it. The launcher names the file by JDK, jars and options, and so a stale
/// one is never found. One daemon thread.
final class StartCache implements Runnable {
    /// Lets everything else run first, where there is such a program: images may have none.
    private static final List<String> NICE =
            Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "nice")))
                    ? List.of("nice", "-n", "19")
                    : List.of();

    private static final System.Logger LOG = System.getLogger(StartCache.class.getName());

    /// The first requests come first.
    private static final long PAUSE_SECONDS = 3;

    private static final long TRAINING_SECONDS_MAX = 180;

    /// Caches of other JDKs, versions and options that are left alone.
    private static final int KEPT_MAX = 4;

    private static final String[] NONE = {};

    /// Addresses at which nothing else is: far below the stacks and libraries of a process, and far
    /// above its heap.
    private static final long BASE_LEAST = 1L << 36;

    private static final long BASE_MOST = 1L << 46;

    /// What the JVM wants it to be a multiple of.
    private static final long BASE_STEP = 1L << 24;

    private final Path file;
    private final Path home;

    private StartCache(Path file, Path home) {
        this.file = file;
        this.home = home;
    }

    /// The file that the launcher asks for; null when it asks for none, or has one.
    static @Nullable StartCache wanted() {
        String file = System.getProperty("margay.cache");
        String home = System.getProperty("margay.home");
        return file == null || home == null ? null : new StartCache(Path.of(file), Path.of(home));
    }

    /// Makes the file that is wanted, later, unless memory is short; does nothing if none is.
    static void makeLater() {
        StartCache cache = wanted();
        if (cache == null) {
            return;
        }
        String lack = new MemoryLeft(Path.of("/")).lack();
        if (lack != null) {
            LOG.log(
                    Level.INFO,
                    "no cache for faster starts is made, for {0}; margay cache makes one",
                    lack);
            return;
        }
        LOG.log(
                Level.INFO,
                "a second process makes the cache for faster starts, for some seconds and with up"
                        + " to 450 MB (MARGAY_NO_CACHE=1 does without)");
        Thread.ofPlatform().name("margay-cache").daemon().start(cache);
    }

    /// Makes it, and waits.
    ///
    /// @return the file
    Path makeNow() {
        try {
            make();
        } catch (IOException e) {
            throw new StartException("the cache cannot be made: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!Files.exists(file)) {
            throw new StartException("the cache cannot be made: the training failed");
        }
        return file;
    }

    @Override
    public void run() {
        try {
            TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
            make();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "no cache for faster starts", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void make() throws IOException, InterruptedException {
        Path work = Files.createTempDirectory("margay-cache-");
        Path made = work.resolve("made.aot");
        Process process = start(work, made);
        Thread end = new Thread(() -> abandon(process, work), "margay-cache-end");
        Runtime.getRuntime().addShutdownHook(end);
        try {
            boolean ended = process.waitFor(TRAINING_SECONDS_MAX, TimeUnit.SECONDS);
            if (ended && process.exitValue() == 0 && Files.exists(made)) {
                Path near = file.resolveSibling(file.getFileName() + "." + process.pid());
                Files.copy(made, near, StandardCopyOption.REPLACE_EXISTING);
                Files.move(near, file, StandardCopyOption.ATOMIC_MOVE);
                LOG.log(Level.DEBUG, "the next start uses {0}", file);
                removeOld();
            } else {
                LOG.log(Level.DEBUG, "no cache for faster starts: the training failed");
            }
        } finally {
            abandon(process, work);
            try {
                Runtime.getRuntime().removeShutdownHook(end);
            } catch (IllegalStateException e) {
                LOG.log(Level.DEBUG, "the server is stopping");
            }
        }
    }

    private Process start(Path work, Path made) throws IOException {
        List<String> command = new ArrayList<>(NICE);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ProcessHandle.current().info().arguments().orElse(NONE)) {
            if (isForTraining(option)) {
                command.add(option);
            }
        }
        command.add("-XX:AOTCacheOutput=" + made);
        command.add("-XX:SharedBaseAddress=" + base(new SecureRandom()));
        command.add("-Dmargay.home=" + home);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(CacheTraining.class.getName());
        command.add(work.toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("MARGAY_LOG");
        return builder.redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /// Where processes map the file that is made now: the same for all of them, so that the JVM
    /// need not write other addresses into its pages, and another for every file, so that nobody
    /// knows it who cannot read the file.
    static long base(RandomGenerator random) {
        return random.nextLong(BASE_LEAST / BASE_STEP, BASE_MOST / BASE_STEP) * BASE_STEP;
    }

    /// Options of the JVM that its cache must agree with; none that opens ports or writes files.
    static boolean isForTraining(String option) {
        return option.startsWith("--enable-native-access")
                || option.startsWith("--add-opens")
                || (option.startsWith("-XX:+Use") && option.endsWith("GC"))
                || option.startsWith("-Xmx")
                || option.contains("CompressedOops")
                || option.contains("CompactObjectHeaders");
    }

    private static void abandon(Process process, Path work) {
        process.destroyForcibly();
        try (Stream<Path> all = Files.walk(work)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException e) { // The other process may write still.
            LOG.log(Level.DEBUG, "temporary files stay behind", e);
        }
    }

    private void removeOld() throws IOException {
        Path folder = file.getParent();
        if (folder == null) {
            return;
        }
        try (Stream<Path> all = Files.list(folder)) {
            List<Path> old =
                    all.filter(StartCache::isCache)
                            .sorted(Comparator.comparing(StartCache::age).reversed())
                            .skip(KEPT_MAX)
                            .toList();
            for (Path each : old) {
                Files.deleteIfExists(each);
            }
        }
    }

    private static boolean isCache(Path file) {
        @Nullable Path name = file.getFileName();
        return name != null && name.toString().matches("margay-[0-9]+\\.aot");
    }

    private static FileTime age(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }
}
