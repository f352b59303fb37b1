package io.margay.compat.tomcat.javax;

import static io.margay.compat.tomcat.javax.ClassConstants.u2;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A class file to whose constant pool entries are added, and of which single bytes are replaced:
/// no instruction moves, so that all else of the file stays true. Confined to one thread.
final class ClassPatch {
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;
    private static final int POOL_COUNT_MAX = 0xffff;

    private final byte[] file;
    private final int[] at;
    private final int poolEnd;
    private final ByteArrayOutputStream added = new ByteArrayOutputStream();
    private final Map<String, Integer> known = new HashMap<>();
    private int count;

    /// @param file a class file that is whole; its bytes are replaced
    ClassPatch(byte[] file) {
        this.file = file;
        count = u2(file, ClassConstants.POOL_COUNT_AT);
        at = new int[count];
        int next = ClassConstants.POOL_AT;
        for (int i = 1; i < count; i++) {
            at[i] = next;
            int size = ClassConstants.size(file, next);
            if (ClassConstants.takesTwo(file[next])) {
                i++;
            }
            next += size;
        }
        poolEnd = next;
    }

    /// Where in the file an entry of the pool begins.
    int entryAt(int index) {
        return at[index];
    }

    /// Where in the file the word with the superclass is.
    int superclassAt() {
        return poolEnd + 4;
    }

    void put1(int position, int value) {
        file[position] = (byte) value;
    }

    void put2(int position, int value) {
        file[position] = (byte) (value >> 8);
        file[position + 1] = (byte) value;
    }

    int get1(int position) {
        return file[position] & 0xff;
    }

    int get2(int position) {
        return u2(file, position);
    }

    /// Where the bytecode of each method begins, in the order of the methods; -1 = it has none.
    List<Integer> codes() {
        int next = poolEnd + 6;
        next += 2 + 2 * get2(next);
        next = members(next, new ArrayList<>());
        List<Integer> codes = new ArrayList<>();
        members(next, codes);
        return codes;
    }

    /// Passes over fields or methods.
    private int members(int begin, List<Integer> codes) {
        int next = begin + 2;
        for (int left = get2(begin); left > 0; left--) {
            int attributes = get2(next + 6);
            next += 8;
            int code = -1;
            for (int i = 0; i < attributes; i++) {
                if (isCode(get2(next))) {
                    code = next + 14;
                }
                next += 6 + ((get2(next + 2) << 16) | get2(next + 4));
            }
            codes.add(code);
        }
        return next;
    }

    private boolean isCode(int name) {
        int begin = at[name];
        return get2(begin + 1) == 4
                && new String(file, begin + 3, 4, StandardCharsets.ISO_8859_1).equals("Code");
    }

    /// The entry of a method of a class, added if it is new.
    int method(String owner, String name, String descriptor) {
        int type = classEntry(owner);
        int nameAndType = pair(NAME_AND_TYPE, utf8(name), utf8(descriptor));
        return pair(METHOD, type, nameAndType);
    }

    /// The entry of a class, added if it is new.
    int classEntry(String name) {
        int text = utf8(name);
        return known.computeIfAbsent(
                "c" + text,
                _ -> {
                    added.write(CLASS);
                    word(text);
                    return count++;
                });
    }

    private int pair(int tag, int first, int second) {
        return known.computeIfAbsent(
                tag + " " + first + " " + second,
                _ -> {
                    added.write(tag);
                    word(first);
                    word(second);
                    return count++;
                });
    }

    private int utf8(String text) {
        return known.computeIfAbsent(
                "u" + text,
                _ -> {
                    added.write(ClassConstants.UTF8);
                    word(text.length());
                    added.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
                    return count++;
                });
    }

    private void word(int value) {
        added.write(value >> 8);
        added.write(value);
    }

    /// Whether the pool is larger than a class file can have.
    boolean isTooLarge() {
        return count > POOL_COUNT_MAX;
    }

    /// The patched file.
    byte[] toBytes() {
        byte[] whole = new byte[file.length + added.size()];
        System.arraycopy(file, 0, whole, 0, poolEnd);
        System.arraycopy(added.toByteArray(), 0, whole, poolEnd, added.size());
        System.arraycopy(file, poolEnd, whole, poolEnd + added.size(), file.length - poolEnd);
        whole[ClassConstants.POOL_COUNT_AT] = (byte) (count >> 8);
        whole[ClassConstants.POOL_COUNT_AT + 1] = (byte) count;
        return whole;
    }
}
