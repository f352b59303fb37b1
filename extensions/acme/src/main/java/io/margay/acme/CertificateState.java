package io.margay.acme;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// What is known of a certificate beside itself, kept in a file so that a restart neither forgets a
/// wait nor an order that is under way. Immutable.
///
/// @param directory of the authority that has issued it; null = none has
/// @param failures tries that have failed since
/// @param lastTry the last try, or null
/// @param retryAt when the next try may be; null = at once
/// @param failure why the last one has failed, or null
/// @param order the order that is under way, or null
/// @param ordered for what it is, as [Renewal#fingerprint] says it
/// @param rehearsed for what another authority has issued one already
/// @param window when the authority wants it to be renewed, or null
/// @param renewAt the moment chosen within that window
/// @param askedAt when the authority was asked for that, or null
/// @param askAgain how long its answer holds
@RecordBuilder
record CertificateState(
        @Nullable URI directory,
        int failures,
        @Nullable Instant lastTry,
        @Nullable Instant retryAt,
        @Nullable String failure,
        @Nullable URI order,
        @Nullable String ordered,
        @Nullable String rehearsed,
        @Nullable Window window,
        @Nullable Instant renewAt,
        @Nullable Instant askedAt,
        Duration askAgain) {
    static final CertificateState NEW =
            new CertificateState(
                    null, 0, null, null, null, null, null, null, null, null, null, Duration.ZERO);

    /// When an authority wants a certificate to be renewed (RFC 9773 §4.2).
    record Window(Instant start, Instant end) {}

    static CertificateState read(Path file) throws IOException {
        if (!Storage.exists(file)) {
            return NEW;
        }
        Properties found = new Properties();
        try {
            found.load(new StringReader(Storage.read(file)));
            Instant start = instant(found, "window-start");
            Instant end = instant(found, "window-end");
            return new CertificateState(
                    uri(found, "directory"),
                    Integer.parseInt(found.getProperty("failures", "0")),
                    instant(found, "last-try"),
                    instant(found, "retry-at"),
                    found.getProperty("failure"),
                    uri(found, "order"),
                    found.getProperty("ordered"),
                    found.getProperty("rehearsed"),
                    start == null || end == null ? null : new Window(start, end),
                    instant(found, "renew-at"),
                    instant(found, "asked-at"),
                    Duration.parse(found.getProperty("ask-again", "PT0S")));
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new IOException(file + ": not what was written there: " + e.getMessage(), e);
        }
    }

    void write(Storage storage, Path file) throws IOException {
        Properties all = new Properties();
        put(all, "directory", directory);
        put(all, "failures", failures);
        put(all, "last-try", lastTry);
        put(all, "retry-at", retryAt);
        put(all, "failure", failure);
        put(all, "order", order);
        put(all, "ordered", ordered);
        put(all, "rehearsed", rehearsed);
        put(all, "window-start", window == null ? null : window.start);
        put(all, "window-end", window == null ? null : window.end);
        put(all, "renew-at", renewAt);
        put(all, "asked-at", askedAt);
        put(all, "ask-again", askAgain);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        all.store(out, null);
        storage.save(file, out.toString(StandardCharsets.ISO_8859_1));
    }

    private static void put(Properties all, String key, @Nullable Object value) {
        if (value != null) {
            all.setProperty(key, value.toString());
        }
    }

    private static @Nullable Instant instant(Properties from, String key) {
        String text = from.getProperty(key);
        return text == null ? null : Instant.parse(text);
    }

    private static @Nullable URI uri(Properties from, String key) {
        String text = from.getProperty(key);
        return text == null ? null : URI.create(text);
    }

    /// After an authority has issued it.
    CertificateState issued(URI by, Instant now) {
        return CertificateStateBuilder.builder(NEW)
                .directory(by)
                .lastTry(now)
                .rehearsed(rehearsed)
                .build();
    }

    /// After a try that has failed; the order stays, if it can go on.
    CertificateState failed(String why, Instant now, Instant again) {
        return CertificateStateBuilder.builder(this)
                .failures(failures + 1)
                .lastTry(now)
                .retryAt(again)
                .failure(why)
                .build();
    }

    /// As if nothing had failed.
    CertificateState unhurt() {
        return CertificateStateBuilder.builder(this)
                .failures(0)
                .retryAt(null)
                .failure(null)
                .build();
    }

    /// The same with an order under way, or without.
    CertificateState withOrder(@Nullable URI place, @Nullable String what) {
        return CertificateStateBuilder.builder(this).order(place).ordered(what).build();
    }

    /// The same after another authority has issued it.
    CertificateState withRehearsed(String what) {
        return CertificateStateBuilder.builder(this).rehearsed(what).build();
    }

    /// The same after the authority was asked when to renew.
    ///
    /// @param when null = it does not say
    CertificateState asked(
            @Nullable Window when, @Nullable Instant chosen, Instant now, Duration again) {
        return CertificateStateBuilder.builder(this)
                .window(when)
                .renewAt(chosen)
                .askedAt(now)
                .askAgain(again)
                .build();
    }
}
