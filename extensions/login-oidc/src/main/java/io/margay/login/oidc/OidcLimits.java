package io.margay.login.oidc;

import io.margay.gateway.login.LoginCookies;
import java.time.Duration;

/// Bounds of logins at OpenID providers. Immutable.
///
/// @param askingMax answers of providers that are waited for at the same time, each by a thread; an
///   answer takes some 50 ms
/// @param waitingMax requests that wait for one of these threads; more get 503; a provider that is
///   slow is not to fill the memory
/// @param answerBytesMax content of an answer of a provider, which is held in memory; metadata and
///   keys have a few KiB
/// @param metadataFor how long metadata of a provider are believed before they are asked for again;
///   they change by hand
/// @param metadataKeptFor how long they are used when the provider does not answer; the same of its
///   keys; a day to mend it
/// @param keysFor how long the keys of a provider are believed; one that is not among them is asked
///   for at once, but not more often than `keysEvery`; one that is withdrawn counts no longer than
///   this
/// @param keysEvery least time between two questions for keys; who sends unknown keys does not make
///   us ask
/// @param downFor how long a provider that did not answer is not asked; waiting for each request
///   would keep the threads
/// @param loginFor from the way to the provider until the way back; time for a second factor
/// @param clockSkew by which the provider's clock may differ; clocks are set by NTP
/// @param loginsAtOnce logins that one browser can have under way: each has a cookie, and the sum
///   must fit into the head of a request; each is a cookie of some 300 bytes in every request
/// @param cookieBytesMax of a cookie: browsers take 4096 with its name and attributes; browsers
///   take 4 096
/// @param cookiesMax cookies of one login, whose sum must fit into the head of a request, too;
///   httpd, in front or behind, takes 8 190 bytes in one field
/// @param endedMax logins that are remembered as ended before their time, and logins on their way
///   back; beyond it, older logins than the one that is forgotten count as ended, too; 20 MB
/// @param refreshedMax logins that were renewed a moment ago, for requests that come with the
///   cookie of before
/// @param refreshedFor how long that is
/// @param clientsMax configurations of clients that are known, of those before a reload, too; a
///   server has few
/// @param logoutBytesMax content of a logout that a provider sends; a token has 1 KiB
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
