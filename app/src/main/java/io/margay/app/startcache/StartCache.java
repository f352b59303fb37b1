package io.margay.app.startcache;

import io.margay.app.config.StartException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Has the file made from which the JVM takes our classes at the next start, loaded, linked and
/// with what is known of their methods (the JDK's AOT cache, JEP 483, 514, 515).
///
/// The file comes from other processes ([Training]) that serve the example application for a
/// moment, at the lowest priority, some seconds after the start: neither the start nor the stop of
/// the server waits for them, and they end with it. One training runs at a time for all servers of
/// an installation, none while processors or memory are short, and none again after one that
/// failed. The launcher names the file by JDK, jars and options, and so a stale one is never found.
/// One daemon thread.
public final class StartCache {
    private static final System.Logger LOG = System.getLogger(StartCache.class.getName());

    /// The first requests come first.
    private static final long PAUSE_SECONDS = 3;

    /// How often it is looked whether the machine is less busy.
    private static final long RETRY_SECONDS = 30;

    /// Processor time of each of two processes.
    private static final int TRAINING_SECONDS_MAX = 120;

    private static final String[] NONE = {};

    private final CacheFolder folder;
    private final Path file;
    private final String home;
    private final Class<?> program;

    private StartCache(Path file, String home, Class<?> program) {
        this.file = file;
        this.home = home;
        this.program = program;
        folder = new CacheFolder(file);
    }

    /// The file that the launcher asks for; null when it asks for none, or has one of its kind.
    ///
    /// @param program what is run to learn from: its `main` is handed a folder to work in
    public static @Nullable StartCache wanted(Class<?> program) {
        String file = System.getProperty("margay.cache");
        String home = System.getProperty("margay.home");
        return file == null || home == null ? null : new StartCache(Path.of(file), home, program);
    }

    /// The one of another kind of server.
    public StartCache of(CacheKind kind) {
        return new StartCache(kind.beside(file), home, program);
    }

    /// Has the file made that is wanted, later; does nothing if none is.
    public static void makeLater(Class<?> program) {
        String used = System.getProperty("margay.cache.used");
        if (used != null) {
            CacheFolder.touch(Path.of(used));
        }
        StartCache cache = wanted(program);
        if (cache != null && !cache.isInVain(used == null ? Level.INFO : Level.DEBUG)) {
            Thread.ofPlatform().name("margay-cache").daemon().start(cache::makeWhenCalm);
        }
    }

    private static SpareCapacity capacity() {
        return new SpareCapacity(
                Path.of("/"), Double.parseDouble(System.getProperty("margay.cache.load", "1")));
    }

    private boolean isInVain(Level level) {
        String lack = capacity().lack();
        if (lack != null) {
            LOG.log(
                    level,
                    "no cache for faster starts is made, because {0}; margay cache makes one",
                    lack);
            return true;
        }
        String failure = folder.failure();
        if (failure != null) {
            LOG.log(
                    level,
                    "no cache for faster starts is made, because it failed before: {0};"
                            + " margay cache tries again",
                    failure);
        }
        return failure != null;
    }

    public boolean isMade() {
        return folder.isMade();
    }

    public Path file() {
        return file;
    }

    /// Makes it, waits, and tells why it could not be made.
    ///
    /// @return the file
    public Path makeNow() {
        try (CacheFolder.Turn _ = folder.turn(true)) {
            String failure = folder.isMade() ? null : make(false);
            if (failure != null || !folder.isMade()) {
                throw new StartException(
                        "the cache cannot be made: " + (failure == null ? "stopped" : failure));
            }
        } catch (IOException e) {
            throw new StartException("the cache cannot be made: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("the cache cannot be made: interrupted", e);
        }
        return file;
    }

    private void makeWhenCalm() {
        try {
            TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
            while (capacity().shortNow(Runtime.getRuntime().availableProcessors()) != null) {
                TimeUnit.SECONDS.sleep(RETRY_SECONDS);
            }
            makeInTurn();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "no cache for faster starts could be made: {0}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void makeInTurn() throws IOException, InterruptedException {
        try (CacheFolder.Turn turn = folder.turn(false)) {
            if (turn == null || folder.isMade() || folder.failure() != null) {
                return;
            }
            LOG.log(
                    Level.INFO,
                    "a second process makes the cache for faster starts, for some seconds and with"
                            + " up to 450 MB (MARGAY_NO_CACHE=1 does without)");
            String failure = make(true);
            if (failure != null) {
                LOG.log(
                        Level.WARNING,
                        "the cache for faster starts could not be made: {0}",
                        failure);
            }
        }
    }

    /// @return why it could not be made; null when it was, or when this process is stopping
    private @Nullable String make(boolean behind) throws IOException, InterruptedException {
        Training training =
                new Training(java(), program(), folder.crash(), TRAINING_SECONDS_MAX, behind);
        Thread end = new Thread(training::close, "margay-cache-end");
        Runtime.getRuntime().addShutdownHook(end);
        try (training) {
            String failure = training.run();
            if (training.isClosed()) {
                return null;
            }
            if (failure == null) {
                folder.put(training.made());
                LOG.log(Level.DEBUG, "the next start uses {0}", file);
            } else {
                folder.fail(failure);
            }
            return failure;
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(end);
            } catch (IllegalStateException e) {
                LOG.log(Level.DEBUG, "the server is stopping");
            }
        }
    }

    private static List<String> java() {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ProcessHandle.current().info().arguments().orElse(NONE)) {
            if (isForTraining(option)) {
                java.add(option);
            }
        }
        return java;
    }

    private List<String> program() {
        return List.of(
                "-Dmargay.home=" + home,
                CacheKind.of(file).option(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName());
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
}
