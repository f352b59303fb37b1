package io.margay.login.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.util.URLUtils;
import com.nimbusds.openid.connect.sdk.LogoutRequest;
import com.nimbusds.openid.connect.sdk.claims.LogoutTokenClaimsSet;
import io.margay.gateway.login.LoginFindings;
import io.margay.gateway.login.LoginResult;
import io.margay.gateway.login.OpenIdClient;
import io.margay.server.exchange.Exchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Logging out: where users are sent for it (OpenID Connect RP-Initiated Logout 1.0), and what a
/// provider says of users who have logged out elsewhere (Back-Channel Logout 1.0). Thread-safe.
record ProviderLogout(
        OpenIdClient client,
        Provider provider,
        Ends ends,
        ProviderThreads threads,
        OidcLimits limits,
        InstantSource clock) {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    /// How long a logout token is taken after it was made: less than it is remembered.
    private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);

    /// Where a user logs out at the provider, or `after` where it knows of no such thing. Waits.
    String location(OidcSession session, URI after) {
        try {
            URI endpoint = provider.get().metadata().getEndSessionEndpointURI();
            if (endpoint == null) {
                return after.toString();
            }
            JWT hint = session.idToken().isEmpty() ? null : JWTParser.parse(session.idToken());
            return new LogoutRequest(
                            endpoint, hint, null, new ClientID(client.id()), after, null, null)
                    .toURI()
                    .toString();
        } catch (ProviderDownException | ParseException _) {
            return after.toString();
        }
    }

    /// What a provider gets that ends logins: its request is read, and then its token verified.
    ///
    /// @param key under which the answer is noted
    LoginResult byProvider(Exchange exchange, Object key) {
        if (!exchange.request().method().equals("POST")) {
            return Answers.text(405, "Providers end logins by POST.", List.of());
        }
        return new LoginResult.Unknown(
                then -> new Intake(exchange, key, then, new ByteArrayOutputStream()).read());
    }

    /// Reads a request. Confined to the loop thread.
    private final class Intake {
        private final Exchange exchange;
        private final Object key;
        private final Runnable then;
        private final ByteArrayOutputStream content;

        Intake(Exchange exchange, Object key, Runnable then, ByteArrayOutputStream content) {
            this.exchange = exchange;
            this.key = key;
            this.then = then;
            this.content = content;
        }

        void read() {
            byte[] buffer = new byte[4096];
            try {
                int count = exchange.poll(buffer, 0, buffer.length);
                while (count > 0 && content.size() + count <= limits.logoutBytesMax()) {
                    content.write(buffer, 0, count);
                    count = exchange.poll(buffer, 0, buffer.length);
                }
                if (count == 0) {
                    exchange.onReadable(this::read);
                } else if (count > 0) {
                    answer(Answers.text(413, "That is too long.", List.of()));
                } else {
                    String form = content.toString(StandardCharsets.UTF_8);
                    threads.check(exchange, key, () -> verified(form)).begin(then);
                }
            } catch (IOException _) {
                answer(new LoginResult.Refused(400));
            }
        }

        private void answer(LoginResult result) {
            LoginFindings.of(exchange).found(key, result);
            then.run();
        }
    }

    private Supplier<LoginResult> verified(String form) {
        List<String> tokens =
                URLUtils.parseParameters(form).getOrDefault("logout_token", List.of());
        if (tokens.size() != 1) {
            return () -> Answers.text(400, "There is no logout_token.", List.of());
        }
        try {
            JWT token = JWTParser.parse(tokens.getFirst());
            LogoutTokenClaimsSet claims = provider.get().logoutTokens().validate(token);
            String why = end(claims);
            return () ->
                    why == null
                            ? Answers.text(200, "The user is logged out.", List.of())
                            : Answers.text(400, why, List.of());
        } catch (ProviderDownException _) {
            return () -> Answers.unavailable(limits, List.of());
        } catch (KeySourceException e) {
            ProviderDownException _ = provider.down(e);
            return () -> Answers.unavailable(limits, List.of());
        } catch (ParseException | BadJOSEException | JOSEException e) {
            LOG.log(Level.DEBUG, "a logout token is not valid: {0}", e.getMessage());
            return () -> Answers.text(400, "The logout_token is not valid.", List.of());
        }
    }

    /// @return why it is not, or null
    private @Nullable String end(LogoutTokenClaimsSet claims) {
        long now = clock.millis();
        long made = claims.getIssueTime().toInstant().toEpochMilli();
        long skew = limits.clockSkew().toMillis();
        if (made < now - TOKEN_LIFE.toMillis() - skew || made > now + skew) {
            return "The logout_token is too old, or of the future.";
        }
        if (!ends.use("jti " + claims.getJWTID(), now, now)) {
            return "The logout_token has been used.";
        }
        if (claims.getSessionID() != null) {
            ends.endProviderSession(claims.getSessionID().getValue(), now);
        } else if (claims.getSubject() != null) {
            ends.endSubject(claims.getSubject().getValue(), now);
        }
        return null;
    }
}
