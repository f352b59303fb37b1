package io.margay.login.oidc;

import io.margay.gateway.login.LoginResult;
import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.login.OpenIdLogins;
import io.margay.server.exchange.Exchange;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The logins of a server at all providers. Thread-safe: `clients` guards the look-up of a client
/// and of what is counted of it.
final class OidcLogins implements OpenIdLogins {
    private final OidcLimits limits;
    private final InstantSource clock;
    private final CookieSeal madeSeal = CookieSeal.made();
    private final ProviderThreads threads;
    private final EndedLogins ended;
    private final EndedLogins used;
    private final Map<OpenIdClient, OidcLogin> clients;

    /// By the provider and the client, which figures tell.
    private final Map<String, LoginCounters> counters;

    OidcLogins(OidcLimits limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
        threads = new ProviderThreads(limits);
        ended = new EndedLogins(limits.endedMax());
        used = new EndedLogins(limits.endedMax());
        clients = lastUsed(limits.clientsMax());
        counters = lastUsed(limits.clientsMax());
    }

    private static <K, V> Map<K, V> lastUsed(int max) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > max;
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

    @Override
    public List<Reading> readings() {
        synchronized (clients) {
            return counters.values().stream().map(LoginCounters::reading).toList();
        }
    }

    private OidcLogin of(OpenIdClient client) {
        synchronized (clients) {
            return clients.computeIfAbsent(client, this::made);
        }
    }

    private OidcLogin made(OpenIdClient client) {
        LoginCounters counted =
                counters.computeIfAbsent(
                        Provider.name(client) + " " + client.id(), _ -> new LoginCounters(client));
        ProviderCalls calls = new ProviderCalls(client.timeout(), limits.answerBytesMax(), counted);
        Provider provider = new Provider(client, calls, limits, clock, counted);
        return new OidcLogin(
                provider,
                new CodeLogin(client, provider, calls, clock),
                new OidcCookies(client, madeSeal, limits),
                new Ends(client, ended, used, limits.loginFor()),
                new Renewals(limits, clock),
                threads);
    }
}
