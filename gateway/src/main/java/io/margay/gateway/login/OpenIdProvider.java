package io.margay.gateway.login;

import io.margay.server.Extensions;
import io.margay.server.exchange.Exchange;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Knows how users log in by OpenID Connect. A service: implementations are found by
/// `java.util.ServiceLoader`, are loaded only when the first user logs in so, and have a public
/// constructor without parameters.
public interface OpenIdProvider {
    /// Makes what logs users in, once for a server.
    OpenIdLogins open();

    /// What logs users in by the first implementation that is there.
    static OpenIdLogins first() {
        return new First();
    }

    /// Whether there is an implementation.
    static boolean isThere() {
        return ServiceLoader.load(OpenIdProvider.class, Extensions.loader())
                .findFirst()
                .isPresent();
    }

    /// Loads the implementation when it is first needed. Thread-safe.
    final class First implements OpenIdLogins {
        private static final System.Logger LOG = System.getLogger("io.margay.gateway");

        private volatile @Nullable OpenIdLogins loaded;

        private First() {}

        @Override
        public LoginResult find(OpenIdClient client, Exchange exchange) {
            return load().find(client, exchange);
        }

        @Override
        public LoginResult own(OpenIdClient client, String path, Exchange exchange) {
            return load().own(client, path, exchange);
        }

        @Override
        public List<Reading> readings() {
            OpenIdLogins known = loaded;
            return known == null ? List.of() : known.readings();
        }

        private OpenIdLogins load() {
            OpenIdLogins known = loaded;
            return known != null ? known : loadOnce();
        }

        private synchronized OpenIdLogins loadOnce() {
            OpenIdLogins known = loaded;
            if (known == null) {
                known =
                        ServiceLoader.load(OpenIdProvider.class, Extensions.loader())
                                .findFirst()
                                .map(OpenIdProvider::open)
                                .orElseGet(First::none);
                loaded = known;
            }
            return known;
        }

        private static OpenIdLogins none() {
            LOG.log(Level.ERROR, "nobody can log in: margay-login-oidc is not on the class path");
            return new OpenIdLogins() {
                @Override
                public LoginResult find(OpenIdClient client, Exchange exchange) {
                    return new LoginResult.Failed();
                }

                @Override
                public LoginResult own(OpenIdClient client, String path, Exchange exchange) {
                    return new LoginResult.Failed();
                }

                @Override
                public List<Reading> readings() {
                    return List.of();
                }
            };
        }
    }
}
