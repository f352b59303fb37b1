package io.margay.login.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.oauth2.sdk.token.RefreshToken;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.UserInfoRequest;
import com.nimbusds.openid.connect.sdk.UserInfoResponse;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.token.OIDCTokens;
import com.nimbusds.openid.connect.sdk.validators.AccessTokenValidator;
import com.nimbusds.openid.connect.sdk.validators.InvalidHashException;
import io.margay.gateway.login.OpenIdClient;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The authorization code flow (OpenID Connect Core §3.1) with PKCE: where users are sent, and what
/// the code is good for that they come back with. Thread-safe; all but [#location] waits.
record CodeLogin(OpenIdClient client, Provider provider, ProviderCalls calls, InstantSource clock) {
    /// Where a user logs in.
    String location(Provider.Known known, LoginState state, URI redirect) {
        Scope scope = new Scope("openid");
        client.scopes().forEach(scope::add);
        AuthenticationRequest.Builder request =
                new AuthenticationRequest.Builder(
                                ResponseType.CODE, scope, new ClientID(client.id()), redirect)
                        .endpointURI(known.metadata().getAuthorizationEndpointURI())
                        .state(new State(state.state()))
                        .nonce(new Nonce(state.nonce()))
                        .codeChallenge(
                                new CodeVerifier(state.verifier()), CodeChallengeMethod.S256);
        client.parameters().forEach((name, value) -> request.customParameter(name, value));
        return request.build().toURI().toString();
    }

    /// The login that a code stands for.
    OidcSession login(String code, LoginState state, URI redirect, String id)
            throws ProviderDownException, LoginRefusedException {
        Provider.Known known = provider.get();
        AuthorizationGrant grant =
                new AuthorizationCodeGrant(
                        new AuthorizationCode(code), redirect, new CodeVerifier(state.verifier()));
        OIDCTokens tokens = tokens(known, grant);
        if (tokens.getIDToken() == null) {
            throw new LoginRefusedException("there is no ID token");
        }
        IDTokenClaimsSet signed = verify(known, tokens, new Nonce(state.nonce()));
        TokenClaims claims = claims(known, tokens, signed);
        String user = claims.user(client.claims());
        if (user == null) {
            throw new LoginRefusedException("the user has no " + client.claims().user());
        }
        long now = clock.millis();
        return OidcSessionBuilder.builder()
                .id(id)
                .user(user)
                .subject(signed.getSubject().getValue())
                .providerSession(
                        signed.getSessionID() == null ? "" : signed.getSessionID().getValue())
                .roles(claims.roles(client.claims()))
                .claims(claims.kept(client.claims()))
                .times(new OidcSession.Times(now, now, renewal(tokens)))
                .refreshToken(refreshToken(tokens, ""))
                .idToken(idToken(tokens, ""))
                .build();
    }

    /// A login that the provider still knows, with what it says of the user now.
    OidcSession renew(OidcSession before) throws ProviderDownException, LoginRefusedException {
        Provider.Known known = provider.get();
        OIDCTokens tokens =
                tokens(known, new RefreshTokenGrant(new RefreshToken(before.refreshToken())));
        String user = before.user();
        List<String> roles = before.roles();
        Map<String, List<String>> kept = before.claims();
        if (tokens.getIDToken() != null || client.claims().userInfo()) {
            TokenClaims claims = renewed(known, tokens, before);
            boolean whole = tokens.getIDToken() != null || !before.idToken().isEmpty();
            String name = claims.user(client.claims());
            if (name == null ? whole : !name.equals(user)) {
                throw new LoginRefusedException("the user has another name");
            }
            // Without any ID token, what user-info does not speak of stays as it was.
            roles =
                    whole || claims.has(client.claims().roles())
                            ? claims.roles(client.claims())
                            : roles;
            kept = whole ? claims.kept(client.claims()) : kept;
        }
        return OidcSessionBuilder.builder(before)
                .roles(roles)
                .claims(kept)
                .times(
                        new OidcSession.Times(
                                before.times().created(), clock.millis(), renewal(tokens)))
                .refreshToken(refreshToken(tokens, before.refreshToken()))
                .idToken(idToken(tokens, before.idToken()))
                .build();
    }

    private OIDCTokens tokens(Provider.Known known, AuthorizationGrant grant)
            throws ProviderDownException, LoginRefusedException {
        try {
            HTTPResponse answer = request(known.metadata(), grant).toHTTPRequest().send(calls);
            TokenResponse response = OIDCTokenResponseParser.parse(answer);
            if (response instanceof OIDCTokenResponse tokens) {
                return tokens.getOIDCTokens();
            }
            throw new LoginRefusedException(
                    String.valueOf(response.toErrorResponse().getErrorObject().getCode()));
        } catch (ParseException e) {
            throw provider.failed(e);
        } catch (IOException e) {
            throw provider.down(e);
        }
    }

    private TokenRequest request(OIDCProviderMetadata metadata, AuthorizationGrant grant)
            throws IOException {
        ClientID id = new ClientID(client.id());
        URI endpoint = metadata.getTokenEndpointURI();
        String secret = client.secret().read();
        if (secret.isEmpty()) {
            return new TokenRequest(endpoint, id, grant, null);
        }
        List<String> methods = Provider.secretMethods(metadata);
        boolean basic = methods.isEmpty() || methods.contains("client_secret_basic");
        return new TokenRequest(
                endpoint,
                basic
                        ? new ClientSecretBasic(id, new Secret(secret))
                        : new ClientSecretPost(id, new Secret(secret)),
                grant,
                null);
    }

    private IDTokenClaimsSet verify(Provider.Known known, OIDCTokens tokens, @Nullable Nonce nonce)
            throws ProviderDownException, LoginRefusedException {
        JWT token = tokens.getIDToken();
        try {
            IDTokenClaimsSet signed = known.idTokens().validate(token, nonce);
            String party =
                    signed.getAuthorizedParty() == null
                            ? signed.getAudience().size() > 1 ? "" : client.id()
                            : signed.getAuthorizedParty().getValue();
            if (!party.equals(client.id())) {
                throw new LoginRefusedException("its ID token is for another client");
            }
            if (isEarly(signed, known.idTokens().getMaxClockSkew())) {
                throw new LoginRefusedException("its ID token is not valid yet");
            }
            AccessToken access = tokens.getAccessToken();
            if (signed.getAccessTokenHash() != null
                    && token.getHeader().getAlgorithm() instanceof JWSAlgorithm algorithm) {
                AccessTokenValidator.validate(access, algorithm, signed.getAccessTokenHash());
            }
            return signed;
        } catch (KeySourceException e) {
            throw provider.down(e);
        } catch (BadJOSEException | JOSEException | InvalidHashException e) {
            throw new LoginRefusedException("its ID token is not valid: " + e.getMessage(), e);
        }
    }

    /// Whether a token says by `nbf` that it is to be used later; one that cannot be read counts.
    private boolean isEarly(IDTokenClaimsSet signed, int skewSeconds) {
        if (signed.getClaim("nbf") == null) {
            return false;
        }
        Number from = signed.getNumberClaim("nbf");
        return from == null || from.longValue() > clock.millis() / 1000 + skewSeconds;
    }

    private TokenClaims claims(Provider.Known known, OIDCTokens tokens, IDTokenClaimsSet signed)
            throws ProviderDownException, LoginRefusedException {
        Map<String, Object> told = userInfo(known, tokens, signed.getSubject().getValue());
        return TokenClaims.of(signed.toJSONObject(), told);
    }

    /// What the provider says when a login is renewed: by a new ID token, or else by its user-info,
    /// which goes before what the first ID token said.
    private TokenClaims renewed(Provider.Known known, OIDCTokens tokens, OidcSession before)
            throws ProviderDownException, LoginRefusedException {
        if (tokens.getIDToken() == null) {
            return TokenClaims.of(userInfo(known, tokens, before.subject()), signed(before));
        }
        IDTokenClaimsSet signed = verify(known, tokens, null);
        if (!signed.getSubject().getValue().equals(before.subject())) {
            throw new LoginRefusedException("the user is another one");
        }
        return claims(known, tokens, signed);
    }

    /// What the ID token says that a login began with, or was renewed with last; nothing where it
    /// did not fit into the cookie.
    private static Map<String, Object> signed(OidcSession login) throws LoginRefusedException {
        if (login.idToken().isEmpty()) {
            return Map.of();
        }
        try {
            return SignedJWT.parse(login.idToken()).getJWTClaimsSet().toJSONObject();
        } catch (java.text.ParseException e) {
            throw new LoginRefusedException("its ID token is not there any more", e);
        }
    }

    /// Empty where the configuration does not ask for it, or the provider has none.
    private Map<String, Object> userInfo(Provider.Known known, OIDCTokens tokens, String subject)
            throws ProviderDownException, LoginRefusedException {
        URI endpoint = known.metadata().getUserInfoEndpointURI();
        if (!client.claims().userInfo() || endpoint == null) {
            return Map.of();
        }
        try {
            HTTPResponse answer =
                    new UserInfoRequest(endpoint, tokens.getAccessToken())
                            .toHTTPRequest()
                            .send(calls);
            UserInfoResponse response = UserInfoResponse.parse(answer);
            if (!response.indicatesSuccess()
                    || response.toSuccessResponse().getUserInfo() == null) {
                throw new LoginRefusedException("it does not tell claims of the user");
            }
            var told = response.toSuccessResponse().getUserInfo();
            if (!told.getSubject().getValue().equals(subject)) {
                throw new LoginRefusedException("it tells claims of another user");
            }
            return told.toJSONObject();
        } catch (ParseException e) {
            throw provider.failed(e);
        } catch (IOException e) {
            throw provider.down(e);
        }
    }

    /// When the access token ends, which is what its refresh token is for; 0 where there is none.
    private long renewal(OIDCTokens tokens) {
        long seconds = tokens.getAccessToken() == null ? 0 : tokens.getAccessToken().getLifetime();
        return seconds <= 0 ? 0 : clock.millis() + seconds * 1000;
    }

    private static String refreshToken(OIDCTokens tokens, String before) {
        return tokens.getRefreshToken() == null ? before : tokens.getRefreshToken().getValue();
    }

    private static String idToken(OIDCTokens tokens, String before) {
        return tokens.getIDToken() == null ? before : tokens.getIDToken().serialize();
    }
}
