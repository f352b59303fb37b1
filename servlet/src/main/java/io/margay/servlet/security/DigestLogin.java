package io.margay.servlet.security;

import io.margay.server.users.SignedNonces;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/// Logging in without sending the password (RFC 7616). Immutable but for the nonces.
record DigestLogin(String realmName, Realm realm, Nonces nonces) {
    /// The user of a request, or null when the response now holds a challenge or an error.
    @Nullable User identify(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        DigestCredentials given = DigestCredentials.parse(request.getHeader("Authorization"));
        if (given == null || !given.realm().equals(realmName)) {
            challenge(response, false);
            return null;
        }
        if (!given.uri().equals(target(request))) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return null;
        }
        SignedNonces.State state = nonces.check(given.nonce(), realmName);
        User user = state == SignedNonces.State.FOREIGN ? null : user(given, request.getMethod());
        if (user == null) {
            challenge(response, false);
            return null;
        }
        if (state == SignedNonces.State.STALE || !nonces.use(given.nonce(), given.count())) {
            challenge(response, true);
            return null;
        }
        return user;
    }

    private static String target(HttpServletRequest request) {
        String query = request.getQueryString();
        return query == null ? request.getRequestURI() : request.getRequestURI() + "?" + query;
    }

    private @Nullable User user(DigestCredentials given, String method) {
        DigestAlgorithm algorithm = given.algorithm();
        Realm.Secret secret;
        try {
            secret = realm.secret(given.username(), realmName, algorithm);
        } catch (RealmAwayException _) {
            return null; // The client is asked again, and nothing is counted.
        }
        String ha1 = secret == null ? algorithm.hash("") : secret.hash();
        boolean same =
                MessageDigest.isEqual(
                        given.expected(ha1, method).getBytes(StandardCharsets.ISO_8859_1),
                        given.response().getBytes(StandardCharsets.ISO_8859_1));
        boolean right = secret != null && same;
        realm.answered(given.username(), right);
        return secret != null && right ? secret.user() : null;
    }

    /// @param stale whether the client may try again with what it knows
    private void challenge(HttpServletResponse response, boolean stale) throws IOException {
        String nonce = nonces.next(realmName);
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            response.addHeader(
                    "WWW-Authenticate",
                    "Digest realm="
                            + BasicCredentials.quoted(realmName)
                            + ", qop=\"auth\", algorithm="
                            + algorithm.token()
                            + ", nonce=\""
                            + nonce
                            + "\""
                            + (stale ? ", stale=true" : "")
                            + ", charset=UTF-8");
        }
        response.sendError(HttpServletResponse.SC_UNAUTHORIZED);
    }
}
