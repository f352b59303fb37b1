package io.margay.login.oidc;

import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.login.OpenIdLogins;
import io.margay.gateway.login.OpenIdLoginsReadingBuilder;
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
        return OpenIdLoginsReadingBuilder.builder()
                .provider(provider)
                .client(client)
                .logins(logins.sum())
                .refusals(refusals.sum())
                .renewals(renewals.sum())
                .errors(errors.sum())
                .calls(calls.sum())
                .callNanos(callNanos.sum())
                .build();
    }
}
