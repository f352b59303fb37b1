package io.margay.servlet.descriptor;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a class extends, implements and is annotated with, read from its file (JVMS §4) without its
/// code. Immutable.
///
/// @param superName null for `java.lang.Object`
/// @param onClass the annotations of the class itself
/// @param onMembers those of its fields, methods and their parameters
public record ClassHeader(
        String name,
        @Nullable String superName,
        List<String> interfaces,
        Set<String> onClass,
        Set<String> onMembers) {
    /// Reads a class file at the beginning of an array; null when it is none, or damaged.
    public static @Nullable ClassHeader read(byte[] bytes, int length) {
        try {
            return new Reader(bytes, length).header();
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            return null;
        }
    }

    /// One class file. What lies outside of it throws.
    private static final class Reader {
        private static final int MAGIC = 0xcafebabe;
        private static final int UTF8 = 1;
        private static final int CLASS = 7;

        /// How long a constant is by its tag, apart from the tag; 0 = there is no such constant.
        private static final int[] CONSTANT_BYTES = {
            0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2
        };

        private static final int LONG = 5;
        private static final int DOUBLE = 6;

        /// How deep the values of annotations may be nested.
        private static final int DEPTH_MAX = 32;

        private final byte[] bytes;
        private final int length;
        private final int[] constants;
        private boolean annotated;
        private int at;

        Reader(byte[] bytes, int length) {
            this.bytes = bytes;
            this.length = length;
            if (u4() != MAGIC) {
                throw new IllegalArgumentException("no class file");
            }
            skip(4);
            constants = new int[u2()];
            for (int i = 1; i < constants.length; i++) {
                constants[i] = at;
                int tag = u1();
                if (tag == UTF8) {
                    int size = u2();
                    annotated |= size > 20 && bytes[at] == 'R' && endsLikeAnnotations(at + size);
                    skip(size);
                } else {
                    skip(constantBytes(tag));
                    if (tag == LONG || tag == DOUBLE) {
                        i++; // They take two places.
                    }
                }
            }
        }

        private static int constantBytes(int tag) {
            int size = tag < CONSTANT_BYTES.length ? CONSTANT_BYTES[tag] : 0;
            if (size == 0) {
                throw new IllegalArgumentException("no constant has the tag " + tag);
            }
            return size;
        }

        ClassHeader header() {
            skip(2);
            String name = className(u2());
            int superClass = u2();
            List<String> interfaces = new ArrayList<>();
            for (int left = u2(); left > 0; left--) {
                interfaces.add(className(u2()));
            }
            Set<String> onClass = Set.of();
            Set<String> onMembers = Set.of();
            if (annotated) {
                Set<String> found = new HashSet<>();
                members(found);
                members(found);
                onMembers = Set.copyOf(found);
                found.clear();
                attributes(found);
                onClass = Set.copyOf(found);
            }
            return new ClassHeader(
                    name,
                    superClass == 0 ? null : className(superClass),
                    List.copyOf(interfaces),
                    onClass,
                    onMembers);
        }

        /// The fields or the methods.
        private void members(Set<String> annotations) {
            for (int left = u2(); left > 0; left--) {
                skip(6);
                attributes(annotations);
            }
        }

        private void attributes(Set<String> annotations) {
            for (int left = u2(); left > 0; left--) {
                String name = attributeName(u2());
                int size = u4();
                int end = at + size;
                if (size < 0 || end > length) {
                    throw new IllegalArgumentException("an attribute is longer than the class");
                }
                switch (name) {
                    case "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations" ->
                            annotations(annotations);
                    case "RuntimeVisibleParameterAnnotations",
                            "RuntimeInvisibleParameterAnnotations" -> {
                        for (int parameters = u1(); parameters > 0; parameters--) {
                            annotations(annotations);
                        }
                    }
                    default -> {
                        // Code and the like.
                    }
                }
                at = end;
            }
        }

        /// The name of an attribute, if it may be of annotations; else empty.
        private String attributeName(int index) {
            int constant = constants[index];
            int size = u2(constant + 1);
            return endsLikeAnnotations(constant + 3 + size) ? utf8(index) : "";
        }

        private boolean endsLikeAnnotations(int end) {
            return end <= length
                    && bytes[end - 1] == 's'
                    && bytes[end - 2] == 'n'
                    && bytes[end - 3] == 'o'
                    && bytes[end - 4] == 'i';
        }

        private void annotations(Set<String> into) {
            for (int left = u2(); left > 0; left--) {
                String descriptor = utf8(u2());
                if (descriptor.startsWith("L") && descriptor.endsWith(";")) {
                    into.add(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'));
                }
                skipValues(DEPTH_MAX);
            }
        }

        /// Passes over the elements of an annotation.
        private void skipValues(int depth) {
            for (int left = u2(); left > 0; left--) {
                skip(2);
                skipValue(depth);
            }
        }

        private void skipValue(int depth) {
            if (depth == 0) {
                throw new IllegalArgumentException("annotations are nested too deep");
            }
            switch (u1()) {
                case 'e' -> skip(4);
                case '@' -> {
                    skip(2);
                    skipValues(depth - 1);
                }
                case '[' -> {
                    for (int left = u2(); left > 0; left--) {
                        skipValue(depth - 1);
                    }
                }
                default -> skip(2);
            }
        }

        private String className(int index) {
            int constant = constants[index];
            if (bytes[constant] != CLASS) {
                throw new IllegalArgumentException("a constant is not a class");
            }
            return utf8(u2(constant + 1)).replace('/', '.');
        }

        private String utf8(int index) {
            int constant = constants[index];
            if (constant == 0 || bytes[constant] != UTF8) {
                throw new IllegalArgumentException("a constant is not text");
            }
            return new String(bytes, constant + 3, u2(constant + 1), StandardCharsets.UTF_8);
        }

        private void skip(int count) {
            at += count;
            if (at > length) {
                throw new IllegalArgumentException("the class file is cut off");
            }
        }

        private int u1() {
            skip(1);
            return bytes[at - 1] & 0xff;
        }

        private int u2() {
            skip(2);
            return u2(at - 2);
        }

        private int u2(int from) {
            return ((bytes[from] & 0xff) << 8) | (bytes[from + 1] & 0xff);
        }

        private int u4() {
            skip(4);
            return (u2(at - 4) << 16) | u2(at - 2);
        }
    }
}
