package io.margay.app.site;

import io.margay.gateway.login.LoginUser;
import io.margay.gateway.login.UserSource;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.User;
import org.jspecify.annotations.Nullable;

/// The users of the server, as hosts ask for them. Thread-safe.
record ServerUsers(Realm realm) implements UserSource {
    /// Null where the server has no users.
    static @Nullable UserSource of(@Nullable Realm realm) {
        return realm == null ? null : new ServerUsers(realm);
    }

    @Override
    public @Nullable LoginUser verify(String name, String password) {
        User user = realm.authenticate(name, password);
        return user == null
                ? null
                : new LoginUser(user.name(), user.roles(), true, LoginUser.BASIC);
    }
}
