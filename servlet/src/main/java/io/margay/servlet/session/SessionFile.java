package io.margay.servlet.session;

import io.margay.server.files.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Keeps the sessions of a [MemorySessionStore] in a file while the application is down. Confined
/// to the thread that starts or stops the application.
///
/// ```
/// "MGYSESS2" | HMAC-SHA-256 of the rest, 32 bytes | class names | sessions
/// ```
///
/// Attributes are Java objects and so are written by Java serialisation. They are read back only
/// when the file carries the right authentication code under a key that lies beside it and that its
/// owner alone may read, and then only as the very classes that were written. A file from anywhere
/// else is never deserialised (CVE-2020-9484).
public final class SessionFile {
    private static final byte[] MAGIC = "MGYSESS2".getBytes(StandardCharsets.US_ASCII);
    private static final String MAC = "HmacSHA256";
    private static final int MAC_BYTES = 32;
    private static final long FILE_BYTES_MAX = 1L << 30;

    private final Path file;
    private final Path keyFile;
    private final SessionEvents events;
    private final SessionImage image;

    /// Sessions in `file`; the key lies beside it under the same name with `.key` appended.
    public SessionFile(Path file, SessionEvents events) {
        this.file = file;
        this.keyFile = file.resolveSibling(file.getFileName() + ".key");
        this.events = events;
        this.image = new SessionImage(events);
    }

    // Writing

    /// Writes all live sessions and takes them out of the store.
    ///
    /// @return how many
    public int save(MemorySessionStore store) throws IOException {
        List<WebSession> kept = new ArrayList<>();
        for (WebSession session : store.all()) {
            if (session.isLive() && !session.isExpired()) {
                kept.add(session);
            }
        }
        Set<String> classes = new TreeSet<>();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(body)) {
            out.writeInt(kept.size());
            for (WebSession session : kept) {
                image.write(session, classes, out);
            }
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(content)) {
            out.writeInt(classes.size());
            for (String name : classes) {
                out.writeUTF(name);
            }
            body.writeTo(out);
        }
        replaceFile(content.toByteArray());
        kept.forEach(store::forget);
        return kept.size();
    }

    private void replaceFile(byte[] content) throws IOException {
        byte[] code = code(key(true), content);
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(next);
        OwnerOnly.createFile(next);
        try (OutputStream out = Files.newOutputStream(next, StandardOpenOption.WRITE)) {
            out.write(MAGIC);
            out.write(code);
            out.write(content);
        }
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    // Reading

    /// Reads the sessions back into the store, with classes of `loader`, and removes the file.
    ///
    /// @return how many
    /// @throws IOException when the file is not one that this installation wrote
    public int load(MemorySessionStore store, ClassLoader loader) throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        byte[] content = authenticated();
        Files.delete(file);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
            Set<String> classes = new HashSet<>();
            for (int left = in.readInt(); left > 0; left--) {
                classes.add(in.readUTF());
            }
            int sessions = in.readInt();
            for (int i = 0; i < sessions; i++) {
                image.read(store, loader, classes, in);
            }
            return sessions;
        }
    }

    private byte[] authenticated() throws IOException {
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw new IOException("session file is larger than " + FILE_BYTES_MAX + " bytes");
        }
        byte[] all = Files.readAllBytes(file);
        int start = MAGIC.length + MAC_BYTES;
        if (all.length < start || !Arrays.equals(all, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IOException("not a session file");
        }
        byte[] content = Arrays.copyOfRange(all, start, all.length);
        byte[] code = Arrays.copyOfRange(all, MAGIC.length, start);
        if (!MessageDigest.isEqual(code, code(key(false), content))) {
            throw new IOException("session file does not carry the right authentication code");
        }
        return content;
    }

    // The key

    private static byte[] code(byte[] key, byte[] content) throws IOException {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IOException("this Java has no " + MAC, e);
        }
    }

    private byte[] key(boolean create) throws IOException {
        if (create && !Files.exists(keyFile)) {
            byte[] fresh = new byte[MAC_BYTES];
            new SecureRandom().nextBytes(fresh);
            try {
                OwnerOnly.createFile(keyFile);
                Files.write(keyFile, fresh);
            } catch (FileAlreadyExistsException e) {
                events.failed("another process made the key of the session file", e);
            }
        }
        requirePrivate();
        try (InputStream in = Files.newInputStream(keyFile)) {
            byte[] key = in.readNBytes(MAC_BYTES + 1);
            if (key.length != MAC_BYTES) {
                throw new IOException("the key of the session file is damaged");
            }
            return key;
        }
    }

    private void requirePrivate() throws IOException {
        if (!posix(keyFile)) {
            return;
        }
        String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(keyFile));
        if (!permissions.endsWith("------")) {
            throw new IOException("the key of the session file may be read by others");
        }
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
