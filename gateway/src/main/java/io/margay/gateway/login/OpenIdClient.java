package io.margay.gateway.login;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How users log in at an OpenID provider, as configured. Immutable.
///
/// @param issuer URL that names the provider; null = whatever its metadata say
/// @param metadata URL of the provider's metadata; null = the one that its name stands for
/// @param id by which the provider knows this server
/// @param secret shared with the provider, if any
/// @param paths that are its own
/// @param scopes that are asked for; `openid` comes by itself
/// @param parameters further ones of the request to log in, as `prompt`
/// @param claims what is taken of what the provider says of users
/// @param session how long a login lasts
/// @param redirects whether a browser that opens a page is sent to the provider; else it gets 401
/// @param timeout for each answer of the provider
@RecordBuilder
public record OpenIdClient(
        @Nullable String issuer,
        @Nullable String metadata,
        String id,
        Secret secret,
        Paths paths,
        List<String> scopes,
        Map<String, String> parameters,
        Claims claims,
        Session session,
        boolean redirects,
        Duration timeout) {
    /// Short enough for who waits, and long enough for a provider that asks a directory.
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    /// What programs believe that stood behind mod_auth_openidc, as OIDC_CLAIM_sub.
    private static final String OF_MODULE = "oidc-*";

    /// A secret text, or a file that has it, which is read each time. Does not show itself.
    public record Secret(@Nullable String text, @Nullable Path file) {
        /// There is none.
        public static final Secret NONE = new Secret(null, null);

        private static final int BYTES_MAX = 64 << 10;

        /// Whether there is one.
        public boolean isThere() {
            return text != null || file != null;
        }

        /// The secret, without blanks around it; empty when there is none. May wait for the disk.
        public String read() throws IOException {
            if (file == null) {
                return text == null ? "" : text;
            }
            if (Files.size(file) > BYTES_MAX) {
                throw new IOException(file + " is larger than " + BYTES_MAX);
            }
            return Files.readString(file, StandardCharsets.UTF_8).strip();
        }

        @Override
        public String toString() {
            return "Secret[" + (file != null ? file : text != null ? "hidden" : "none") + "]";
        }
    }

    /// The paths that it answers itself.
    ///
    /// @param redirect to which the provider sends users back: a path, or a whole URL where this
    ///   server does not know how clients call it
    /// @param logout that ends a login; null = none
    /// @param afterLogout where users come to then: a path, or a whole URL
    /// @param backChannel by which the provider ends logins; null = none
    public record Paths(
            String redirect,
            @Nullable String logout,
            String afterLogout,
            @Nullable String backChannel) {
        /// The path of `redirect`.
        public String redirectPath() {
            return redirect.startsWith("/") ? redirect : URI.create(redirect).getPath();
        }

        /// Scheme and authority of `redirect`; null where it is a path alone.
        public @Nullable String origin() {
            if (redirect.startsWith("/")) {
                return null;
            }
            URI uri = URI.create(redirect);
            return uri.getScheme() + "://" + uri.getRawAuthority();
        }
    }

    /// What is taken of the claims of a provider. A name with points leads into objects, unless
    /// there is a claim with the whole name.
    ///
    /// @param user the claim that is the user's name
    /// @param roles claims that list the user's roles, which are groups, too
    /// @param userInfo whether the provider is asked for further claims
    /// @param fields of the request, each with the claim that it has from then on
    /// @param kept claims that requirements ask for
    /// @param passed what fields of their own all others have; null = they have none
    public record Claims(
            String user,
            List<String> roles,
            boolean userInfo,
            Map<String, String> fields,
            List<String> kept,
            @Nullable Passed passed) {
        public Claims {
            roles = List.copyOf(roles);
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
            kept = List.copyOf(kept);
        }
    }

    /// Claims that are fields of the request, as mod_auth_openidc has them.
    ///
    /// @param prefix of their names, before the claim's
    /// @param delimiter between several values
    /// @param only the claims that are; empty = all
    /// @param without claims that are not
    public record Passed(String prefix, String delimiter, List<String> only, List<String> without) {
        /// Before the names of claims, with mod_auth_openidc.
        public static final String PREFIX = "OIDC_CLAIM_";

        public static final String DELIMITER = ",";

        public Passed {
            only = List.copyOf(only);
            without = List.copyOf(without);
        }

        /// Whether a claim is among them.
        public boolean has(String claim) {
            return (only.isEmpty() || only.contains(claim)) && !without.contains(claim);
        }
    }

    /// How a login is kept: by an encrypted cookie.
    ///
    /// @param cookie its name
    /// @param key for cookies, which servers that share logins share; none = one of the process
    /// @param lifetime of a login at most
    /// @param idle how long a login lasts that is not used; zero = for all its lifetime
    public record Session(String cookie, Secret key, Duration lifetime, Duration idle) {}

    public OpenIdClient {
        scopes = List.copyOf(scopes);
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /// Whether another one is the same at the same provider, though it may say other things.
    public boolean isSameAs(OpenIdClient other) {
        return Objects.equals(issuer, other.issuer)
                && Objects.equals(metadata, other.metadata)
                && id.equals(other.id);
    }

    /// Whether a path is its own: nothing else answers there.
    boolean isOwn(String path) {
        return path.equals(paths.redirectPath())
                || path.equals(paths.logout)
                || path.equals(paths.backChannel);
    }

    /// Names of fields that only it may say, as [AuthService#canonical]; with a star for what
    /// follows.
    public Set<String> reserved() {
        Set<String> names = new LinkedHashSet<>();
        names.add(OF_MODULE);
        claims.fields.keySet().forEach(name -> names.add(AuthService.canonical(name)));
        Passed passed = claims.passed;
        if (passed != null) {
            names.add(AuthService.canonical(passed.prefix) + "*");
        }
        return names;
    }

    /// The one that answers a path itself, or null.
    public static @Nullable OpenIdClient ofPath(Collection<OpenIdClient> all, String path) {
        for (OpenIdClient client : all) {
            if (client.isOwn(path)) {
                return client;
            }
        }
        return null;
    }
}
