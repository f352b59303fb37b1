package io.margay.transport.tls;

import io.margay.transport.TlsClientConfig;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/// The engines of outbound TLS connections, by what these trust and show. Thread-safe.
///
/// The servers' names make no difference, for members of upstreams come and go. Nobody tells when a
/// reload has left a configuration out, so what no connection has asked for in a while is
/// forgotten, and read again if one does.
final class OutboundEngines {
    /// As long as sessions can be resumed.
    static final Duration UNUSED_MAX = Duration.ofSeconds(ClientEngines.SESSION_SECONDS);

    /// Configurations at a time: those in use, and those of reloads of the last hour.
    static final int CONFIGURATIONS_MAX = 1000;

    private final Map<TlsClientConfig, ClientEngines> made = new ConcurrentHashMap<>();
    private final LongSupplier nanos;

    /// @param nanos the time, as by [System#nanoTime]
    OutboundEngines(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// What makes the engines of connections to a server.
    ///
    /// @throws io.margay.transport.TlsSetupException when a file cannot be used
    Supplier<SSLEngine> of(TlsClientConfig tls) {
        TlsClientConfig key = tls.withServerName("");
        ClientEngines engines = made.get(key);
        if (engines == null) {
            if (made.size() >= CONFIGURATIONS_MAX) {
                forgetOldest();
            }
            engines = made.computeIfAbsent(key, ClientEngines::new);
        }
        engines.used = nanos.getAsLong();
        ClientEngines found = engines;
        return () -> found.engine(tls.serverName());
    }

    /// Reads files that have changed, and forgets what is not used. To be called from time to time.
    void check() {
        long now = nanos.getAsLong();
        made.values().removeIf(one -> now - one.used > UNUSED_MAX.toNanos());
        made.values().forEach(ClientEngines::check);
    }

    private void forgetOldest() {
        long now = nanos.getAsLong();
        made.entrySet().stream()
                .max(Comparator.comparingLong(one -> now - one.getValue().used))
                .ifPresent(oldest -> made.remove(oldest.getKey(), oldest.getValue()));
    }

    int size() {
        return made.size();
    }
}
