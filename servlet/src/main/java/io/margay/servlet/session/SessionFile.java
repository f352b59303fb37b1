package io.margay.servlet.session;

import io.margay.server.files.OwnerOnly;
import io.margay.servlet.session.file.ChunkInput;
import io.margay.servlet.session.file.ChunkOutput;
import io.margay.servlet.session.file.KeyFile;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Keeps the sessions of a [MemorySessionStore] in a file while the application is down, in memory
/// of one session. Confined to the thread that starts or stops the application.
///
/// ```
/// "MGYSESS3" | chunks with authentication codes, in which:
/// number of sessions (4) | records | 0 (1) | written (4) | lost (4)
/// record: 1 (1) | number of classes that are new (4) | their names (UTF) | length (4) | session
/// ```
///
/// Attributes are Java objects and so are written by Java serialisation. They are read back only
/// when their chunk carries the right authentication code under a key that lies beside it and that
/// its owner alone may read, and then only as the very classes that were written. A file from
/// anywhere else is never deserialised (CVE-2020-9484).
public final class SessionFile {
    private static final byte[] MAGIC = "MGYSESS3".getBytes(StandardCharsets.US_ASCII);

    /// What a buffer may have grown to for one session before the next gets one of its own.
    private static final int BUFFER_BYTES_KEPT = 1 << 20;

    private final Path file;
    private final KeyFile key;
    private final SessionEvents events;
    private final SessionImage image;

    /// What has become of sessions.
    ///
    /// @param done those that are in the file, or were restored
    /// @param lost those that are not, though they were live
    public record Count(int done, int lost) {
        static final Count NONE = new Count(0, 0);
    }

    /// Sessions in `file`; the key lies beside it under the same name with `.key` appended.
    public SessionFile(Path file, SessionEvents events) {
        this.file = file;
        this.key = new KeyFile(file.resolveSibling(file.getFileName() + ".key"), events::failed);
        this.events = events;
        this.image = new SessionImage(events);
    }

    // Writing

    /// Writes all live sessions and takes them out of the store. One that cannot be written is lost
    /// alone.
    ///
    /// @throws IOException when none is kept
    public Count save(MemorySessionStore store) throws IOException {
        List<WebSession> kept = new ArrayList<>();
        for (WebSession session : store.all()) {
            if (session.isLive() && !session.isExpired()) {
                kept.add(session);
            }
        }
        if (kept.isEmpty()) {
            Files.deleteIfExists(file);
            return Count.NONE;
        }
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(next);
        try {
            byte[] secret = key.readOrMake();
            OwnerOnly.createFile(next);
            Count count;
            try (OutputStream to =
                    new BufferedOutputStream(
                            Files.newOutputStream(next, StandardOpenOption.WRITE))) {
                count = write(kept, new ChunkOutput(to, MAGIC, secret));
            }
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
            kept.forEach(store::forget);
            return count;
        } finally {
            Files.deleteIfExists(next); // Of no use, and in the way on a disk that is full.
        }
    }

    private Count write(List<WebSession> sessions, ChunkOutput chunks) throws IOException {
        int lost = 0;
        Set<String> known = new HashSet<>();
        ByteArrayOutputStream one = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(chunks)) {
            out.writeInt(sessions.size());
            for (WebSession session : sessions) {
                one = one.size() > BUFFER_BYTES_KEPT ? new ByteArrayOutputStream() : one;
                one.reset();
                Set<String> classes = new TreeSet<>();
                try {
                    image.write(session, classes, new DataOutputStream(one));
                } catch (IOException | RuntimeException e) {
                    // A request that outlives its application may end a session meanwhile.
                    events.failed("a session cannot be written and is lost", e);
                    lost++;
                    continue;
                }
                classes.removeAll(known);
                known.addAll(classes);
                out.writeByte(1);
                out.writeInt(classes.size());
                for (String name : classes) {
                    out.writeUTF(name);
                }
                out.writeInt(one.size());
                one.writeTo(out);
            }
            out.writeByte(0);
            out.writeInt(sessions.size() - lost);
            out.writeInt(lost);
        }
        return new Count(sessions.size() - lost, lost);
    }

    // Reading

    /// Reads the sessions back into the store, with classes of `loader`, and removes the file. Of
    /// one that is cut off, or damaged further on, what comes before is restored.
    ///
    /// @throws IOException when the file is not one that this installation wrote
    public Count load(MemorySessionStore store, ClassLoader loader) throws IOException {
        if (!Files.exists(file)) {
            return Count.NONE;
        }
        try (InputStream from = new BufferedInputStream(Files.newInputStream(file))) {
            DataInputStream in = new DataInputStream(new ChunkInput(from, MAGIC, key.read()));
            int expected = in.readInt(); // It is ours.
            return read(store, loader, in, expected);
        }
    }

    private Count read(
            MemorySessionStore store, ClassLoader loader, DataInputStream in, int expected)
            throws IOException {
        Files.delete(file);
        Set<String> classes = new HashSet<>();
        int done = 0;
        try {
            while (in.readByte() != 0) {
                for (int left = in.readInt(); left > 0; left--) {
                    classes.add(in.readUTF());
                }
                done += isRead(session(in), store, loader, classes) ? 1 : 0;
            }
        } catch (IOException e) {
            events.failed("the rest of the sessions is lost", e);
        }
        return new Count(done, Math.max(0, expected - done));
    }

    private static byte[] session(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] session = in.readNBytes(length);
        if (session.length < length) {
            throw new EOFException("session file is cut off");
        }
        return session;
    }

    private boolean isRead(
            byte[] session, MemorySessionStore store, ClassLoader loader, Set<String> classes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(session))) {
            image.read(store, loader, classes, in);
            return true;
        } catch (IOException | RuntimeException e) {
            events.failed("a session cannot be read and is lost", e);
            return false;
        }
    }
}
