package io.margay.app.deploy;

import io.margay.app.admin.AdminAccess;
import io.margay.app.config.MargayConfig;
import io.margay.servlet.realm.LockOutRealm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.User;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The users who may manage the server: those of the users' file with a role of Tomcat's manager.
/// Immutable.
///
/// @param realm null = nobody
public record Managers(@Nullable Realm realm) implements AdminAccess.Users {
    public static Managers of(MargayConfig config) {
        Path users = config.deploy().users();
        return new Managers(
                users == null
                        ? null
                        : LockOutRealm.around(Deployments.users(users), config.deploy().lockOut()));
    }

    @Override
    public boolean have(String name, String password, Set<String> roles) {
        User user = realm == null ? null : realm.authenticate(name, password);
        return user != null && roles.stream().anyMatch(user.roles()::contains);
    }
}
