package io.margay.app.deploy;

import io.margay.app.config.MargayConfig;
import io.margay.servlet.realm.LockOutRealm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.User;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// The users who may manage the server: those of the users' file with the role of Tomcat's manager
/// for scripts. Immutable.
///
/// @param realm null = nobody
public record Managers(@Nullable Realm realm) implements BiPredicate<String, String> {
    private static final List<String> ROLES = List.of("manager-script");

    public static Managers of(MargayConfig config) {
        Path users = config.deploy().users();
        return new Managers(
                users == null
                        ? null
                        : LockOutRealm.around(Deployments.users(users), config.deploy().lockOut()));
    }

    @Override
    public boolean test(String name, String password) {
        User user = realm == null ? null : realm.authenticate(name, password);
        return user != null && ROLES.stream().anyMatch(user.roles()::contains);
    }
}
