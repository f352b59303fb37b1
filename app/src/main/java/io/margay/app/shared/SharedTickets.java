package io.margay.app.shared;

import io.margay.server.shared.SharedDataException;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedTable;
import io.margay.transport.TlsConfig;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/// The secrets of session tickets that the servers of a group have in common, so that sessions of
/// TLS resume at any of them: one in use, the one before it, and the next, which all servers have
/// long before one of them uses it. The first server that finds one old enough has the next take
/// its place. Thread-safe; written by the thread of the group.
///
/// While the engine is away they stay in use, for [#ROTATION] at the most; then each server has
/// keys of its own until it is back.
final class SharedTickets implements SharedGroup.Task, TlsConfig.TicketSecrets {
    /// How long a secret is in use.
    static final Duration ROTATION = Duration.ofHours(12);

    /// No server has them replaced sooner than this after it has done so, whatever clocks say.
    private static final Duration OWN_ROTATION_MIN = Duration.ofHours(1);

    /// Where they are in the engine.
    static final String TABLE = "tickets";

    private static final int SECRET_BYTES = 32;
    private static final String CURRENT = "current";
    private static final String NEXT = "next";
    private static final String PREVIOUS = "previous";

    /// When the one in use came into use, in milliseconds.
    private static final String SINCE = "since";

    private final SharedTable table;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final SecureRandom random;
    private Map<String, String> known = Map.of();

    /// When this server has replaced them last.
    private long rotatedNanos;

    /// What follows is read by handshakes.
    private volatile List<byte[]> secrets = List.of();

    /// When the engine has had them last.
    private volatile long confirmedNanos;

    SharedTickets(SharedGroup group, InstantSource clock, LongSupplier nanos, SecureRandom random) {
        this.table = group.table(TABLE);
        this.clock = clock;
        this.nanos = nanos;
        this.random = random;
        rotatedNanos = nanos.getAsLong() - OWN_ROTATION_MIN.toNanos();
    }

    @Override
    public void run() throws IOException {
        Map<String, String> entries = table.refresh();
        if (isDue(entries) && isOwnTime()) {
            entries = table.update(all -> isDue(all) ? rotated(all) : all);
            rotatedNanos = nanos.getAsLong();
        }
        take(entries);
        confirmedNanos = nanos.getAsLong();
    }

    private boolean isOwnTime() {
        return nanos.getAsLong() - rotatedNanos >= OWN_ROTATION_MIN.toNanos();
    }

    /// Whether there are none, or the one in use is old enough; also where the clock that said
    /// since when it is in use was far ahead.
    private boolean isDue(Map<String, String> entries) {
        if (!entries.containsKey(CURRENT) || !entries.containsKey(NEXT)) {
            return true;
        }
        try {
            long age = clock.millis() - Long.parseLong(entries.getOrDefault(SINCE, "0"));
            return age >= ROTATION.toMillis() || age < -ROTATION.toMillis();
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private Map<String, String> rotated(Map<String, String> before) {
        Map<String, String> after = new TreeMap<>();
        String inUse = before.get(CURRENT);
        if (inUse != null) {
            after.put(PREVIOUS, inUse);
        }
        after.put(CURRENT, before.getOrDefault(NEXT, random()));
        after.put(NEXT, random());
        after.put(SINCE, Long.toString(clock.millis()));
        return after;
    }

    private String random() {
        byte[] made = new byte[SECRET_BYTES];
        random.nextBytes(made);
        return Base64.getEncoder().encodeToString(made);
    }

    private void take(Map<String, String> entries) throws IOException {
        if (entries.equals(known)) {
            return;
        }
        List<byte[]> taken = new ArrayList<>();
        for (String name : List.of(CURRENT, NEXT, PREVIOUS)) {
            String text = entries.get(name);
            if (text != null) {
                taken.add(secret(text));
            }
        }
        secrets = List.copyOf(taken);
        known = entries;
    }

    private static byte[] secret(String text) throws SharedDataException {
        try {
            byte[] secret = Base64.getDecoder().decode(text);
            if (secret.length == SECRET_BYTES) {
                return secret;
            }
        } catch (IllegalArgumentException e) {
            throw new SharedDataException("no secret of tickets", e);
        }
        throw new SharedDataException("a secret of tickets of another length");
    }

    @Override
    public List<byte[]> secrets() {
        List<byte[]> now = secrets;
        return now.isEmpty() || nanos.getAsLong() - confirmedNanos > ROTATION.toNanos()
                ? List.of()
                : now;
    }
}
