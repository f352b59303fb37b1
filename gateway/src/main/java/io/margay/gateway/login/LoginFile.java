package io.margay.gateway.login;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What a file of users or groups says, read again when it has changed, for which it is looked at
/// once a second. Thread-safe: `lock` guards reading, and is never taken by loops.
final class LoginFile<T> {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// Of a file that is not there, or cannot be read.
    static final String MISSING = "";

    private final Path file;
    private final Function<String, T> parser;
    private final LoginLimits limits;
    private final LongSupplier nanoClock;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Look look;
    private volatile @Nullable Content<T> content;

    /// @param stamp of the file as it was then
    private record Look(String stamp, long nanos) {}

    private record Content<T>(String stamp, T value) {}

    /// @param parser of the text, each octet as a character
    LoginFile(Path file, Function<String, T> parser, LoginLimits limits, LongSupplier nanoClock) {
        this.file = file;
        this.parser = parser;
        this.limits = limits;
        this.nanoClock = nanoClock;
        look = look(nanoClock.getAsLong());
    }

    /// What tells the file from what it was before; [#MISSING] where there is none. May be called
    /// by loops.
    String stamp() {
        Look known = look;
        long now = nanoClock.getAsLong();
        if (now - known.nanos < LOOK_NANOS) {
            return known.stamp;
        }
        Look made = look(now);
        look = made;
        return made.stamp;
    }

    private Look look(long now) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return new Look(
                    found.lastModifiedTime() + " " + found.size() + " " + found.fileKey(), now);
        } catch (IOException _) {
            return new Look(MISSING, now);
        }
    }

    /// What it says, as far as that was read since it has changed; else null. May be called by
    /// loops.
    @Nullable T known() {
        Content<T> read = content;
        return read != null && read.stamp.equals(stamp()) ? read.value : null;
    }

    /// What it says. May wait for the disk.
    ///
    /// @throws IOException when it cannot be read, or is too large
    T read() throws IOException {
        String stamp = stamp();
        Content<T> known = content;
        if (known != null && known.stamp.equals(stamp)) {
            return known.value;
        }
        lock.lock();
        try {
            if (Files.size(file) > limits.fileBytesMax()) {
                throw new IOException(file + " is larger than " + limits.fileBytesMax());
            }
            T value = parser.apply(Files.readString(file, StandardCharsets.ISO_8859_1));
            content = new Content<>(stamp, value);
            return value;
        } finally {
            lock.unlock();
        }
    }
}
