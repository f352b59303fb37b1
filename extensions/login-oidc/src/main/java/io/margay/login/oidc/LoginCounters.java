package io.margay.login.oidc;

import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.login.OpenIdLogins;
import java.util.concurrent.atomic.LongAdder;

/// What has happened with a client of a provider, whatever else its configuration says.
/// Thread-safe.
final class LoginCounters {
    private final String provider;
    private final String client;
    final LongAdder logins = new LongAdder();
    final LongAdder refusals = new LongAdder();
    final LongAdder renewals = new LongAdder();
    final LongAdder errors = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private final LongAdder callNanos = new LongAdder();

    LoginCounters(OpenIdClient client) {
        provider = Provider.name(client);
        this.client = client.id();
    }

    /// Takes note of a call of the provider, whatever has come of it.
    void called(long nanos) {
        calls.increment();
        callNanos.add(nanos);
    }

    OpenIdLogins.Reading reading() {
        return new OpenIdLogins.Reading(
                provider,
                client,
                logins.sum(),
                refusals.sum(),
                renewals.sum(),
                errors.sum(),
                calls.sum(),
                callNanos.sum());
    }
}
