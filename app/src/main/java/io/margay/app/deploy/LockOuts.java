package io.margay.app.deploy;

import io.margay.servlet.realm.FailedNames;
import io.margay.servlet.realm.LockOutLimits;
import io.margay.servlet.realm.LockOutRealm;
import io.margay.servlet.security.Realm;
import java.util.LinkedHashMap;
import java.util.Map;

/// The wrong passwords of a server's users, which it goes on counting when a reload makes these
/// anew. Thread-safe.
public final class LockOuts {
    /// Sets of users, those of before a reload, too; beyond it the one that was made longest ago is
    /// forgotten.
    private static final int USERS_MAX = 100;

    /// Stands for the users of the server.
    private static final String SERVER = "server";

    private final Map<Object, FailedNames> known =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Object, FailedNames> eldest) {
                    return size() > USERS_MAX;
                }
            };

    /// The users of the server, which all its applications and hosts count together.
    Realm ofServer(Realm realm, LockOutLimits limits) {
        return of(SERVER, realm, limits);
    }

    /// Users of whom a name is refused for a while after too many wrong passwords.
    ///
    /// @param users as configured: those of equal ones are counted together
    public synchronized Realm of(Object users, Realm realm, LockOutLimits limits) {
        FailedNames failures = known.get(users);
        if (failures == null || !failures.limits().equals(limits)) {
            failures = new FailedNames(limits);
            FailedNames _ = known.put(users, failures);
        }
        return LockOutRealm.around(realm, failures);
    }
}
