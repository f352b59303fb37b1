package io.margay.app.deploy;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.margay.servlet.realm.LockOutLimits;
import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.User;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Wrong passwords are counted on by the next process.
final class LockOutsTest {
    private static final LockOutLimits LIMITS = new LockOutLimits(3, Duration.ofMinutes(5), 100);

    /// As in a configuration: equal ones are the same users.
    private record Users(String file) {}

    /// One password is right for all.
    private static final class OnePassword implements Realm {
        @Override
        public @Nullable User authenticate(String name, String password) {
            return password.equals("right") ? new User(name, Set.of()) : null;
        }

        @Override
        public @Nullable User authenticate(X509Certificate certificate) {
            return null;
        }

        @Override
        public @Nullable User user(String name) {
            return null;
        }

        @Override
        public @Nullable Secret secret(String name, String realmName, DigestAlgorithm algorithm) {
            return null;
        }
    }

    private static Realm realm(LockOuts lockOuts, String file) {
        return lockOuts.of(new Users(file), new OnePassword(), LIMITS);
    }

    private static LockOuts next(LockOuts before, LockOuts next, Duration since)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        before.write(new DataOutputStream(bytes));
        next.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), since);
        return next;
    }

    private static LockOuts afterFailures(String name, int count) {
        LockOuts lockOuts = new LockOuts();
        Realm realm = realm(lockOuts, "a");
        for (int i = 0; i < count; i++) {
            assertNull(realm.authenticate(name, "wrong"));
        }
        return lockOuts;
    }

    /// @param early whether the users are known before the state is read
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void name_thatWasLocked_isLockedInTheNextProcess(boolean early) throws IOException {
        LockOuts lockOuts = afterFailures("eve", 3);
        LockOuts next = new LockOuts();
        if (early) {
            Realm _ = realm(next, "a");
        }
        Realm second = realm(next(lockOuts, next, Duration.ofMinutes(1)), "a");
        assertNull(second.authenticate("eve", "right"));
        assertNotNull(second.authenticate("bob", "right"));
        assertNotNull(realm(next, "b").authenticate("eve", "right"));
    }

    @Test
    void failures_ofTheProcessBefore_count() throws IOException {
        LockOuts lockOuts = afterFailures("eve", 2);
        Realm second = realm(next(lockOuts, new LockOuts(), Duration.ZERO), "a");
        assertNull(second.authenticate("eve", "wrong"));
        assertNull(second.authenticate("eve", "right"));
    }

    @Test
    void lock_endsInTheNextProcessWhenItsTimeIsOver() throws IOException {
        LockOuts lockOuts = afterFailures("eve", 3);
        Realm second = realm(next(lockOuts, new LockOuts(), Duration.ofMinutes(6)), "a");
        assertNotNull(second.authenticate("eve", "right"));
    }
}
