package io.margay.login.oidc;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.JWSKeySelector;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import com.nimbusds.openid.connect.sdk.validators.LogoutTokenValidator;
import io.margay.gateway.login.OpenIdClient;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What is known of a provider: its metadata, asked for when they are first needed and once an hour
/// after that, and the keys by which it signs. Thread-safe; `lock` is held while it is asked.
final class Provider {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    /// By which a provider may sign: never `none`, nor with the secret of a client, which is for a
    /// person to choose.
    private static final Set<JWSAlgorithm> ALGORITHMS =
            Set.of(
                    JWSAlgorithm.RS256,
                    JWSAlgorithm.RS384,
                    JWSAlgorithm.RS512,
                    JWSAlgorithm.PS256,
                    JWSAlgorithm.PS384,
                    JWSAlgorithm.PS512,
                    JWSAlgorithm.ES256,
                    JWSAlgorithm.ES384,
                    JWSAlgorithm.ES512);

    final OpenIdClient client;
    private final ProviderCalls calls;
    final OidcLimits limits;
    final InstantSource clock;
    final LoginCounters counters;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Known known;
    private volatile long downUntilMillis = Long.MIN_VALUE;

    /// @param atMillis when it was found out
    record Known(
            OIDCProviderMetadata metadata,
            IDTokenValidator idTokens,
            LogoutTokenValidator logoutTokens,
            long atMillis) {}

    Provider(
            OpenIdClient client,
            ProviderCalls calls,
            OidcLimits limits,
            InstantSource clock,
            LoginCounters counters) {
        this.counters = counters;
        this.client = client;
        this.calls = calls;
        this.limits = limits;
        this.clock = clock;
    }

    /// What is known and new enough; else null. May be called by loops.
    @Nullable Known fresh() {
        Known found = known;
        return found != null && age(found) < limits.metadataFor().toMillis() ? found : null;
    }

    /// Whether it has not answered a moment ago.
    boolean isDown() {
        return clock.millis() < downUntilMillis;
    }

    /// Takes note that it does not answer.
    ProviderDownException down(Exception why) {
        counters.errors.increment();
        downUntilMillis = clock.millis() + limits.downFor().toMillis();
        LOG.log(Level.WARNING, "the OpenID provider {0} fails: {1}", name(), why.getMessage());
        return new ProviderDownException(name() + " fails", why);
    }

    /// Takes note that it has answered one question with an error of its own, or with what nobody
    /// can read. Whoever asks the next may fare better: a user can choose a code with which it
    /// fails.
    ProviderDownException failed(Exception why) {
        counters.errors.increment();
        LOG.log(
                Level.WARNING,
                "the OpenID provider {0} fails for one login: {1}",
                name(),
                why.getMessage());
        return new ProviderDownException(name() + " fails", why);
    }

    /// What is known, asked for if that is due. Waits.
    Known get() throws ProviderDownException {
        Known found = fresh();
        if (found != null) {
            return found;
        }
        lock.lock();
        try {
            found = fresh();
            if (found != null) {
                return found;
            }
            Known old = known;
            boolean kept = old != null && age(old) < limits.metadataKeptFor().toMillis();
            if (!isDown()) {
                try {
                    Known made = ask();
                    known = made;
                    return made;
                } catch (IOException | ParseException | RuntimeException e) {
                    ProviderDownException down = down(e);
                    if (!kept) {
                        throw down;
                    }
                }
            }
            if (old == null || !kept) {
                throw new ProviderDownException(name() + " did not answer a moment ago");
            }
            return old;
        } finally {
            lock.unlock();
        }
    }

    private long age(Known found) {
        return clock.millis() - found.atMillis;
    }

    private String name() {
        return name(client);
    }

    /// The URL that names the provider of a client.
    static String name(OpenIdClient client) {
        return String.valueOf(client.issuer() == null ? client.metadata() : client.issuer());
    }

    private Known ask() throws IOException, ParseException {
        String issuer = client.issuer();
        String url = client.metadata();
        if (url == null) {
            url =
                    String.valueOf(issuer).replaceFirst("/+$", "")
                            + "/.well-known/openid-configuration";
        }
        String text = calls.retrieveResource(URI.create(url).toURL()).getContent();
        OIDCProviderMetadata metadata = OIDCProviderMetadata.parse(text);
        if (issuer != null && !metadata.getIssuer().getValue().equals(issuer)) {
            throw new IOException("its metadata are those of " + metadata.getIssuer());
        }
        checkEndpoints(metadata, url.startsWith("https:"));
        JWKSource<SecurityContext> keys =
                JWKSourceBuilder.create(metadata.getJWKSetURI().toURL(), calls)
                        .cache(limits.keysFor().toMillis(), client.timeout().toMillis() * 2)
                        .refreshAheadCache(false)
                        .rateLimited(limits.keysEvery().toMillis())
                        .outageTolerant(limits.metadataKeptFor().toMillis())
                        .build();
        JWSKeySelector<SecurityContext> selector =
                new JWSVerificationKeySelector<>(ALGORITHMS, keys);
        Issuer named = metadata.getIssuer();
        ClientID id = new ClientID(client.id());
        IDTokenValidator idTokens = new IDTokenValidator(named, id, selector, null);
        int skew = Math.toIntExact(limits.clockSkew().toSeconds());
        idTokens.setMaxClockSkew(skew);
        LogoutTokenValidator logoutTokens =
                new LogoutTokenValidator(named, id, false, selector, null);
        return new Known(metadata, idTokens, logoutTokens, clock.millis());
    }

    /// Refuses metadata without what is needed, or by which a code, token or key would go without
    /// TLS.
    ///
    /// @param secure whether the metadata came by TLS
    static void checkEndpoints(OIDCProviderMetadata metadata, boolean secure) throws IOException {
        List<@Nullable URI> needed =
                Arrays.asList(
                        metadata.getAuthorizationEndpointURI(),
                        metadata.getTokenEndpointURI(),
                        metadata.getJWKSetURI());
        for (URI endpoint : needed) {
            if (endpoint == null || isOpen(endpoint, secure)) {
                throw new IOException("its metadata lack an endpoint, or it has one without TLS");
            }
        }
        URI user = metadata.getUserInfoEndpointURI();
        if (user != null && isOpen(user, secure)) {
            throw new IOException("its endpoint for claims of users is without TLS");
        }
        URI end = metadata.getEndSessionEndpointURI();
        if (end != null && isOpen(end, secure)) {
            throw new IOException("its endpoint for logging out is without TLS");
        }
    }

    private static boolean isOpen(URI endpoint, boolean secure) {
        return secure && !"https".equalsIgnoreCase(endpoint.getScheme());
    }

    /// Names of the ways in which it takes a client's secret; empty = it does not say.
    static List<String> secretMethods(OIDCProviderMetadata metadata) {
        return metadata.getTokenEndpointAuthMethods() == null
                ? List.of()
                : metadata.getTokenEndpointAuthMethods().stream().map(Object::toString).toList();
    }
}
