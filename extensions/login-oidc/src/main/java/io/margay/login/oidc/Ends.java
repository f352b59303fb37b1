package io.margay.login.oidc;

import io.margay.gateway.login.OpenIdClient;
import java.time.Duration;

/// Logins of one client that have ended before their time, and what counts only once. Thread-safe.
final class Ends {
    private final String of;
    private final Duration lifetime;
    private final EndedLogins ended;
    private final EndedLogins used;
    private final Duration usedFor;

    /// @param usedFor for what time it matters that something was used
    Ends(OpenIdClient client, EndedLogins ended, EndedLogins used, Duration usedFor) {
        this.usedFor = usedFor;
        of = purpose(client);
        lifetime = client.session().lifetime();
        this.ended = ended;
        this.used = used;
    }

    /// What tells clients of providers from one another.
    static String purpose(OpenIdClient client) {
        return client.issuer() + " " + client.metadata() + " " + client.id() + " ";
    }

    void endLogin(String id, long nowMillis) {
        boolean _ = ended.end(of + "id " + id, nowMillis, lifetime);
    }

    void endSubject(String subject, long nowMillis) {
        boolean _ = ended.end(of + "sub " + subject, nowMillis, lifetime);
    }

    void endProviderSession(String session, long nowMillis) {
        boolean _ = ended.end(of + "sid " + session, nowMillis, lifetime);
    }

    boolean isEnded(OidcSession session) {
        long created = session.times().created();
        return ended.isEnded(of + "id " + session.id(), created)
                || ended.isEnded(of + "sub " + session.subject(), created)
                || (!session.providerSession().isEmpty()
                        && ended.isEnded(of + "sid " + session.providerSession(), created));
    }

    /// Takes note that something is used that counts once.
    ///
    /// @param begunMillis when it was made
    /// @return whether it was not used yet
    boolean use(String what, long begunMillis, long nowMillis) {
        boolean before = used.isEnded(of + what, begunMillis);
        return used.end(of + what, nowMillis, usedFor) && !before;
    }
}
