package io.margay.servlet.session;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A session as bytes: what outlives the class loader of the application that made it. Immutable.
///
/// @param events hears of attributes that cannot be written or read, and that are dropped
record SessionImage(SessionEvents events) {
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
        long room = AttributeBytes.SESSION_BYTES_MAX;
        for (Map.Entry<String, Object> attribute : session.attributes().entrySet()) {
            if (attribute.getValue() instanceof Serializable) {
                room -= serialise(attribute, classes, written, room);
            }
        }
        out.writeInt(written.size());
        for (Map.Entry<String, byte[]> attribute : written) {
            byte[] name = attribute.getKey().getBytes(StandardCharsets.UTF_8);
            out.writeInt(name.length);
            out.write(name);
            out.writeInt(attribute.getValue().length);
            out.write(attribute.getValue());
        }
    }

    /// Writes an attribute.
    ///
    /// @param room bytes that it may take
    /// @return bytes that it has taken
    private long serialise(
            Map.Entry<String, Object> attribute,
            Set<String> classes,
            List<Map.Entry<String, byte[]>> written,
            long room) {
        String name = attribute.getKey();
        try {
            byte[] value = AttributeBytes.write(attribute.getValue(), classes, room);
            written.add(Map.entry(name, value));
            return value.length;
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
            events.failed("session attribute " + name + " cannot be written and is dropped", e);
            return 0;
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
        WebSession session =
                store.unlisted(
                        id,
                        new WebSession.Times(createdMillis, accessedMillis, maxInactiveSeconds));
        session.login(SavedLogin.read(in));
        for (int left = in.readInt(); left > 0; left--) {
            String name = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
            byte[] value = in.readNBytes(in.readInt());
            try {
                session.restore(name, AttributeBytes.read(value, loader, classes));
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
}
