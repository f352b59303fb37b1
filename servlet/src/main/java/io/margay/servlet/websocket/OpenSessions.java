package io.margay.servlet.websocket;

import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import jakarta.websocket.CloseReason.CloseCodes;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The open WebSocket sessions of one application, which end with the application, or with the HTTP
/// session of the user who opened them (WebSocket 2.2 §7.2). Thread-safe.
final class OpenSessions implements HttpSessionListener, HttpSessionIdListener {
    /// What peers are told.
    static final String STOPPED = "the application stops";

    private final Set<WebSocketUpgrade> open = ConcurrentHashMap.newKeySet();

    private volatile CountDownLatch none = new CountDownLatch(1);

    /// Those of the last handshake, which most sessions share.
    private volatile URI address = URI.create("/");

    private volatile String server = "";
    private volatile boolean ending;

    /// A path as an address; sessions at the same one share it.
    ///
    /// @throws IllegalArgumentException when it is none
    URI address(String path) {
        URI last = address;
        if (!last.toString().equals(path)) {
            last = URI.create(path);
            address = last;
        }
        return last;
    }

    /// The server's name or address; sessions that came to the same one share it.
    String server(String name) {
        String last = server;
        if (!last.equals(name)) {
            last = name;
            server = last;
        }
        return last;
    }

    /// Adds a session, which then asks whether they are to end.
    void add(WebSocketUpgrade session) {
        open.add(session);
    }

    /// Whether the application stops.
    boolean areEnding() {
        return ending;
    }

    /// The session's connection has ended.
    void remove(WebSocketUpgrade session) {
        open.remove(session);
        if (ending && open.isEmpty()) {
            none.countDown();
        }
    }

    /// Ends all of them with 1001, and no new one begins.
    void leave() {
        ending = true;
        open.forEach(session -> session.end(CloseCodes.GOING_AWAY, STOPPED));
    }

    /// New ones may begin again.
    void rejoin() {
        none = new CountDownLatch(1);
        ending = false;
    }

    /// Ends all, and waits until they have ended; those that have not in time are broken off.
    void endAll(Duration patience) {
        leave();
        try {
            if (open.isEmpty() || none.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        open.forEach(WebSocketUpgrade::abort);
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        String id = event.getSession().getId();
        for (WebSocketUpgrade session : open) {
            if (session.isAuthenticated() && id.equals(session.httpSession())) {
                session.end(CloseCodes.VIOLATED_POLICY, "the user's session has ended");
            }
        }
    }

    @Override
    public void sessionIdChanged(HttpSessionEvent event, String oldSessionId) {
        for (WebSocketUpgrade session : open) {
            if (oldSessionId.equals(session.httpSession())) {
                session.httpSession(event.getSession().getId());
            }
        }
    }
}
