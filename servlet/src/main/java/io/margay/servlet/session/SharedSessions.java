package io.margay.servlet.session;

import io.margay.servlet.session.engine.EngineReading;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SharedSessionLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The sessions of all applications in one engine outside the process. Thread-safe.
public final class SharedSessions implements SessionStores, AutoCloseable {
    /// Characters of a key: as many as 32 random bytes have in Base64 without padding, so that
    /// nobody guesses it.
    public static final int KEY_CHARS_MIN = 32;

    private final EngineGuard guard;
    private final byte[] key;
    private final SessionWrite write;
    private final boolean sticky;
    private final SharedSessionLimits limits;
    private final List<SharedSessionStore> open = new CopyOnWriteArrayList<>();

    /// @param store the word of the configuration, for messages
    /// @param key what is written is signed with it: a secret that the servers share
    /// @param write when a session is written
    /// @param sticky whether clients come back to the server whose route their session has, unless
    ///   it fails, so that it need not ask for each request
    public SharedSessions(
            String store,
            SessionEngine engine,
            String key,
            SessionWrite write,
            boolean sticky,
            SharedSessionLimits limits) {
        if (key.length() < KEY_CHARS_MIN) {
            throw new IllegalArgumentException(
                    "the key of sessions has fewer than " + KEY_CHARS_MIN + " characters");
        }
        this.guard = new EngineGuard(store, engine, limits, this::back);
        this.key = key.getBytes(StandardCharsets.UTF_8);
        this.write = write;
        this.sticky = sticky;
        this.limits = limits;
    }

    @Override
    public SessionStore open(Purpose purpose) {
        SessionSeal seal = new SessionSeal(key, purpose.application());
        SharedSessionStore store =
                new SharedSessionStore(purpose, guard, seal, write, sticky, limits, open::remove);
        open.add(store);
        return store;
    }

    private void back() {
        open.forEach(SharedSessionStore::writeSoon);
    }

    /// Waits, within bounds, until the engine has answered for the first time; without an answer it
    /// counts as away. Called before the first request.
    public void awaitFirstAnswer() {
        guard.awaitFirst();
    }

    /// Asks the engine for a sign of life, whatever has become of the calls before.
    ///
    /// @throws IOException when there is none
    public void check() throws IOException {
        guard.check();
    }

    /// What has become of the engine's calls.
    public EngineReading reading() {
        return guard.reading(open.stream().mapToInt(SharedSessionStore::pending).sum());
    }

    /// Lets the engine go; no application uses it any more.
    @Override
    public void close() {
        guard.close();
    }
}
