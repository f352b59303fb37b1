package io.margay.valkey;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/// The client of Valkey, made when it is first asked, for sentinels and clusters are asked then
/// where things are. Thread-safe. A thread of its own makes it, one at a time, and whoever asks in
/// the meantime waits for that one attempt, within bounds; `lock` guards which attempt that is, and
/// is never held while something waits.
public final class ValkeyConnector implements AutoCloseable {
    private static final String STORE_TYPE = "PKCS12";

    /// Of a store that never leaves the memory, and has nothing secret in it.
    private static final char[] STORE_PASSWORD = "certificates".toCharArray();

    private final ValkeyUrl url;
    private final ValkeyBounds bounds;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable UnifiedJedis client;

    /// What is being made now; null = nothing. Guarded by `lock`, as is `closed`.
    private @Nullable FutureTask<UnifiedJedis> attempt;

    private boolean closed;

    public ValkeyConnector(ValkeyUrl url, ValkeyBounds bounds) {
        this.url = url;
        this.bounds = bounds;
    }

    public ValkeyBounds bounds() {
        return bounds;
    }

    /// What is asked of Valkey.
    @FunctionalInterface
    public interface Call<T> {
        T of(UnifiedJedis client);
    }

    /// Asks; once more on a new connection, if one that was kept turns out to be broken.
    public <T> T ask(Call<T> call) throws IOException {
        UnifiedJedis asked = client();
        try {
            return call.of(asked);
        } catch (JedisConnectionException e) {
            if (isTimeout(e)) {
                throw new IOException(e.getMessage(), e);
            }
            forgetIdle();
        } catch (JedisException e) {
            throw new IOException(e.getMessage(), e);
        }
        try {
            return call.of(asked);
        } catch (JedisException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static boolean isTimeout(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /// Closes the connections that nobody uses: those kept from before the other side went away.
    public void forgetIdle() {
        for (Pool<Connection> pool : pools(client)) {
            pool.clear();
        }
    }

    private static Collection<? extends Pool<Connection>> pools(@Nullable UnifiedJedis client) {
        return switch (client) {
            case RedisClient single -> List.of(single.getPool());
            case RedisSentinelClient sentinel -> pools(sentinel);
            case RedisClusterClient cluster -> cluster.getClusterNodes().values();
            case null, default -> List.of();
        };
    }

    @SuppressWarnings("unchecked") // pools of connections, whatever they are found by
    private static Collection<? extends Pool<Connection>> pools(RedisSentinelClient sentinel) {
        return (Collection<? extends Pool<Connection>>)
                (Collection<?>) sentinel.getPrimaryNodesConnectionMap().values();
    }

    private UnifiedJedis client() throws IOException {
        UnifiedJedis made = client;
        if (made != null) {
            return made;
        }
        long wait = bounds.connectTimeout().plus(bounds.timeout()).toNanos();
        try {
            return attempt().get(wait, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the store was searched for", e);
        } catch (TimeoutException e) {
            throw new IOException("the store was not found in time", e);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new IOException(cause.getMessage(), cause);
        }
    }

    /// The attempt that is going on, or a new one.
    private FutureTask<UnifiedJedis> attempt() throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new IOException("the server stops");
            }
            FutureTask<UnifiedJedis> going = attempt;
            if (going == null) {
                going = new FutureTask<>(this::made);
                attempt = going;
                Thread.ofVirtual().name("margay-valkey").start(going);
            }
            return going;
        } finally {
            lock.unlock();
        }
    }

    /// Makes a client, and lets the next attempt begin if that fails.
    private UnifiedJedis made() throws IOException {
        UnifiedJedis made = null;
        try {
            made = make();
            return made;
        } finally {
            if (!keep(made) && made != null) {
                made.close();
            }
        }
    }

    /// @return whether it is used from now on
    private boolean keep(@Nullable UnifiedJedis made) {
        lock.lock();
        try {
            if (made == null) {
                attempt = null;
            } else if (!closed) {
                client = made;
                return true;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// Whether there is one server that everything goes through, at which one can listen: a cluster
    /// passes on what is published in no particular order.
    public boolean isListened() {
        return url.form() != ValkeyUrl.Form.CLUSTER;
    }

    /// A further connection to the server that has the sessions, for who listens there.
    public Connection listening() throws IOException {
        UnifiedJedis asked = client();
        HostAndPort at =
                asked instanceof RedisSentinelClient sentinels
                        ? sentinels.getCurrentMaster()
                        : url.hosts().getFirst();
        return new Connection(at, config(true));
    }

    private UnifiedJedis make() throws IOException {
        DefaultJedisClientConfig config = config(true);
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(bounds.connectionsMax());
        pool.setMaxIdle(bounds.connectionsMax());
        pool.setMaxWait(bounds.timeout());
        return switch (url.form()) {
            case SINGLE ->
                    RedisClient.builder()
                            .hostAndPort(url.hosts().getFirst())
                            .clientConfig(config)
                            .poolConfig(pool)
                            .build();
            case SENTINEL ->
                    RedisSentinelClient.builder()
                            .masterName(url.primary())
                            .sentinels(new HashSet<>(url.hosts()))
                            .sentinelClientConfig(config(false))
                            .clientConfig(config)
                            .poolConfig(pool)
                            .build();
            case CLUSTER ->
                    RedisClusterClient.builder()
                            .nodes(new HashSet<>(url.hosts()))
                            .maxTotalRetriesDuration(bounds.timeout())
                            .clientConfig(config)
                            .poolConfig(pool)
                            .build();
        };
    }

    /// @param data false = for sentinels, which have neither databases nor users
    private DefaultJedisClientConfig config(boolean data) throws IOException {
        DefaultJedisClientConfig.Builder config =
                DefaultJedisClientConfig.builder()
                        .resp2()
                        .connectionTimeoutMillis((int) bounds.connectTimeout().toMillis())
                        .socketTimeoutMillis((int) bounds.timeout().toMillis());
        if (data) {
            config.user(url.user()).password(url.password()).database(url.database());
        }
        if (url.tls()) {
            config.sslOptions(tls());
        }
        return config.build();
    }

    private SslOptions tls() throws IOException {
        SslOptions.Builder options = SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL);
        String authority = url.authority();
        if (authority != null) {
            byte[] trusted = trusted(authority);
            options.trustStoreType(STORE_TYPE)
                    .truststore(() -> new ByteArrayInputStream(trusted), STORE_PASSWORD);
        }
        return options.build();
    }

    /// The certificates of a PEM file, in a form that the client reads.
    private static byte[] trusted(String authority) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(authority))) {
            KeyStore trusted = KeyStore.getInstance(STORE_TYPE);
            trusted.load(null, null);
            int number = 0;
            for (Certificate one :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("authority-" + number++, one);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            trusted.store(bytes, STORE_PASSWORD);
            return bytes.toByteArray();
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    authority + " is not a file of certificates: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        UnifiedJedis made;
        lock.lock();
        try {
            closed = true;
            made = client;
        } finally {
            lock.unlock();
        }
        if (made != null) {
            made.close();
        }
    }
}
