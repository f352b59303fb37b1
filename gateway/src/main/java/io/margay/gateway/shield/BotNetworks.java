package io.margay.gateway.shield;

import io.margay.server.forwarded.Networks;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Networks of bots, as lists that their owners publish: fetched when a client claims to be one of
/// them, and once a day from then on. No request waits for that. Guarded by itself; not locked
/// while a list is fetched.
final class BotNetworks {
    private static final System.Logger LOG = System.getLogger(BotNetworks.class.getName());

    private static final long FRESH_NANOS = Duration.ofDays(1).toNanos();
    private static final long KEPT_NANOS = Duration.ofDays(7).toNanos();
    private static final long AGAIN_NANOS = Duration.ofMinutes(10).toNanos();

    private final Map<URI, Listed> lists = new HashMap<>();
    private final KeyDirectory directory;
    private final LongSupplier nanos;

    /// What is known of one list.
    private static final class Listed {
        private @Nullable Networks networks;
        private long fetchedNanos;
        private @Nullable Long askedNanos;
        private boolean asks;
    }

    /// @param nanos as of `System.nanoTime`
    BotNetworks(KeyDirectory directory, LongSupplier nanos) {
        this.directory = directory;
        this.nanos = nanos;
    }

    /// Whether a client is in the networks of a list.
    ///
    /// @return `UNKNOWN` where there is no list
    synchronized BotVerifier.Verdict of(InetSocketAddress client, URI list) {
        Listed listed = lists.computeIfAbsent(list, _ -> new Listed());
        long now = nanos.getAsLong();
        if (listed.networks != null && now - listed.fetchedNanos > KEPT_NANOS) {
            listed.networks = null;
        }
        boolean isOld = listed.networks == null || now - listed.fetchedNanos > FRESH_NANOS;
        Long asked = listed.askedNanos;
        if (isOld && !listed.asks && (asked == null || now - asked > AGAIN_NANOS)) {
            listed.asks = true;
            listed.askedNanos = now;
            Thread.ofVirtual().name("margay-bot-keys").start(() -> fetch(list, listed));
        }
        Networks known = listed.networks;
        if (known == null) {
            return listed.asks ? BotVerifier.Verdict.PENDING : BotVerifier.Verdict.UNKNOWN;
        }
        return known.includes(client) ? BotVerifier.Verdict.VERIFIED : BotVerifier.Verdict.IMPOSTOR;
    }

    private void fetch(URI list, Listed listed) {
        Networks found = null;
        try {
            found = Networks.of(directory.networks(list));
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "the networks of {0}: {1}", list, e.toString());
        }
        synchronized (this) {
            listed.asks = false;
            if (found != null) {
                listed.networks = found;
                listed.fetchedNanos = nanos.getAsLong();
            }
        }
    }
}
