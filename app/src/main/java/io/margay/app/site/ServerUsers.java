package io.margay.app.site;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.RealmSettings;
import io.margay.app.deploy.LockOuts;
import io.margay.app.deploy.SharedResources;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.LoginUser;
import io.margay.gateway.login.UserSource;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.RealmAwayException;
import io.margay.servlet.security.User;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The users of the server, as hosts ask for them. Thread-safe.
record ServerUsers(Realm realm) implements UserSource {
    /// Null where the server has no users.
    static @Nullable UserSource of(@Nullable Realm realm) {
        return realm == null ? null : new ServerUsers(realm);
    }

    /// The users in tables, each of which has its own counts of wrong passwords.
    static Function<Login.Users.InDatabase, UserSource> databases(
            MargayConfig config, SharedResources shared, LockOuts lockOuts) {
        Map<Login.Users.InDatabase, UserSource> known = new ConcurrentHashMap<>();
        return asked ->
                known.computeIfAbsent(
                        asked,
                        one ->
                                new ServerUsers(
                                        lockOuts.of(
                                                one,
                                                shared.realm(
                                                        new RealmSettings.Database(
                                                                one.resource(),
                                                                one.passwordQuery(),
                                                                one.roleQuery())),
                                                config.deploy().lockOut())));
    }

    @Override
    public @Nullable LoginUser verify(String name, String password) {
        User user;
        try {
            user = realm.authenticate(name, password);
        } catch (RealmAwayException e) {
            throw new UserSource.AwayException(e);
        }
        return user == null
                ? null
                : new LoginUser(user.name(), user.roles(), true, LoginUser.BASIC);
    }
}
