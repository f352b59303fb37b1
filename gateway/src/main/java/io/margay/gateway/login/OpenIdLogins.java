package io.margay.gateway.login;

import io.margay.server.exchange.Exchange;
import io.margay.server.meter.Distribution;
import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/// Logs users in at OpenID providers. Thread-safe; never waits, for loops ask.
public interface OpenIdLogins {
    /// What is known of who sends a request, whose cookies are [LoginCookies].
    LoginResult find(OpenIdClient client, Exchange exchange);

    /// What a path of its own answers: an answer, a refusal, or what has to be found out first.
    ///
    /// @param path which one
    LoginResult own(OpenIdClient client, String path, Exchange exchange);

    /// What has happened with each client of a provider since the start.
    List<Reading> readings();

    /// What has happened with a client of a provider. Immutable.
    ///
    /// @param provider its URL
    /// @param client by which the provider knows this server
    /// @param logins that have succeeded
    /// @param refusals of users who came back from the provider, or whose login was not renewed
    /// @param renewals of logins
    /// @param errors of the provider: it did not answer, or what nobody can use
    /// @param calls of the provider
    /// @param callNanos that they have taken, altogether
    @RecordBuilder
    record Reading(
            String provider,
            String client,
            long logins,
            long refusals,
            long renewals,
            long errors,
            long calls,
            long callNanos) {
        private static final MeterTable<Reading> METERS =
                new MeterTable<Reading>("margay_openid_")
                        .counter("logins", "Logins that succeeded.", Reading::logins)
                        .counter("refusals", "Logins that were refused.", Reading::refusals)
                        .counter("renewals", "Logins that were renewed.", Reading::renewals)
                        .counter(
                                "provider_errors",
                                "How often a provider did not answer, or not as it should.",
                                Reading::errors)
                        .distribution(
                                "provider_seconds",
                                "How long providers take to answer.",
                                one -> new Distribution(one.calls, one.callNanos / 1e9, List.of()));

        /// Its numbers.
        public List<Meter> meters() {
            return METERS.of(this, "provider", provider, "client", client);
        }
    }
}
