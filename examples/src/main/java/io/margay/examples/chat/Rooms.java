package io.margay.examples.chat;

import jakarta.websocket.Session;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;

/// Who is in which room. Thread-safe; rooms without people are not kept.
final class Rooms {
    private final Map<String, Set<Session>> rooms = new ConcurrentHashMap<>();

    /// Lets somebody in.
    void enter(String room, Session session) {
        rooms.compute(
                room,
                (_, present) -> {
                    Set<Session> all = present == null ? ConcurrentHashMap.newKeySet() : present;
                    all.add(session);
                    return all;
                });
    }

    /// Somebody has left.
    void leave(String room, Session session) {
        rooms.computeIfPresent(
                room,
                (_, present) -> {
                    present.remove(session);
                    return present.isEmpty() ? null : present;
                });
    }

    /// Sends a line to everybody in a room, waiting for nobody.
    void tell(String room, String line) {
        for (Session session : rooms.getOrDefault(room, Set.of())) {
            try {
                Future<Void> _ = session.getAsyncRemote().sendText(line);
            } catch (IllegalStateException e) {
                // It has been closed meanwhile, and its own end is on the way.
                leave(room, session);
            }
        }
    }
}
