package io.margay.app;

import io.margay.app.admin.ManagedServer.Session;
import io.margay.servlet.deploy.Deployment;
import io.margay.servlet.session.SavedLogin;
import io.margay.servlet.session.SessionLogin;
import io.margay.servlet.session.WebSession;
import jakarta.servlet.http.HttpSession;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The sessions of an application, as its operators may see and end them. Thread-safe.
record AppSessions(Deployment deployment) {
    private static final System.Logger LOG = System.getLogger(AppSessions.class.getName());
    private static final int SHOWN_CHARS = 6;
    private static final int KEY_BYTES = 16;

    /// The live ones.
    List<Session> all() {
        long now = System.currentTimeMillis();
        return deployment.webApp().liveSessions().stream()
                .flatMap(session -> read(session, now).stream())
                .toList();
    }

    /// Ends those that have been idle for longer.
    ///
    /// @return how many
    int expire(Duration idle) {
        long now = System.currentTimeMillis();
        List<HttpSession> late = new ArrayList<>();
        for (HttpSession session : deployment.webApp().liveSessions()) {
            Optional<Session> read = read(session, now);
            if (read.isPresent() && read.get().idle().compareTo(idle) > 0) {
                late.add(session);
            }
        }
        end(late);
        return late.size();
    }

    /// Ends the one with a key.
    ///
    /// @return how its identifier begins; null when there is none
    @Nullable String end(String key) {
        for (HttpSession session : deployment.webApp().liveSessions()) {
            String id = session.getId();
            if (keyOf(id).equals(key)) {
                end(List.of(session));
                return beginning(id);
            }
        }
        return null;
    }

    /// Listeners of the application are told.
    private void end(List<HttpSession> sessions) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(deployment.classLoader());
        try {
            for (HttpSession session : sessions) {
                try {
                    session.invalidate();
                } catch (IllegalStateException e) {
                    LOG.log(Level.DEBUG, "the session has just ended", e);
                }
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Optional<Session> read(HttpSession session, long now) {
        try {
            return Optional.of(
                    new Session(
                            beginning(session.getId()),
                            keyOf(session.getId()),
                            Instant.ofEpochMilli(session.getCreationTime()),
                            Duration.ofMillis(Math.max(0, now - session.getLastAccessedTime())),
                            Duration.ofSeconds(Math.max(0, session.getMaxInactiveInterval())),
                            userOf(session)));
        } catch (IllegalStateException e) {
            return Optional.empty(); // It has ended in this moment.
        }
    }

    /// Enough of an identifier to find it among a browser's cookies, too little to use it.
    private static String beginning(String id) {
        return id.substring(0, Math.min(id.length() / 4, SHOWN_CHARS));
    }

    private static String keyOf(String id) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, KEY_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // Every JVM has it.
        }
    }

    private static @Nullable String userOf(HttpSession session) {
        SessionLogin login = session instanceof WebSession own ? own.login() : null;
        SavedLogin saved = login == null ? null : login.saved();
        return saved == null ? null : saved.user();
    }
}
