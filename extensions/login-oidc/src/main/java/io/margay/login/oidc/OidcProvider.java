package io.margay.login.oidc;

import io.margay.gateway.login.OpenIdLogins;
import io.margay.gateway.login.OpenIdProvider;
import java.time.InstantSource;

/// Logs users in by OpenID Connect.
public final class OidcProvider implements OpenIdProvider {
    @Override
    public OpenIdLogins open() {
        return new OidcLogins(OidcLimits.defaults(), InstantSource.system());
    }
}
