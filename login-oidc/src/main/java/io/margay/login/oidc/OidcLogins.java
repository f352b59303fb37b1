package io.margay.login.oidc;

import io.margay.gateway.login.LoginResult;
import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.login.OpenIdLogins;
import io.margay.server.exchange.Exchange;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/// The logins of a server at all providers. Thread-safe: `clients` guards the look-up of a client.
final class OidcLogins implements OpenIdLogins {
    private final OidcLimits limits;
    private final InstantSource clock;
    private final CookieSeal madeSeal = CookieSeal.made();
    private final ProviderThreads threads;
    private final EndedLogins ended;
    private final EndedLogins used;
    private final Map<OpenIdClient, OidcLogin> clients;

    OidcLogins(OidcLimits limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
        threads = new ProviderThreads(limits);
        ended = new EndedLogins(limits.endedMax());
        used = new EndedLogins(limits.endedMax());
        clients =
                new LinkedHashMap<>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<OpenIdClient, OidcLogin> eldest) {
                        return size() > limits.clientsMax();
                    }
                };
    }

    @Override
    public LoginResult find(OpenIdClient client, Exchange exchange) {
        return of(client).find(exchange);
    }

    @Override
    public LoginResult own(OpenIdClient client, String path, Exchange exchange) {
        return of(client).own(path, exchange);
    }

    private OidcLogin of(OpenIdClient client) {
        synchronized (clients) {
            return clients.computeIfAbsent(client, this::made);
        }
    }

    private OidcLogin made(OpenIdClient client) {
        ProviderCalls calls = new ProviderCalls(client.timeout(), limits.answerBytesMax());
        Provider provider = new Provider(client, calls, limits, clock);
        return new OidcLogin(
                client,
                provider,
                new CodeLogin(client, provider, calls, clock),
                new OidcCookies(client, madeSeal, limits),
                new Ends(client, ended, used, limits.loginFor()),
                new Renewals(limits, clock),
                threads,
                limits,
                clock);
    }
}
