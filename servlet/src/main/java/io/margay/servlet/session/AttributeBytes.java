package io.margay.servlet.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Values of attributes as bytes, by Java serialisation. They are read back only as the very
/// classes that were written. Stateless.
final class AttributeBytes {
    private static final int GRAPH_DEPTH_MAX = 200;
    private static final long GRAPH_REFERENCES_MAX = 1_000_000;

    /// Bytes that all attributes of one session may take as they are written, which are in memory
    /// together then: 64 MiB, and no more than a sixteenth of the heap.
    static final long SESSION_BYTES_MAX =
            Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);

    /// Whether objects of a class are written in place of others (`writeReplace`), which they make
    /// again when they are read: those of `java.time` and of `List.of` are, for instance.
    private static final ClassValue<Boolean> RESOLVES =
            new ClassValue<>() {
                @Override
                protected Boolean computeValue(Class<?> type) {
                    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                        for (Method method : at.getDeclaredMethods()) {
                            if (method.getName().equals("readResolve")
                                    && method.getParameterCount() == 0) {
                                return true;
                            }
                        }
                    }
                    return false;
                }
            };

    private AttributeBytes() {}

    /// Writes a value.
    ///
    /// @param classes receives the name of every class that is written, if all goes well
    /// @param bytesMax no more is held in memory
    /// @throws IOException also when it takes more
    static byte[] write(Object value, Set<String> classes, long bytesMax) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Map<String, Class<?>> seen = new HashMap<>();
        OutputStream bounded = new BoundedOutput(bytes, bytesMax);
        try (ObjectOutputStream out = new RecordingOutput(bounded, seen)) {
            out.writeObject(value);
        }
        byte[] written = bytes.toByteArray();
        classes.addAll(seen.keySet());
        if (seen.values().stream().anyMatch(RESOLVES::get)) {
            classes.addAll(answered(written, seen));
        }
        return written;
    }

    /// The classes of what is made again of what was just written: only reading tells.
    private static Set<String> answered(byte[] written, Map<String, Class<?>> known)
            throws IOException {
        try (RecordingInput in = new RecordingInput(written, known)) {
            in.readObject();
            return in.seen;
        } catch (ClassNotFoundException e) {
            throw new IOException("it cannot be read again", e);
        }
    }

    /// Reads a value, with classes of `loader`.
    ///
    /// @param classes that may be read
    static Object read(byte[] value, ClassLoader loader, Set<String> classes)
            throws IOException, ClassNotFoundException {
        try (ObjectInputStream object = new StrictInput(value, loader, classes)) {
            return object.readObject();
        }
    }

    /// Fails with what does not fit.
    private static final class BoundedOutput extends FilterOutputStream {
        private final long max;
        private long written;

        BoundedOutput(OutputStream out, long max) {
            super(out);
            this.max = max;
        }

        @Override
        public void write(int one) throws IOException {
            take(1);
            out.write(one);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            take(count);
            out.write(bytes, from, count);
        }

        private void take(int count) throws IOException {
            written += count;
            if (written > max) {
                throw new IOException("it takes more than the " + max + " bytes that are left");
            }
        }
    }

    /// Notes every class that it writes.
    private static final class RecordingOutput extends ObjectOutputStream {
        private final Map<String, Class<?>> seen;

        RecordingOutput(OutputStream out, Map<String, Class<?>> seen) throws IOException {
            super(out);
            this.seen = seen;
        }

        @Override
        protected void annotateClass(Class<?> type) {
            seen.put(type.getName(), type);
        }

        @Override
        protected void annotateProxyClass(Class<?> type) {
            for (Class<?> shown : type.getInterfaces()) {
                seen.put(shown.getName(), shown);
            }
        }
    }

    /// Notes every class that it reads, of bytes that this process has just written.
    private static final class RecordingInput extends ObjectInputStream {
        private final Map<String, Class<?>> known;
        private final Set<String> seen = new HashSet<>();

        RecordingInput(byte[] bytes, Map<String, Class<?>> known) throws IOException {
            super(new ByteArrayInputStream(bytes));
            this.known = known;
            setObjectInputFilter(info -> {
                Class<?> type = info.serialClass();
                if (type != null) {
                    seen.add(type.getName());
                }
                return ObjectInputFilter.Status.ALLOWED;
            });
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description)
                throws IOException, ClassNotFoundException {
            Class<?> type = known.get(description.getName());
            return type != null ? type : super.resolveClass(description);
        }
    }

    /// Reads only classes that were written, as the application knows them.
    private static final class StrictInput extends ObjectInputStream {
        private final ClassLoader loader;

        StrictInput(byte[] bytes, ClassLoader loader, Set<String> classes) throws IOException {
            super(new ByteArrayInputStream(bytes));
            this.loader = loader;
            setObjectInputFilter(info -> check(info, classes, bytes.length));
        }

        private static ObjectInputFilter.Status check(
                ObjectInputFilter.FilterInfo info, Set<String> classes, int bytes) {
            if (info.depth() > GRAPH_DEPTH_MAX
                    || info.references() > GRAPH_REFERENCES_MAX
                    || info.arrayLength() > Math.max(64L, 4L * bytes)) {
                return ObjectInputFilter.Status.REJECTED;
            }
            Class<?> type = info.serialClass();
            if (type == null) {
                return ObjectInputFilter.Status.UNDECIDED;
            }
            Class<?> element = type;
            while (element.isArray()) {
                element = element.componentType();
            }
            boolean table =
                    type.isArray() && (element == Object.class || element == Map.Entry.class);
            boolean known = table || element.isPrimitive() || classes.contains(element.getName());
            return known || classes.contains(type.getName())
                    ? ObjectInputFilter.Status.ALLOWED
                    : ObjectInputFilter.Status.REJECTED;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description)
                throws IOException, ClassNotFoundException {
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(description);
            }
        }
    }
}
