package io.margay.server.acme;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /// External account binding (RFC 8555 §7.3.4). Does not show the key.
    ///
    /// @param kid the name of the key
    /// @param hmac the key in Base64, as the authority hands it out; null = it is in the file
    /// @param file with the key, or a JSON object that has it as `hmac`; read when an account is
    ///   made
    public record Binding(String kid, @Nullable String hmac, @Nullable Path file) {
        public Binding {
            if ((hmac == null) == (file == null)) {
                throw new IllegalArgumentException("the key is a text, or in a file");
            }
        }

        /// By a JSON object with `kid` and `hmac`, as mod_md reads it.
        ///
        /// @throws IOException when the file cannot be read, or has no such object
        public static Binding ofJson(Path file) throws IOException {
            String text = Files.readString(file).strip();
            String kid = member(text, "kid");
            if (kid == null || member(text, "hmac") == null) {
                throw new IOException(file + " has no JSON object with \"kid\" and \"hmac\"");
            }
            return new Binding(kid, null, file);
        }

        /// The key in Base64.
        ///
        /// @throws IOException when the file cannot be read, or has none
        public String key() throws IOException {
            if (hmac != null || file == null) {
                return String.valueOf(hmac).strip();
            }
            String text = Files.readString(file).strip();
            String found = text.startsWith("{") ? member(text, "hmac") : text;
            if (found == null) {
                throw new IOException(file + " has no \"hmac\"");
            }
            return found;
        }

        private static @Nullable String member(String text, String name) {
            Matcher matcher =
                    Pattern.compile('"' + name + "\"\\s*:\\s*\"([^\"\\\\]+)\"").matcher(text);
            boolean object = text.startsWith("{") && text.endsWith("}");
            return object && matcher.find() ? matcher.group(1) : null;
        }

        @Override
        public String toString() {
            return "Binding[" + kid + ", " + (file == null ? "hidden" : file) + "]";
        }
    }

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
