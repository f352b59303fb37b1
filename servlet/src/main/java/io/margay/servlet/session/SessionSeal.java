package io.margay.servlet.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs what of a session leaves the process, and reads back only what was signed with the same
/// key: for this application, this session and this attribute (HMAC-SHA-256). So whoever can write
/// to the engine can put nothing together that would be deserialised, nor give the attributes or
/// the user of one session to another; only an older state of the same session passes. Immutable.
final class SessionSeal {
    private static final String MAC = "HmacSHA256";
    static final int MAC_BYTES = 32;
    private static final int DIGEST_BYTES = MAC_BYTES + Integer.BYTES;

    private final SecretKeySpec key;
    private final byte[] application;

    SessionSeal(byte[] key, String application) {
        this.key = new SecretKeySpec(key, MAC);
        this.application = application.getBytes(StandardCharsets.UTF_8);
    }

    byte[] head(String id, SessionHead head) throws IOException {
        return sealed("head", id.getBytes(StandardCharsets.US_ASCII), "", head.bytes());
    }

    SessionHead openHead(String id, byte[] sealed) throws IOException {
        byte[] bytes = opened("head", id.getBytes(StandardCharsets.US_ASCII), "", sealed);
        return SessionHead.read(bytes);
    }

    /// The classes of a value and the value.
    ///
    /// @param bytesMax see [AttributeBytes#write]
    byte[] attribute(byte[] seed, String name, Object value, long bytesMax) throws IOException {
        Set<String> classes = new TreeSet<>();
        byte[] serial = AttributeBytes.write(value, classes, bytesMax);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(classes.size());
            for (String type : classes) {
                out.writeUTF(type);
            }
            out.write(serial);
        }
        return sealed("attribute", seed, name, bytes.toByteArray());
    }

    Object openAttribute(byte[] seed, String name, byte[] sealed, ClassLoader loader)
            throws IOException, ClassNotFoundException {
        byte[] bytes = opened("attribute", seed, name, sealed);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            Set<String> classes = new HashSet<>();
            for (int left = in.readInt(); left > 0; left--) {
                classes.add(in.readUTF());
            }
            return AttributeBytes.read(in.readAllBytes(), loader, classes);
        }
    }

    /// By which one tells whether two sealed values are the same: the code, then their length.
    static byte[] digest(byte[] sealed) {
        byte[] digest = Arrays.copyOf(sealed, DIGEST_BYTES);
        ByteBuffer.wrap(digest).putInt(MAC_BYTES, sealed.length);
        return digest;
    }

    /// The bytes of the sealed value that a digest is of; 0 of one that is not known.
    static int length(byte[] digest) {
        return digest.length < DIGEST_BYTES ? 0 : ByteBuffer.wrap(digest).getInt(MAC_BYTES);
    }

    private byte[] sealed(String kind, byte[] of, String name, byte[] content) throws IOException {
        byte[] code = code(kind, of, name, content, 0);
        byte[] sealed = Arrays.copyOf(code, MAC_BYTES + content.length);
        System.arraycopy(content, 0, sealed, MAC_BYTES, content.length);
        return sealed;
    }

    private byte[] opened(String kind, byte[] of, String name, byte[] sealed) throws IOException {
        if (sealed.length < MAC_BYTES
                || !MessageDigest.isEqual(
                        Arrays.copyOf(sealed, MAC_BYTES),
                        code(kind, of, name, sealed, MAC_BYTES))) {
            throw new InvalidClassException("it does not carry the right authentication code");
        }
        return Arrays.copyOfRange(sealed, MAC_BYTES, sealed.length);
    }

    /// Each part with its length before it, so that no two lists of parts look alike.
    private byte[] code(String kind, byte[] of, String name, byte[] content, int from)
            throws IOException {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            part(mac, kind.getBytes(StandardCharsets.US_ASCII));
            part(mac, application);
            part(mac, of);
            part(mac, name.getBytes(StandardCharsets.UTF_8));
            mac.update(content, from, content.length - from);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IOException("this Java has no " + MAC, e);
        }
    }

    private static void part(Mac mac, byte[] part) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            mac.update((byte) (part.length >>> shift));
        }
        mac.update(part);
    }
}
