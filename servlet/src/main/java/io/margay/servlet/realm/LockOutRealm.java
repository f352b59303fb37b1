package io.margay.servlet.realm;

import io.margay.server.exchange.LogRate;
import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.User;
import java.lang.System.Logger.Level;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A realm that refuses a name for a while after too many wrong passwords, be there such a user or
/// not. Every attempt while it is refused prolongs that. The spellings of a name that a directory
/// or a database may take for one account count together ([AccountNames]), and a right password
/// ends the count of its own spelling only: another account may be spelled so. Guarded by
/// `failures`, which is not held while the realm behind is asked.
public final class LockOutRealm implements Realm {
    private static final System.Logger LOG = System.getLogger(LockOutRealm.class.getName());

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Realm realm;
    private final LockOutLimits limits;
    private final LongSupplier nanoClock;
    private final FailedNames failures;
    private final LogRate rate;
    private final LogRate forgetting;

    /// @param failures that it goes on counting
    public LockOutRealm(Realm realm, FailedNames failures, LongSupplier nanoClock) {
        this.realm = realm;
        this.failures = failures;
        this.nanoClock = nanoClock;
        limits = failures.limits();
        rate = new LogRate(INTERVAL, nanoClock);
        forgetting = new LogRate(INTERVAL, nanoClock);
    }

    /// `realm` itself, if the limits never lock anybody out.
    public static Realm around(Realm realm, LockOutLimits limits) {
        return around(realm, new FailedNames(limits));
    }

    /// The same, which goes on counting failures of before.
    public static Realm around(Realm realm, FailedNames failures) {
        return failures.limits().failuresMax() == 0
                ? realm
                : new LockOutRealm(realm, failures, System::nanoTime);
    }

    @Override
    public @Nullable User authenticate(String name, String password) {
        if (refused(name)) {
            return null;
        }
        User user = realm.authenticate(name, password);
        remember(name, user != null);
        return user;
    }

    @Override
    public @Nullable Secret secret(String name, String realmName, DigestAlgorithm algorithm) {
        return locked(name) ? null : realm.secret(name, realmName, algorithm);
    }

    @Override
    public boolean logsInBy(String method) {
        return realm.logsInBy(method);
    }

    @Override
    public void answered(String name, boolean right) {
        if (!refused(name)) {
            remember(name, right);
        }
    }

    @Override
    public @Nullable Set<String> roles() {
        return realm.roles();
    }

    /// Who guesses at the password of a user does not log the user out.
    @Override
    public @Nullable User user(String name) {
        return realm.user(name);
    }

    /// A certificate cannot be guessed.
    @Override
    public @Nullable User authenticate(X509Certificate certificate) {
        return realm.authenticate(certificate);
    }

    private boolean locked(String name) {
        synchronized (failures) {
            return failures.isLocked(AccountNames.common(name), nanoClock.getAsLong());
        }
    }

    /// Whether the name is locked, which this attempt then prolongs.
    private boolean refused(String name) {
        if (!locked(name)) {
            return false;
        }
        remember(name, false);
        LOG.log(Level.DEBUG, "an attempt to log in as {0}, which is locked out", name);
        return true;
    }

    private void remember(String name, boolean right) {
        String key = AccountNames.common(name);
        int count;
        String forgotten;
        synchronized (failures) {
            if (right) {
                failures.succeeded(key, name);
                return;
            }
            long now = nanoClock.getAsLong();
            count = failures.failed(key, name, now);
            forgotten = failures.shrink(key, now);
        }
        if (count == limits.failuresMax()) {
            LOG.log(
                    rate.isDue() ? Level.WARNING : Level.DEBUG,
                    "{0} is locked out for {1} s after {2} wrong passwords",
                    printable(name),
                    limits.lockedFor().toSeconds(),
                    count);
        }
        if (forgotten != null && forgetting.isDue()) {
            LOG.log(
                    Level.WARNING,
                    "{0} is no longer locked out: more than {1} names are (lock-out.names-max)",
                    printable(forgotten),
                    limits.namesMax());
        }
    }

    /// A name fit for a log line.
    private static String printable(String name) {
        String text = name.length() > 100 ? name.substring(0, 100) + "..." : name;
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
