package io.margay.login.oidc;

import io.margay.gateway.login.LoginCookies;
import java.time.Duration;

/// Bounds of logins at OpenID providers. Immutable.
///
/// @param askingMax answers of providers that are waited for at the same time, each by a thread
/// @param waitingMax requests that wait for one of these threads; more get 503
/// @param answerBytesMax content of an answer of a provider, which is held in memory
/// @param metadataFor how long metadata of a provider are believed before they are asked for again
/// @param metadataKeptFor how long they are used when the provider does not answer; the same of its
///   keys
/// @param keysFor how long the keys of a provider are believed; one that is not among them is asked
///   for at once, but not more often than `keysEvery`
/// @param keysEvery least time between two questions for keys
/// @param downFor how long a provider that did not answer is not asked
/// @param loginFor from the way to the provider until the way back
/// @param clockSkew by which the provider's clock may differ
/// @param loginsAtOnce logins that one browser can have under way: each has a cookie, and the sum
///   must fit into the head of a request
/// @param cookieBytesMax of a cookie: browsers take 4096 with its name and attributes
/// @param cookiesMax cookies of one login, whose sum must fit into the head of a request, too
/// @param endedMax logins that are remembered as ended before their time, and logins on their way
///   back; beyond it, older logins than the one that is forgotten count as ended, too
/// @param refreshedMax logins that were renewed a moment ago, for requests that come with the
///   cookie of before
/// @param refreshedFor how long that is
/// @param clientsMax configurations of clients that are known, of those before a reload, too
/// @param logoutBytesMax content of a logout that a provider sends
public record OidcLimits(
        int askingMax,
        int waitingMax,
        int answerBytesMax,
        Duration metadataFor,
        Duration metadataKeptFor,
        Duration keysFor,
        Duration keysEvery,
        Duration downFor,
        Duration loginFor,
        Duration clockSkew,
        int loginsAtOnce,
        int cookieBytesMax,
        int cookiesMax,
        int endedMax,
        int refreshedMax,
        Duration refreshedFor,
        int clientsMax,
        int logoutBytesMax) {
    public OidcLimits {
        if (loginsAtOnce < 1 || loginsAtOnce > 10) {
            throw new IllegalArgumentException("loginsAtOnce is one digit");
        }
        if (cookiesMax < 1 || cookiesMax > LoginCookies.PARTS_MAX) {
            throw new IllegalArgumentException("cookiesMax is one digit");
        }
    }

    public static OidcLimits defaults() {
        return new OidcLimits(
                8,
                64,
                1 << 20,
                Duration.ofHours(1),
                Duration.ofHours(24),
                Duration.ofMinutes(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofMinutes(10),
                Duration.ofSeconds(30),
                4,
                3800,
                2,
                100_000,
                1000,
                Duration.ofMinutes(1),
                100,
                16 << 10);
    }
}
