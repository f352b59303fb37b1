package io.margay.gateway.login;

import io.margay.server.exchange.Exchange;

/// Logs users in at OpenID providers. Thread-safe; never waits, for loops ask.
public interface OpenIdLogins {
    /// What is known of who sends a request, whose cookies are [LoginCookies].
    LoginResult find(OpenIdClient client, Exchange exchange);

    /// What a path of its own answers: an answer, a refusal, or what has to be found out first.
    ///
    /// @param path which one
    LoginResult own(OpenIdClient client, String path, Exchange exchange);
}
