package io.margay.compat.tomcat.javax;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The constant pool of a class file (JVMS §4.4), which holds every name and every string of the
/// class. A name that is changed there is changed wherever the class uses it, and the rest of the
/// file stays byte for byte. Stateless.
final class ClassConstants {
    static final int POOL_COUNT_AT = 8;
    static final int POOL_AT = 10;
    static final int UTF8 = 1;

    /// Bytes of an entry by its tag, the tag included; 0 = there is no such tag.
    private static final int[] SIZES = {
        0, 0, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3
    };

    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int UTF8_BYTES_MAX = 0xffff;

    private ClassConstants() {}

    /// A class file with other names; null when none changes, or it is no class file.
    ///
    /// @param word ASCII
    /// @param rename gets each constant that has the word in it, a char for each byte, and may
    ///   change ASCII alone
    static byte @Nullable [] renamed(byte[] file, String word, UnaryOperator<String> rename) {
        if (!isClassFile(file)) {
            return null;
        }
        byte[] wanted = word.getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream out = new ByteArrayOutputStream(file.length + 256);
        int copied = 0;
        int count = u2(file, POOL_COUNT_AT);
        int at = POOL_AT;
        for (int i = 1; i < count; i++) {
            int size = size(file, at);
            if (size == 0 || at + size > file.length) {
                return null; // Damaged: loading it will say so.
            }
            if (file[at] == UTF8 && mentions(file, at + 3, at + size, wanted)) {
                String name = new String(file, at + 3, size - 3, StandardCharsets.ISO_8859_1);
                String changed = rename.apply(name);
                if (!changed.equals(name) && changed.length() <= UTF8_BYTES_MAX) {
                    out.write(file, copied, at + 1 - copied);
                    out.write(changed.length() >> 8);
                    out.write(changed.length());
                    out.writeBytes(changed.getBytes(StandardCharsets.ISO_8859_1));
                    copied = at + size;
                }
            }
            if (takesTwo(file[at])) {
                i++;
            }
            at += size;
        }
        if (copied == 0) {
            return null;
        }
        out.write(file, copied, file.length - copied);
        return out.toByteArray();
    }

    static boolean isClassFile(byte[] file) {
        return file.length > POOL_AT && u2(file, 0) == 0xcafe && u2(file, 2) == 0xbabe;
    }

    /// Bytes of the entry at a position; 0 = it is none.
    static int size(byte[] file, int at) {
        if (at + 3 > file.length || file[at] < 0 || file[at] >= SIZES.length) {
            return 0;
        }
        return file[at] == UTF8 ? 3 + u2(file, at + 1) : SIZES[file[at]];
    }

    /// Whether an entry with a tag takes two places in the pool.
    static boolean takesTwo(int tag) {
        return tag == LONG || tag == DOUBLE;
    }

    private static boolean mentions(byte[] file, int from, int end, byte[] wanted) {
        for (int at = from; at + wanted.length <= end; at++) {
            if (file[at] == wanted[0]
                    && Arrays.equals(file, at, at + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }

    static int u2(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }
}
