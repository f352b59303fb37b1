package io.margay.valkey.sessions;

import io.margay.servlet.session.engine.ChangeFence;
import io.margay.servlet.session.engine.ChangeMark;
import io.margay.servlet.session.engine.EngineFullException;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.servlet.session.engine.StoredSession;
import io.margay.valkey.ValkeyConnector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Sessions in Valkey, each a hash: `v` its version, `t` when it was used, `i` its interval in
/// milliseconds, `h` what is not an attribute, `n` who has a copy that it uses without asking
/// ([NearSessions]), and attributes as `a:NAME` with their marks as `w:NAME`, or `d:NAME` of one
/// that was removed; or `x` alone, for a while, when the session was removed. Times are Valkey's
/// own. Whatever is asked of one session is one script, so nothing comes between.
///
/// Valkey itself ends a session some time after its interval ([#GRACE]). Before that servers look
/// for those that are due in a sorted set of each application, whose scores are when a session is
/// due at the earliest; it is put right by who looks, and so costs the requests nothing.
///
/// Thread-safe.
final class ValkeyEngine implements SessionEngine {
    /// A session that is due stays so long for a server to tell its listeners of the end.
    static final Duration GRACE = Duration.ofMinutes(5);

    private static final String PREFIX = "margay:session:";
    private static final String INDEX = "margay:sessions-due:";

    private final ValkeyConnector connector;
    private final NearSessions near;
    private final byte[] removedMillis;
    private final byte[] token;
    private final byte[] nearMillis = bytes(NEAR_MAX.toMillis());

    ValkeyEngine(ValkeyConnector connector, Duration removedFor) {
        this.connector = connector;
        this.near = new NearSessions(connector);
        this.token = bytes(near.token());
        this.removedMillis = bytes(removedFor.toMillis());
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String name(SessionKey key) {
        return PREFIX + key.application() + ":" + key.id();
    }

    private static byte[] key(SessionKey key) {
        return bytes(name(key));
    }

    private static byte[] index(String application) {
        return bytes(INDEX + application);
    }

    private List<?> run(SessionScript script, byte[] key, List<byte[]> arguments)
            throws IOException {
        try {
            return connector.ask(client -> script.run(client, key, arguments));
        } catch (IOException e) {
            if (isFull(e)) {
                throw new EngineFullException(String.valueOf(e.getMessage()), e);
            }
            throw e;
        }
    }

    @Override
    public Lookup use(SessionKey key, long knownVersion) throws IOException {
        return lookup(key, knownVersion, false);
    }

    @Override
    public Lookup useNear(SessionKey key, long knownVersion) throws IOException {
        String name = name(key);
        Object attempt = near.begin(name);
        if (attempt == null) {
            return use(key, knownVersion);
        }
        Lookup found;
        try {
            found = lookup(key, knownVersion, true);
        } catch (EngineFullException e) {
            near.forget(name);
            return use(key, knownVersion); // which asks it to write nothing down
        }
        switch (found) {
            case Lookup.Unchanged _ -> near.hold(name, attempt, knownVersion);
            case Lookup.Found(StoredSession stored) -> near.hold(name, attempt, stored.version());
            case Lookup.Absent _, Lookup.Removed _ -> near.forget(name);
        }
        return found;
    }

    @Override
    public boolean isNear(SessionKey key, long version) {
        return near.isNear(name(key), version);
    }

    @Override
    public void letGo(SessionKey key) {
        near.forget(name(key));
    }

    private Lookup lookup(SessionKey key, long knownVersion, boolean hold) throws IOException {
        List<?> answer =
                run(
                        SessionScript.USE,
                        key(key),
                        List.of(
                                bytes(knownVersion),
                                bytes(GRACE.toMillis()),
                                token,
                                bytes(hold ? 1 : 0),
                                nearMillis));
        return switch (text(answer.getFirst())) {
            case "same" -> {
                awaitBreak(answer);
                yield new Lookup.Unchanged(number(answer.get(1)));
            }
            case "found" -> {
                awaitBreak(answer);
                yield new Lookup.Found(stored(key.id(), answer));
            }
            case "removed" -> new Lookup.Removed();
            default -> new Lookup.Absent();
        };
    }

    /// Waits, if the script says so, until another server has forgotten its copy.
    private static void awaitBreak(List<?> answer) {
        if (text(answer.getLast()).equals("1")) {
            NearSessions.awaitBreak();
        }
    }

    /// A version, a time, and the fields with their values.
    private static StoredSession stored(String id, List<?> answer) throws IOException {
        byte[] head = null;
        Map<String, byte[]> attributes = new HashMap<>();
        Map<String, ChangeMark> marks = new HashMap<>();
        List<?> fields = (List<?>) answer.get(3);
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            String name = text(fields.get(i));
            byte[] value = (byte[]) fields.get(i + 1);
            if (name.equals("h")) {
                head = value;
            } else if (name.startsWith("a:")) {
                attributes.put(name.substring(2), value);
            } else if (name.startsWith("w:") || name.startsWith("d:")) {
                ChangeMark mark = ChangeMark.of(text(value));
                if (mark != null) {
                    marks.put(name.substring(2), mark);
                }
            }
        }
        if (head == null) {
            throw new IOException("there is a session that Margay did not write");
        }
        return new StoredSession(
                id, number(answer.get(1)), number(answer.get(2)), head, attributes, marks);
    }

    private static String text(Object value) {
        return new String((byte[]) value, StandardCharsets.UTF_8);
    }

    private static long number(Object value) throws IOException {
        try {
            return Long.parseLong(text(value));
        } catch (NumberFormatException e) {
            throw new IOException("there is a session that Margay did not write", e);
        }
    }

    @Override
    public Saved save(SessionKey key, SessionChange change) throws IOException {
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(bytes(change.whole() ? 1 : 0));
        arguments.add(bytes(change.intervalMillis()));
        arguments.add(bytes(GRACE.toMillis()));
        arguments.add(change.head() == null ? new byte[0] : change.head());
        arguments.add(token);
        ChangeFence fence = change.fence();
        arguments.add(bytes(fence.writer()));
        arguments.add(bytes(fence.order()));
        arguments.add(fence.writer().isEmpty() ? new byte[0] : bytes(fence.base().version()));
        arguments.add(bytes(fence.base().begunMillis()));
        arguments.add(bytes(change.put().size()));
        change.put()
                .forEach((name, value) -> {
                    arguments.add(bytes("a:" + name));
                    arguments.add(value);
                    origin(arguments, fence, name);
                });
        for (String name : change.removed()) {
            arguments.add(bytes("a:" + name));
            origin(arguments, fence, name);
        }
        List<?> answer = run(SessionScript.SAVE, key(key), arguments);
        return switch (text(answer.getFirst())) {
            case "as" -> {
                if (change.intervalMillis() > 0 && change.head() != null) {
                    list(key, number(answer.get(2)) + change.intervalMillis());
                }
                awaitBreak(answer);
                long version = number(answer.get(1));
                near.written(name(key), version);
                yield new Saved.As(version, late(answer));
            }
            case "removed" -> new Saved.Removed();
            default -> new Saved.Absent();
        };
    }

    private static void origin(List<byte[]> arguments, ChangeFence fence, String name) {
        arguments.add(bytes(fence.since(name).version()));
        arguments.add(bytes(fence.since(name).begunMillis()));
    }

    private static Set<String> late(List<?> answer) {
        Set<String> late = new HashSet<>();
        for (Object field : (List<?>) answer.get(3)) {
            late.add(text(field).substring(2));
        }
        return late;
    }

    private void list(SessionKey key, long dueMillis) throws IOException {
        double due = (double) dueMillis;
        connector.ask(client -> client.zadd(index(key.application()), due, bytes(key.id())));
    }

    @Override
    public boolean remove(SessionKey key) throws IOException {
        List<?> answer = run(SessionScript.REMOVE, key(key), List.of(removedMillis, token));
        near.forget(name(key));
        awaitBreak(answer);
        return text(answer.getFirst()).equals("now");
    }

    @Override
    public List<StoredSession> takeExpired(String application, int max) throws IOException {
        byte[] index = index(application);
        List<?> due = run(SessionScript.DUE, index, List.of(bytes(max)));
        List<StoredSession> taken = new ArrayList<>();
        for (Object one : due) {
            byte[] id = (byte[]) one;
            SessionKey key = new SessionKey(application, text(id));
            List<?> answer = run(SessionScript.TAKE, key(key), List.of(removedMillis, nearMillis));
            if (text(answer.getFirst()).equals("later")) {
                list(key, number(answer.get(1)));
                continue;
            }
            connector.ask(client -> client.zrem(index, id));
            if (text(answer.getFirst()).equals("taken")) {
                taken.add(stored(key.id(), answer));
            }
        }
        return taken;
    }

    @Override
    public void check() throws IOException {
        connector.forgetIdle();
        run(SessionScript.ALIVE, bytes(PREFIX), List.of());
    }

    /// Whether memory is full, or writes are refused because the disk is.
    private static boolean isFull(IOException failure) {
        String text = String.valueOf(failure.getMessage());
        return text.startsWith("OOM ") || text.startsWith("MISCONF ");
    }

    @Override
    public void close() {
        near.close();
        connector.close();
    }
}
