package io.margay.valkey.sessions;

import io.margay.valkey.ValkeyConnector;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/// Sessions whose copies this server may use without asking. Valkey notes in the session who holds
/// such a copy; a script that uses or changes the session for another server takes the note away,
/// publishes the key to the holder, and tells that server to wait ([#BREAK_WAIT]) before its
/// response can end.
///
/// The holder listens on one connection, on which it sends a PING now and then. Answers come in
/// order, so when a PING is answered, all that was published before it was sent is known. Copies
/// are trusted for [#TRUST] from the sending of a PING that was answered, which is shorter than the
/// other server's wait. So a request that begins after a response of the other server has ended
/// does not find the copy; nobody's clock but its rate matters.
///
/// Thread-safe. Two virtual threads of its own begin when the first copy is kept: one listens, the
/// other sends, while somebody asks.
final class NearSessions implements AutoCloseable {
    /// Long enough for a pause of the garbage collector, and short enough to be waited for when a
    /// server has failed.
    static final Duration TRUST = Duration.ofMillis(100);

    /// Longer, by what clocks may differ in their rate, and more.
    static final Duration BREAK_WAIT = TRUST.plusMillis(10);

    private static final long PING_NANOS = TRUST.toNanos() / 4;

    /// When nobody has asked for so long, no more PING is sent until somebody does.
    private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();

    /// Until a connection that ended is followed by another one.
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    /// Copies at most; more are asked for as if they were not kept.
    private static final int HELD_MAX = 100_000;

    private static final System.Logger LOG = System.getLogger(NearSessions.class.getName());
    private static final int TOKEN_BYTES = 16;

    private final ConcurrentHashMap<String, Held> held = new ConcurrentHashMap<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final ValkeyConnector connector;
    private final String token;
    private volatile @Nullable Ear ear;
    private volatile @Nullable Thread sender;
    private volatile long askedNanos;
    private volatile boolean closed;

    NearSessions(ValkeyConnector connector) {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        this.token = HexFormat.of().formatHex(random);
        this.connector = connector;
    }

    /// A copy; a new object for each call that asks for one.
    private static final class Held {
        /// Which the copy is; 0 = it is not there yet.
        final long version;

        Held(long version) {
            this.version = version;
        }
    }

    /// By what Valkey knows this server.
    String token() {
        return token;
    }

    // Copies

    /// A call begins after which a copy may be held.
    ///
    /// @return for [#hold]; null = it may not
    @Nullable Object begin(String key) {
        askedNanos = System.nanoTime();
        if (!connector.isListened() || closed) {
            return null;
        }
        if (begun.compareAndSet(false, true)) {
            Thread.ofVirtual().name("margay-sessions-near").start(this::listen);
            sender = Thread.ofVirtual().name("margay-sessions-ping").start(this::send);
        }
        wake();
        if (ear == null || held.size() >= HELD_MAX) {
            return null;
        }
        Held attempt = new Held(0);
        held.put(key, attempt);
        return attempt;
    }

    /// The call has answered that the session has this version; it is held, unless it was broken in
    /// the meantime.
    void hold(String key, Object attempt, long version) {
        boolean _ = held.replace(key, (Held) attempt, new Held(version));
    }

    /// This server itself has written it.
    void written(String key, long version) {
        held.computeIfPresent(
                key,
                (_, before) ->
                        before.version == 0
                                ? before
                                : before.version + 1 == version ? new Held(version) : null);
    }

    void forget(String key) {
        held.remove(key);
    }

    /// Whether the copy of that version is what the session is.
    boolean isNear(String key, long version) {
        long now = System.nanoTime();
        Held copy = held.get(key);
        Ear listening = ear;
        if (copy == null || copy.version != version || listening == null) {
            return false;
        }
        boolean trusted = listening.isTrusted(now);
        if (now - askedNanos > PING_NANOS) {
            askedNanos = now;
            if (!trusted) {
                wake();
            }
        }
        return trusted;
    }

    private void wake() {
        Thread sending = sender;
        Ear listening = ear;
        if (sending != null && (listening == null || !listening.isTrusted(System.nanoTime()))) {
            LockSupport.unpark(sending);
        }
    }

    // The connection

    /// What comes on one connection.
    private final class Ear extends BinaryJedisPubSub {
        private final Connection connection;
        private volatile boolean trusted;
        private volatile long trustedNanos;
        private volatile boolean waiting;
        private volatile long sentNanos;

        Ear(Connection connection) {
            this.connection = connection;
        }

        boolean isTrusted(long now) {
            return trusted && now - trustedNanos < TRUST.toNanos();
        }

        /// What was published before is not known.
        @Override
        public void onSubscribe(byte[] channel, int channels) {
            held.clear();
            ear = this;
            wake();
        }

        @Override
        public void onMessage(byte[] channel, byte[] key) {
            held.remove(new String(key, StandardCharsets.UTF_8));
        }

        @Override
        public void onPong(byte[] text) {
            trustedNanos = sentNanos;
            trusted = true;
            waiting = false;
        }

        /// One PING, unless one is on its way; a connection on which it stays is given up.
        void send(long timeoutNanos) {
            long now = System.nanoTime();
            if (!waiting) {
                sentNanos = now;
                waiting = true;
                ping();
            } else if (now - sentNanos > timeoutNanos) {
                connection.disconnect();
            }
        }
    }

    private void listen() {
        byte[] channel = ("margay:session-near:" + token).getBytes(StandardCharsets.UTF_8);
        while (!closed) {
            try (Connection connection = connector.listening()) {
                new Ear(connection).proceed(connection, channel);
            } catch (IOException | JedisException e) {
                LOG.log(Level.DEBUG, "the connection of sessions that are held has ended", e);
            } finally {
                ear = null;
                held.clear();
            }
            if (!closed) {
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
    }

    private void send() {
        long timeout = connector.bounds().timeout().toNanos();
        while (!closed) {
            Ear listening = ear;
            if (listening == null || System.nanoTime() - askedNanos > QUIET_NANOS) {
                LockSupport.parkNanos(this, RETRY_NANOS);
                continue;
            }
            try {
                listening.send(timeout);
            } catch (JedisException e) {
                LOG.log(Level.DEBUG, "a PING of sessions that are held was not sent", e);
            }
            LockSupport.parkNanos(this, PING_NANOS);
        }
    }

    /// Waits until nobody trusts a copy any more that was broken before this call.
    static void awaitBreak() {
        long end = System.nanoTime() + BREAK_WAIT.toNanos();
        boolean interrupted = false;
        for (long left = BREAK_WAIT.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(NearSessions.class, left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        Ear listening = ear;
        if (listening != null) {
            listening.connection.disconnect();
        }
        LockSupport.unpark(sender);
    }
}
