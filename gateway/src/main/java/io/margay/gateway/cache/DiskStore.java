package io.margay.gateway.cache;

import io.margay.server.files.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The responses of a cache in a folder, each in a file that only this account may read. One thread
/// reads, writes and deletes them; what it has no time for stays in memory alone. Thread-safe.
///
/// A file belongs to the process that has it in its memory: one that starts takes over what the one
/// before it has left, and deletes what is older. A file that is damaged is set aside.
final class DiskStore {
    private static final System.Logger LOG = System.getLogger(DiskStore.class.getName());

    private static final String OWNER = "owner";
    private static final String END = ".response";
    private static final String PART = ".part";
    private static final String DAMAGED = ".damaged";

    /// Files that wait to be written or deleted.
    private static final int QUEUE = 1024;

    /// Damaged files that are kept to be looked at.
    private static final int DAMAGED_MAX = 16;

    /// How often it is noted that this process is there.
    private static final Duration TOUCH = Duration.ofMinutes(1);

    /// Content up to this length stays in memory, too.
    static final int IN_MEMORY_MAX = 16 << 10;

    private final Path folder;
    private final long bytesMax;
    private final String rule;
    private final LongSupplier millis;
    private final ArrayBlockingQueue<Runnable> tasks = new ArrayBlockingQueue<>(QUEUE);
    private final Map<String, DiskFile> live = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong number = new AtomicLong();
    private final LongAdder damaged = new LongAdder();
    private final String generation;
    private final Thread thread;

    /// Whether files are left that nobody knows any more.
    private volatile boolean sweeps;

    private long saidMillis = -TOUCH.toMillis();

    private volatile boolean closed;
    private volatile Duration idle = Duration.ZERO;

    /// @param rule text of the rule by which responses are kept: those of another are deleted
    /// @param millis since 1970
    DiskStore(Path folder, long bytesMax, String rule, LongSupplier millis) {
        this.folder = folder;
        this.bytesMax = bytesMax;
        this.rule = rule;
        this.millis = millis;
        generation =
                Long.toHexString(millis.getAsLong())
                        + "-"
                        + Long.toHexString(ProcessHandle.current().pid())
                        + "-"
                        + Integer.toHexString(System.identityHashCode(this));
        thread = Thread.ofPlatform().daemon().name("margay-cache-disk").unstarted(this::run);
    }

    /// Makes the folder if it is missing.
    ///
    /// @throws IllegalArgumentException when the folder cannot be used
    void open() {
        try {
            Path _ = OwnerOnly.closedFolder(folder);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the folder " + folder + " of a cache cannot be used: " + e.getMessage(), e);
        }
    }

    /// Begins, once: the files are this cache's from now on, and are read into it meanwhile.
    void begin(CacheStore store) {
        if (thread.getState() != Thread.State.NEW) {
            return;
        }
        String before = "";
        try {
            OwnerOnly.closedFolder(folder);
            Path owner = folder.resolve(OWNER);
            if (Files.exists(owner)) {
                before = Files.readString(owner, StandardCharsets.UTF_8);
                long last = Files.getLastModifiedTime(owner).toMillis();
                idle = Duration.ofMillis(Math.max(0, millis.getAsLong() - last));
            }
            write(owner, generation.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            failed(e);
            return;
        }
        String left = before;
        boolean _ = tasks.offer(() -> load(store, left));
        thread.start();
    }

    /// For how long no process had the folder before this one.
    Duration idle() {
        return idle;
    }

    private void run() {
        long touched = millis.getAsLong();
        while (!closed || !tasks.isEmpty()) {
            try {
                Runnable task = tasks.poll(TOUCH.toMillis(), TimeUnit.MILLISECONDS);
                if (task != null) {
                    task.run();
                }
                if (millis.getAsLong() - touched > TOUCH.toMillis()) {
                    touched = millis.getAsLong();
                    touch();
                }
                if (sweeps) {
                    sweep();
                }
            } catch (InterruptedException e) {
                break; // it is closed
            } catch (RuntimeException | IOException | OutOfMemoryError e) {
                failed(e);
            }
        }
        try {
            touch();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the cache in {0}: {1}", folder, e.toString());
        }
    }

    /// Says so, once a minute: a full disk fails for each response. By its thread alone.
    private void failed(Throwable why) {
        long now = millis.getAsLong();
        if (now - saidMillis > TOUCH.toMillis()) {
            saidMillis = now;
            LOG.log(Level.WARNING, "the cache in {0}: {1}", folder, why.toString());
        }
    }

    private void touch() throws IOException {
        Path owner = folder.resolve(OWNER);
        if (Files.exists(owner)
                && Files.readString(owner, StandardCharsets.UTF_8).equals(generation)) {
            Files.setLastModifiedTime(owner, FileTime.fromMillis(millis.getAsLong()));
        }
    }

    // What is there

    private void load(CacheStore store, String before) {
        int found = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path file : all) {
                String name = String.valueOf(file.getFileName());
                if (name.startsWith(generation) || name.equals(OWNER) || name.endsWith(DAMAGED)) {
                    continue;
                }
                boolean ours =
                        !before.isEmpty() && name.startsWith(before + "-") && name.endsWith(END);
                if (closed) {
                    return;
                }
                try {
                    if (ours && take(store, file)) {
                        found++;
                    } else if (name.endsWith(END) || name.endsWith(PART)) {
                        boolean _ = Files.deleteIfExists(file);
                    }
                } catch (RuntimeException | IOException e) {
                    failed(e); // the cache before may have deleted it: the others are read
                }
            }
        } catch (IOException e) {
            failed(e);
        }
        LOG.log(Level.DEBUG, "{0} responses of {1} are known again", found, folder);
    }

    /// Takes one over.
    ///
    /// @return false when it is to be deleted
    private boolean take(CacheStore store, Path file) throws IOException {
        DiskFormat.Head head;
        byte[] all = Files.readAllBytes(file);
        try {
            head = DiskFormat.read(all);
        } catch (IOException e) {
            setAside(file, e);
            return true;
        }
        if (!head.rule().equals(rule) || bytes.get() + all.length > bytesMax) {
            return false;
        }
        Path own = folder.resolve(name());
        Files.move(file, own, StandardCopyOption.ATOMIC_MOVE);
        DiskFile made = new DiskFile(own, head.offset(), all.length);
        byte[] content = null;
        if (head.length() <= IN_MEMORY_MAX) {
            content = Arrays.copyOfRange(all, head.offset(), all.length);
        }
        add(made);
        if (!store.known(
                head.key(), head.response().with(new Content(content, head.length(), made)))) {
            drop(made);
        }
        return true;
    }

    private void setAside(Path file, IOException why) throws IOException {
        damaged.increment();
        LOG.log(Level.WARNING, "{0} is damaged, and set aside: {1}", file, why.getMessage());
        Path aside = folder.resolve(damaged.sum() % DAMAGED_MAX + DAMAGED);
        Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
    }

    private String name() {
        return generation
                + "-"
                + Long.toString(number.incrementAndGet(), Character.MAX_RADIX)
                + END;
    }

    private void add(DiskFile file) {
        live.put(file.name(), file);
        bytes.addAndGet(file.length());
    }

    // What comes

    /// Whether a response may be in a file: none that has a cookie, or is found by one.
    private static boolean isFor(StoredResponse response) {
        return !response.fields().contains("Set-Cookie")
                && !response.fields().contains("Set-Cookie2")
                && !response.vary().names().contains("cookie")
                && !response.vary().names().contains("authorization");
    }

    /// Has a response written that is in memory.
    void write(CacheStore store, String key, StoredResponse response) {
        if (!closed && isFor(response)) {
            boolean _ = tasks.offer(() -> put(store, key, response)); // else it is in memory alone
        }
    }

    private void put(CacheStore store, String key, StoredResponse response) {
        if (!store.isKept(key, response)) {
            return;
        }
        try {
            byte[] content = content(response);
            byte[] all = DiskFormat.write(rule, key, response, content);
            if (all.length > bytesMax
                    || !store.makeRoomOnDisk(all.length - (bytesMax - bytes.get()))) {
                return;
            }
            Path own = folder.resolve(name());
            write(own, all);
            DiskFile made = new DiskFile(own, all.length - content.length, all.length);
            add(made);
            byte[] kept = content.length <= IN_MEMORY_MAX ? content : null;
            if (!store.written(key, response, response.content().in(made, kept))) {
                drop(made);
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    private static byte[] content(StoredResponse response) throws IOException {
        byte[] bytes = response.content().bytes();
        DiskFile file = response.content().file();
        if (bytes != null) {
            return bytes;
        }
        if (file == null) {
            throw new IOException("there is no content");
        }
        byte[] all = Files.readAllBytes(file.path());
        return Arrays.copyOfRange(all, file.head(), all.length);
    }

    /// Writes a file whole, or not at all.
    private void write(Path file, byte[] all) throws IOException {
        Path part = folder.resolve(file.getFileName() + PART);
        boolean _ = Files.deleteIfExists(part);
        OwnerOnly.createFile(part);
        Files.write(part, all, StandardOpenOption.WRITE);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Nobody needs a file any more.
    void drop(@Nullable DiskFile file) {
        if (file == null || closed || !live.remove(file.name(), file)) {
            return;
        }
        bytes.addAndGet(-file.length());
        if (!tasks.offer(() -> delete(file.path()))) {
            sweeps = true;
        }
    }

    private static void delete(Path file) {
        try {
            boolean _ = Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sweep() throws IOException {
        sweeps = false;
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(folder, generation + "-*" + END)) {
            for (Path file : all) {
                if (!live.containsKey(String.valueOf(file.getFileName()))) {
                    delete(file);
                }
            }
        }
    }

    /// What is kept in files stays there for the next process.
    void close() {
        closed = true;
        boolean _ = tasks.offer(() -> {});
    }

    /// Waits until what was asked for before is done, for tests.
    void settle() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        tasks.put(done::countDown);
        done.await();
    }

    long bytes() {
        return bytes.get();
    }

    long damaged() {
        return damaged.sum();
    }
}
