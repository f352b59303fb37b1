package io.margay.app.startcache;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where the caches of an installation lie, with what became of the last training of each. Holds no
/// state of its own: other processes use the same folder.
final class CacheFolder {
    private static final System.Logger LOG = System.getLogger(CacheFolder.class.getName());

    /// Caches of other kinds, JDKs, versions and options that are left alone.
    private static final int KEPT_MAX = 5;

    private static final String FAILED = ".failed";

    private final Path file;
    private final Path folder;

    /// @param file the cache
    CacheFolder(Path file) {
        this.file = file.toAbsolutePath();
        @Nullable Path parent = this.file.getParent();
        folder = parent == null ? this.file : parent;
    }

    /// The right to train for this folder; who holds it releases it by closing its channel.
    static final class Turn implements AutoCloseable {
        private final FileChannel channel;

        private Turn(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /// @param waits whether until another process has ended its training
    /// @return null when another has its turn
    @Nullable Turn turn(boolean waits) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        folder.resolve("training.lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        try {
            FileLock lock = waits ? channel.lock() : channel.tryLock();
            if (lock != null) {
                return new Turn(channel);
            }
        } catch (OverlappingFileLockException e) {
            LOG.log(Level.DEBUG, "another server of this JVM has it", e);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return null;
    }

    boolean isMade() {
        return Files.exists(file);
    }

    /// Why the last training of this very cache failed; null when none has.
    @Nullable String failure() {
        try {
            return Files.readString(failed()).strip();
        } catch (IOException e) {
            return null;
        }
    }

    /// Notes a failure: the next start with the same JDK, libraries and options does not try again.
    void fail(String why) throws IOException {
        Files.writeString(failed(), why + "\n");
    }

    /// Where the JVM writes how it crashed; one file, the last one's.
    Path crash() {
        return folder.resolve("training-crash.log");
    }

    /// Puts what has been made in place, whole or not at all, and takes away what is no longer of
    /// use.
    void put(Path made) throws IOException {
        Path near = file.resolveSibling(file.getFileName() + ".new");
        Files.copy(made, near, StandardCopyOption.REPLACE_EXISTING);
        Files.move(near, file, StandardCopyOption.ATOMIC_MOVE);
        Files.deleteIfExists(crash());
        removeOld();
    }

    /// Notes that a cache is in use, so that it is not the oldest one.
    static void touch(Path used) {
        try {
            Files.setLastModifiedTime(used, FileTime.from(Instant.now()));
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "made by another user", e);
        }
    }

    private Path failed() {
        return file.resolveSibling(file.getFileName() + FAILED);
    }

    private void removeOld() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            List<Path> files = all.toList();
            Stream<Path> old =
                    files.stream()
                            .filter(one -> isNamed(one, ".aot") && !one.equals(file))
                            .sorted(Comparator.comparing(CacheFolder::age).reversed())
                            .skip(KEPT_MAX);
            Stream<Path> failures = files.stream().filter(one -> isNamed(one, ".aot" + FAILED));
            for (Path each : Stream.concat(old, failures).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    private static boolean isNamed(Path file, String ending) {
        @Nullable Path name = file.getFileName();
        return name != null
                && name.toString().endsWith(ending)
                && name.toString().matches("margay-[0-9a-f]+(-[a-z]+)?\\.aot.*");
    }

    private static FileTime age(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }
}
