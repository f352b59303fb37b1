package io.margay.servlet.realm;

import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.User;
import java.lang.System.Logger.Level;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A realm that refuses a name for a while after too many wrong passwords, be there such a user or
/// not. Every attempt while it is refused prolongs that. Guarded by `failures`, which is not held
/// while the realm behind is asked.
public final class LockOutRealm implements Realm {
    private static final System.Logger LOG = System.getLogger(LockOutRealm.class.getName());

    private final Realm realm;
    private final LockOutLimits limits;
    private final LongSupplier nanoClock;
    private final Map<String, Failures> failures;
    private final Seldom seldom;

    /// @param latestNanos of the clock, when it last failed
    private record Failures(int count, long latestNanos) {}

    public LockOutRealm(Realm realm, LockOutLimits limits, LongSupplier nanoClock) {
        this.realm = realm;
        this.limits = limits;
        this.nanoClock = nanoClock;
        seldom = new Seldom(nanoClock);
        failures =
                new LinkedHashMap<>() {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
                        return size() > limits.namesMax();
                    }
                };
    }

    /// `realm` itself, if the limits never lock anybody out.
    public static Realm around(Realm realm, LockOutLimits limits) {
        return limits.failuresMax() == 0
                ? realm
                : new LockOutRealm(realm, limits, System::nanoTime);
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
    public void answered(String name, boolean right) {
        if (!refused(name)) {
            remember(name, right);
        }
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
            Failures before = failures.get(name);
            return before != null
                    && before.count() >= limits.failuresMax()
                    && nanoClock.getAsLong() - before.latestNanos() < limits.lockedFor().toNanos();
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
        synchronized (failures) {
            // Taken out first, so that the order is that of the latest failures.
            Failures before = failures.remove(name);
            if (right) {
                return;
            }
            long now = nanoClock.getAsLong();
            boolean over =
                    before == null
                            || (before.count() >= limits.failuresMax()
                                    && now - before.latestNanos() >= limits.lockedFor().toNanos());
            int count = over || before == null ? 1 : before.count() + 1;
            failures.put(name, new Failures(count, now));
            if (count == limits.failuresMax()) {
                LOG.log(
                        seldom.due() ? Level.WARNING : Level.DEBUG,
                        "{0} is locked out for {1} s after {2} wrong passwords",
                        printable(name),
                        limits.lockedFor().toSeconds(),
                        count);
            }
        }
    }

    /// A name fit for a log line.
    private static String printable(String name) {
        String text = name.length() > 100 ? name.substring(0, 100) + "..." : name;
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
