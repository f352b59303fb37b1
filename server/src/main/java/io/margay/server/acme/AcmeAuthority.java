package io.margay.server.acme;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A certificate authority, and the account that this server has there. Immutable.
///
/// @param directory where its services are listed
/// @param roots PEM file of the authorities that its own certificate is trusted by; null = those of
///   the JDK
/// @param email where it may write to, or null
/// @param binding what ties the account to one that exists elsewhere, or null
public record AcmeAuthority(
        URI directory, @Nullable Path roots, @Nullable String email, @Nullable Binding binding) {
    /// The word for what is taken unless another is said.
    public static final String DEFAULT = "letsencrypt";

    private static final Map<String, URI> KNOWN =
            Map.of(
                    DEFAULT,
                    URI.create("https://acme-v02.api.letsencrypt.org/directory"),
                    "letsencrypt-staging",
                    URI.create("https://acme-staging-v02.api.letsencrypt.org/directory"),
                    "zerossl",
                    URI.create("https://acme.zerossl.com/v2/DV90"),
                    "google",
                    URI.create("https://dv.acme-v02.api.pki.goog/directory"));

    /// External account binding (RFC 8555 §7.3.4).
    ///
    /// @param kid the name of the key
    /// @param hmac file with the key in Base64, as the authority hands it out
    public record Binding(String kid, Path hmac) {}

    /// The directory of an authority by its word, or by its URL.
    ///
    /// @throws IllegalArgumentException when it is neither
    public static URI directory(String word) {
        URI known = KNOWN.get(word.toLowerCase(Locale.ROOT));
        if (known != null) {
            return known;
        }
        URI uri = URI.create(word);
        if (!"https".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "neither a known authority nor an https URL: " + word);
        }
        return uri;
    }

    /// The same at another directory, without what ties it to an account.
    public AcmeAuthority at(URI other) {
        return new AcmeAuthority(other, roots, email, null);
    }
}
