package io.margay.servlet.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// Moves sessions from another process of the server, which finishes its requests, into this one:
/// each when a request asks for it here, and the rest by the file in which the other keeps them at
/// its end. Thread-safe; `one` is held while a session is on its way, so that nobody finds it in
/// neither place.
///
/// What comes was written by a process of the same user, which the transport has made sure of: as
/// with [SessionFile], its classes are the ones that it names and no others.
final class ProcessHandover implements MemorySessionStore.Before {
    private final SessionStore.Elsewhere from;
    private final MemorySessionStore to;
    private final Predicate<String> known;
    private final ReentrantLock one = new ReentrantLock();

    ProcessHandover(SessionStore.Elsewhere from, MemorySessionStore to) {
        this.from = from;
        this.to = to;
        known = from.known();
    }

    /// A session with its classes, as [#bring] reads it.
    static byte[] message(Set<String> classes, byte[] session) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(classes.size());
            for (String name : classes) {
                out.writeUTF(name);
            }
            out.write(session);
        }
        return bytes.toByteArray();
    }

    @Override
    public boolean knows(String id) {
        return known.test(id);
    }

    @Override
    public int size() {
        return 0;
    }

    @Override
    public void bring(String id) {
        one.lock();
        try {
            if (to.ready(id) != null) {
                return; // Another request has brought it.
            }
            byte[] session = from.take(id);
            if (session != null) {
                read(session);
            }
        } catch (IOException e) {
            restore(); // The other has ended, before its end was noticed here.
        } finally {
            one.unlock();
        }
    }

    private void read(byte[] session) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(session))) {
            Set<String> classes = new HashSet<>();
            for (int left = in.readInt(); left > 0; left--) {
                classes.add(in.readUTF());
            }
            to.image().read(to, to.loader(), classes, in);
        } catch (IOException e) {
            to.failed("a session cannot be taken over", e);
        }
    }

    @Override
    public void bringAll() {
        one.lock();
        try {
            restore();
        } finally {
            one.unlock();
        }
    }

    private void restore() {
        try {
            int _ = to.start();
        } catch (IOException e) {
            to.failed("sessions are not restored", e);
        }
    }
}
