package io.margay.servlet.realm;

import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.RealmAwayException;
import io.margay.servlet.security.User;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Several realms: the first that knows the user with this password decides; none at all lets
/// nobody in. Immutable.
public record CombinedRealm(List<Realm> realms) implements Realm {
    public CombinedRealm {
        realms = List.copyOf(realms);
    }

    /// While one of them is away, a wrong password of a user whom another one has is wrong all the
    /// same, and counts: otherwise it could be guessed in that time.
    @Override
    public @Nullable User authenticate(String name, String password) {
        RealmAwayException away = null;
        List<Realm> answered = new ArrayList<>();
        for (Realm realm : realms) {
            try {
                User user = realm.authenticate(name, password);
                if (user != null) {
                    return user;
                }
                answered.add(realm);
            } catch (RealmAwayException e) {
                away = e;
            }
        }
        if (away != null && answered.stream().allMatch(realm -> realm.user(name) == null)) {
            throw away;
        }
        return null;
    }

    @Override
    public @Nullable Secret secret(String name, String realmName, DigestAlgorithm algorithm) {
        RealmAwayException away = null;
        for (Realm realm : realms) {
            try {
                Secret secret = realm.secret(name, realmName, algorithm);
                if (secret != null) {
                    return secret;
                }
            } catch (RealmAwayException e) {
                away = e;
            }
        }
        if (away != null) {
            throw away;
        }
        return null;
    }

    @Override
    public @Nullable User user(String name) {
        for (Realm realm : realms) {
            User user = realm.user(name);
            if (user != null) {
                return user;
            }
        }
        return null;
    }

    @Override
    public @Nullable Set<String> roles() {
        Set<String> all = new HashSet<>();
        for (Realm realm : realms) {
            Set<String> roles = realm.roles();
            if (roles == null) {
                return null;
            }
            all.addAll(roles);
        }
        return all;
    }

    @Override
    public void answered(String name, boolean right) {
        realms.forEach(realm -> realm.answered(name, right));
    }

    @Override
    public boolean logsInBy(String method) {
        return realms.stream().anyMatch(realm -> realm.logsInBy(method));
    }

    @Override
    public @Nullable User authenticate(X509Certificate certificate) {
        for (Realm realm : realms) {
            User user = realm.authenticate(certificate);
            if (user != null) {
                return user;
            }
        }
        return null;
    }
}
