package io.margay.servlet.deploy;

import io.margay.servlet.descriptor.ClassHeader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// What the strings in the constant pools of a library's classes (JVMS §4.4) say of them: enough to
/// leave most libraries alone. Immutable.
///
/// @param annotations whether a class may be annotated with what declares something
/// @param webSocket whether a class may be an endpoint, or configure some, by what it extends,
///   implements or is annotated with itself
record ClassMentions(boolean annotations, boolean webSocket) {
    static final ClassMentions NONE = new ClassMentions(false, false);

    /// What cannot be told is to be looked at.
    private static final ClassMentions ALL = new ClassMentions(true, true);

    /// Descriptors of annotations that declare something (descriptor package).
    private static final byte[][] ANNOTATIONS = {
        bytes("Ljakarta/servlet/annotation/"),
        bytes("Ljakarta/annotation/"),
        bytes("Ljakarta/mail/")
    };

    /// Names of the WebSocket API and of what implements it in the container.
    private static final byte[][] WEB_SOCKET = {
        bytes("jakarta/websocket/"),
        bytes("Ljakarta/websocket/"),
        bytes("org/glassfish/tyrus/"),
        bytes("io/margay/servlet/websocket/")
    };

    private static final int POOL_COUNT_AT = 8;
    private static final int CLASS_BYTES_MAX = 16 << 20;

    private static final int UTF8 = 1;
    private static final int INTEGER = 3;
    private static final int FLOAT = 4;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;
    private static final int METHOD_HANDLE = 15;
    private static final int METHOD_TYPE = 16;
    private static final int DYNAMIC = 17;
    private static final int INVOKE_DYNAMIC = 18;
    private static final int MODULE = 19;
    private static final int PACKAGE = 20;

    /// The same as names of types.
    private static final List<String> ANNOTATION_TYPES =
            List.of("jakarta.servlet.annotation.", "jakarta.annotation.", "jakarta.mail.");

    private static final List<String> WEB_SOCKET_TYPES =
            List.of("jakarta.websocket.", "org.glassfish.tyrus.", "io.margay.servlet.websocket.");

    /// Of a class whose file has been read.
    static ClassMentions of(ClassHeader header) {
        String parent = header.superName();
        return new ClassMentions(
                isAmong(header.onClass(), ANNOTATION_TYPES)
                        || isAmong(header.onMembers(), ANNOTATION_TYPES),
                isAmong(header.onClass(), WEB_SOCKET_TYPES)
                        || isAmong(header.interfaces(), WEB_SOCKET_TYPES)
                        || (parent != null && isAmong(List.of(parent), WEB_SOCKET_TYPES)));
    }

    private static boolean isAmong(Collection<String> names, List<String> prefixes) {
        for (String name : names) {
            for (String prefix : prefixes) {
                if (name.startsWith(prefix)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// Of all classes of a library.
    static ClassMentions read(Path jar) throws IOException {
        ClassMentions sum = NONE;
        byte[] buffer = new byte[64 << 10];
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements() && !sum.equals(ALL)) {
                ZipEntry entry = entries.nextElement();
                String name = entry.getName();
                if (name.startsWith("META-INF/") || !ClassIndexes.isClass(name)) {
                    continue;
                }
                long size = entry.getSize();
                if (size < 0 || size > CLASS_BYTES_MAX) {
                    return ALL;
                }
                if (size > buffer.length) {
                    buffer = new byte[(int) size];
                }
                try (InputStream in = zip.getInputStream(entry)) {
                    int length = in.readNBytes(buffer, 0, (int) size);
                    sum = sum.and(of(buffer, length));
                }
            }
        }
        return sum;
    }

    /// Those of both.
    ClassMentions and(ClassMentions other) {
        return new ClassMentions(annotations || other.annotations, webSocket || other.webSocket);
    }

    /// Of the class file at the beginning of an array; all, when it is none.
    static ClassMentions of(byte[] bytes, int length) {
        if (length < POOL_COUNT_AT + 2 || u2(bytes, 0) != 0xcafe || u2(bytes, 2) != 0xbabe) {
            return ALL;
        }
        boolean annotations = false;
        boolean webSocket = false;
        int count = u2(bytes, POOL_COUNT_AT);
        int at = POOL_COUNT_AT + 2;
        for (int i = 1; i < count; i++) {
            if (at + 3 > length) {
                return ALL;
            }
            switch (bytes[at]) {
                case UTF8 -> {
                    int from = at + 3;
                    at = from + u2(bytes, at + 1);
                    if (at > length) {
                        return ALL;
                    }
                    annotations |= startsWith(bytes, from, at, ANNOTATIONS);
                    webSocket |= startsWith(bytes, from, at, WEB_SOCKET);
                }
                case LONG, DOUBLE -> {
                    at += 9;
                    i++; // they take two places
                }
                case CLASS, STRING, METHOD_TYPE, MODULE, PACKAGE -> at += 3;
                case METHOD_HANDLE -> at += 4;
                case INTEGER,
                        FLOAT,
                        FIELD,
                        METHOD,
                        INTERFACE_METHOD,
                        NAME_AND_TYPE,
                        DYNAMIC,
                        INVOKE_DYNAMIC ->
                        at += 5;
                default -> {
                    return ALL;
                }
            }
        }
        return new ClassMentions(annotations, webSocket);
    }

    private static int u2(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }

    private static boolean startsWith(byte[] bytes, int from, int end, byte[][] prefixes) {
        for (byte[] prefix : prefixes) {
            if (end - from >= prefix.length
                    && bytes[from] == prefix[0]
                    && Arrays.equals(bytes, from, from + prefix.length, prefix, 0, prefix.length)) {
                return true;
            }
        }
        return false;
    }
}
