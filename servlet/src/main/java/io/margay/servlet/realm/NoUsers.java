package io.margay.servlet.realm;

import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.User;
import java.security.cert.X509Certificate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A realm that knows nobody. Stateless.
public record NoUsers() implements Realm {
    @Override
    public @Nullable User authenticate(String name, String password) {
        return null;
    }

    @Override
    public @Nullable Secret secret(String name, String realmName, DigestAlgorithm algorithm) {
        return null;
    }

    @Override
    public Set<String> roles() {
        return Set.of();
    }

    @Override
    public @Nullable User user(String name) {
        return null;
    }

    @Override
    public @Nullable User authenticate(X509Certificate certificate) {
        return null;
    }
}
