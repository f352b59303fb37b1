package io.margay.app;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.util.URLUtils;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// An OpenID provider that does what a test says, and refuses what it should. Thread-safe.
final class ScriptedOpenIdProvider implements AutoCloseable {
    static final String CLIENT = "shop";
    static final String SECRET = "a secret of two";

    private final HttpServer server;
    private final Map<String, Map<String, List<String>>> codes = new ConcurrentHashMap<>();
    private final Map<String, String> refreshable = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    final AtomicInteger metadataAsked = new AtomicInteger();
    final AtomicInteger keysAsked = new AtomicInteger();
    final AtomicInteger renewals = new AtomicInteger();

    volatile ECKey key = newKey();
    volatile int lifetimeSeconds = 3600;
    volatile boolean down;

    /// A user with whose codes it fails.
    static final String TROUBLE = "mallory";

    volatile boolean renewsIdTokens = true;
    volatile UnaryOperator<JWTClaimsSet.Builder> claims = UnaryOperator.identity();
    volatile Function<SignedJWT, String> written = SignedJWT::serialize;
    volatile UnaryOperator<String> metadata = UnaryOperator.identity();
    volatile String metadataIssuer;
    volatile String userInfo = "{\"sub\": \"u-1\", \"email\": \"ada@example.org\"}";

    ScriptedOpenIdProvider() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        metadataIssuer = issuer();
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    static ECKey newKey() {
        try {
            return new ECKeyGenerator(Curve.P_256).keyIDFromThumbprint(true).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /// Logs somebody in, as a browser that was sent to `location` would see it.
    ///
    /// @return path and query to which the browser is sent back
    String login(String location, String user) {
        URI uri = URI.create(location);
        Map<String, List<String>> asked = URLUtils.parseParameters(uri.getRawQuery());
        String code = user + "-" + numbers.incrementAndGet();
        codes.put(code, asked);
        URI back = URI.create(asked.get("redirect_uri").getFirst());
        return back.getRawPath() + "?code=" + code + "&state=" + asked.get("state").getFirst();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String body =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (down) {
                send(exchange, 503, "{}");
                return;
            }
            switch (path) {
                case "/.well-known/openid-configuration" -> {
                    metadataAsked.incrementAndGet();
                    send(exchange, 200, metadata.apply(metadata()));
                }
                case "/keys" -> {
                    keysAsked.incrementAndGet();
                    send(exchange, 200, new JWKSet(key.toPublicJWK()).toString());
                }
                case "/token" -> token(exchange, URLUtils.parseParameters(body));
                case "/userinfo" -> send(exchange, 200, userInfo);
                default -> send(exchange, 404, "{}");
            }
        } catch (JOSEException e) {
            throw new IOException(e);
        }
    }

    private String metadata() {
        return """
        {"issuer": "%1$s", "authorization_endpoint": "%2$s/login",
         "token_endpoint": "%2$s/token", "jwks_uri": "%2$s/keys",
         "userinfo_endpoint": "%2$s/userinfo", "end_session_endpoint": "%2$s/logout",
         "response_types_supported": ["code"], "subject_types_supported": ["public"],
         "id_token_signing_alg_values_supported": ["ES256"]}
        """
                .formatted(metadataIssuer, issuer());
    }

    private void token(HttpExchange exchange, Map<String, List<String>> given)
            throws IOException, JOSEException {
        String expected =
                "Basic "
                        + Base64.getEncoder()
                                .encodeToString(
                                        (CLIENT + ":" + SECRET.replace(' ', '+'))
                                                .getBytes(StandardCharsets.UTF_8));
        if (!expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            send(exchange, 401, "{\"error\": \"invalid_client\"}");
            return;
        }
        String refresh = one(given, "refresh_token");
        String nonce = null;
        String user;
        if (refresh.isEmpty()) {
            Map<String, List<String>> asked = codes.remove(one(given, "code"));
            if (asked == null
                    || !one(asked, "redirect_uri").equals(one(given, "redirect_uri"))
                    || !one(asked, "code_challenge_method").equals("S256")
                    || !CodeChallenge.compute(
                                    CodeChallengeMethod.S256,
                                    new CodeVerifier(one(given, "code_verifier")))
                            .getValue()
                            .equals(one(asked, "code_challenge"))) {
                send(exchange, 400, "{\"error\": \"invalid_grant\"}");
                return;
            }
            nonce = one(asked, "nonce");
            user = one(given, "code").replaceFirst("-.*", "");
            if (user.equals(TROUBLE)) {
                send(exchange, 500, "<p>An error has occurred</p>");
                return;
            }
        } else {
            renewals.incrementAndGet();
            user = refreshable.remove(refresh); // once, as most providers have it
            if (user == null) {
                send(exchange, 400, "{\"error\": \"invalid_grant\"}");
                return;
            }
        }
        String next = "r-" + numbers.incrementAndGet();
        refreshable.put(next, user);
        send(
                exchange,
                200,
                """
                {"access_token": "access", "token_type": "Bearer", "expires_in": %d,
                 "refresh_token": "%s"%s}
                """
                        .formatted(
                                lifetimeSeconds,
                                next,
                                refresh.isEmpty() || renewsIdTokens
                                        ? ", \"id_token\": \"" + idToken(user, nonce) + "\""
                                        : ""));
    }

    /// Takes back what logins could be renewed by.
    void revokeAll() {
        refreshable.clear();
    }

    private static String one(Map<String, List<String>> given, String name) {
        return given.getOrDefault(name, List.of("")).getFirst();
    }

    private String idToken(String user, String nonce) throws JOSEException {
        JWTClaimsSet.Builder set =
                new JWTClaimsSet.Builder()
                        .issuer(issuer())
                        .audience(CLIENT)
                        .subject("u-1")
                        .claim("preferred_username", user)
                        .claim("sid", "s-1")
                        .claim("realm_access", Map.of("roles", List.of("in", "staff")))
                        .claim("department", "sales")
                        .issueTime(new Date())
                        .expirationTime(Date.from(Instant.now().plusSeconds(300)));
        if (nonce != null) {
            set.claim("nonce", nonce);
        }
        return written.apply(signed(claims.apply(set).build(), JOSEObjectType.JWT));
    }

    SignedJWT signed(JWTClaimsSet set, JOSEObjectType type) throws JOSEException {
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).type(type).build();
        SignedJWT token = new SignedJWT(header, set);
        token.sign(new ECDSASigner(key));
        return token;
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
