package io.margay.servlet.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A session as bytes: what outlives the class loader of the application that made it. Immutable.
///
/// Attributes are Java objects and so are written by Java serialisation. They are read back only as
/// the very classes that were written.
///
/// @param events hears of attributes that cannot be written or read, and that are dropped
record SessionImage(SessionEvents events) {
    private static final int GRAPH_DEPTH_MAX = 200;
    private static final long GRAPH_REFERENCES_MAX = 1_000_000;

    /// Writes a session.
    ///
    /// @param classes receives the name of every class that is written
    void write(WebSession session, Set<String> classes, DataOutputStream out) throws IOException {
        session.passivate(true);
        out.writeUTF(session.getId());
        out.writeInt(session.getMaxInactiveInterval());
        out.writeLong(session.getCreationTime());
        out.writeLong(session.accessedMillis());
        SessionLogin login = session.login();
        SavedLogin.write(login == null ? null : login.saved(), out);
        List<Map.Entry<String, byte[]>> written = new ArrayList<>();
        session.attributes()
                .forEach((name, value) -> {
                    if (value instanceof Serializable) {
                        serialise(name, value, classes, written);
                    }
                });
        out.writeInt(written.size());
        for (Map.Entry<String, byte[]> attribute : written) {
            byte[] name = attribute.getKey().getBytes(StandardCharsets.UTF_8);
            out.writeInt(name.length);
            out.write(name);
            out.writeInt(attribute.getValue().length);
            out.write(attribute.getValue());
        }
    }

    private void serialise(
            String name,
            Object value,
            Set<String> classes,
            List<Map.Entry<String, byte[]>> written) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Set<String> seen = new HashSet<>();
        try (ObjectOutputStream out = new RecordingOutput(bytes, seen)) {
            out.writeObject(value);
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
            events.failed("session attribute " + name + " cannot be written and is dropped", e);
            return;
        }
        classes.addAll(seen);
        written.add(Map.entry(name, bytes.toByteArray()));
    }

    /// Notes every class that it writes.
    private static final class RecordingOutput extends ObjectOutputStream {
        private final Set<String> seen;

        RecordingOutput(OutputStream out, Set<String> seen) throws IOException {
            super(out);
            this.seen = seen;
        }

        @Override
        protected void annotateClass(Class<?> type) {
            seen.add(type.getName());
        }

        @Override
        protected void annotateProxyClass(Class<?> type) {
            for (Class<?> shown : type.getInterfaces()) {
                seen.add(shown.getName());
            }
        }
    }

    /// Reads a session back, with classes of `loader`, and puts it into the store when it is whole.
    ///
    /// @param classes that may be read
    void read(MemorySessionStore store, ClassLoader loader, Set<String> classes, DataInputStream in)
            throws IOException {
        String id = in.readUTF();
        int maxInactiveSeconds = in.readInt();
        long createdMillis = in.readLong();
        long accessedMillis = in.readLong();
        WebSession session = store.unlisted(id, maxInactiveSeconds, createdMillis, accessedMillis);
        session.login(SavedLogin.read(in));
        for (int left = in.readInt(); left > 0; left--) {
            String name = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
            byte[] value = in.readNBytes(in.readInt());
            try (ObjectInputStream object = new StrictInput(value, loader, classes)) {
                session.restore(name, object.readObject());
            } catch (IOException
                    | ClassNotFoundException
                    | RuntimeException
                    | LinkageError
                    | StackOverflowError e) {
                events.failed("session attribute " + name + " cannot be read and is dropped", e);
            }
        }
        session.passivate(false);
        store.list(session);
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
