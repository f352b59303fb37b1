package io.margay.login.oidc;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Logins that are renewed, or were a moment ago: a browser sends several requests with one cookie,
/// and most providers take a refresh token once. Thread-safe: guarded by `under`, for as long as
/// one look-up takes.
final class Renewals {
    private final OidcLimits limits;
    private final InstantSource clock;
    private final Map<String, Renewal> under;

    private record Renewal(FutureTask<OidcSession> task, long atMillis) {}

    Renewals(OidcLimits limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
        under =
                new LinkedHashMap<>() {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Renewal> eldest) {
                        return size() > limits.refreshedMax();
                    }
                };
    }

    /// Renews a login, or waits for whoever does.
    OidcSession renew(OidcSession before, Callable<OidcSession> by)
            throws ProviderDownException, LoginRefusedException {
        FutureTask<OidcSession> task = task(digest(before.refreshToken()), by);
        task.run(); // nothing, where another thread runs it
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProviderDownException("interrupted", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case LoginRefusedException refused -> throw refused;
                case ProviderDownException down -> {
                    forget(task);
                    throw down;
                }
                case null, default -> {
                    forget(task);
                    throw new IllegalStateException(e.getCause());
                }
            }
        }
    }

    private FutureTask<OidcSession> task(String key, Callable<OidcSession> by) {
        long now = clock.millis();
        synchronized (under) {
            under.values().removeIf(one -> now - one.atMillis > limits.refreshedFor().toMillis());
            Renewal known = under.get(key);
            if (known != null) {
                return known.task;
            }
            FutureTask<OidcSession> made = new FutureTask<>(by);
            Renewal _ = under.put(key, new Renewal(made, now));
            return made;
        }
    }

    /// It can be tried again.
    private void forget(FutureTask<OidcSession> task) {
        synchronized (under) {
            under.values().removeIf(one -> one.task.equals(task));
        }
    }

    private static String digest(String token) {
        try {
            byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
