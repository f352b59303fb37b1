package io.margay.server.directory;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a directory is reached, as configured. Immutable.
///
/// @param urls of the same directory, tried in order, as `ldaps://ldap.example`
/// @param tls how TLS is spoken with it
/// @param bind who searches
/// @param connectTimeout of connecting, and of the handshake
/// @param readTimeout of each answer
public record DirectoryAccess(
        List<String> urls, Tls tls, Bind bind, Duration connectTimeout, Duration readTimeout) {
    /// Short enough for who waits, and long enough for a directory that is asked first.
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    public DirectoryAccess {
        urls = List.copyOf(urls);
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("a directory needs a URL");
        }
        for (String url : urls) {
            if (!url.startsWith("ldap://") && !url.startsWith("ldaps://")) {
                throw new IllegalArgumentException(url + " must begin with ldap:// or ldaps://");
            }
        }
        if (!connectTimeout.isPositive() || !readTimeout.isPositive()) {
            throw new IllegalArgumentException("timeouts must be positive");
        }
        if (Math.max(connectTimeout.toMillis(), readTimeout.toMillis()) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("timeouts must be shorter than 25 days");
        }
    }

    /// How TLS is spoken with a directory.
    ///
    /// @param start whether it begins after connecting, by `ldap:`
    /// @param trust PEM file of the authorities that are trusted; null = the JDK's
    /// @param verify whether the certificate of the directory is checked at all
    /// @param own what a directory gets that asks for a certificate; null = nothing
    public record Tls(boolean start, @Nullable Path trust, boolean verify, @Nullable Own own) {
        /// For `ldaps:`, by the JDK's authorities.
        public static final Tls DEFAULT = new Tls(false, null, true, null);

        /// Whether anything of it differs from what the JDK does by itself.
        public boolean isSpecial() {
            return trust != null || !verify || own != null;
        }
    }

    /// A certificate of the server's own: PEM files, read again when they have changed.
    public record Own(Path cert, Path key) {}

    /// Who searches. Does not show the password.
    ///
    /// @param name distinguished; null = nobody in particular
    /// @param passwordFile in place of `password`; read each time
    public record Bind(
            @Nullable String name, @Nullable String password, @Nullable Path passwordFile) {
        /// Nobody in particular.
        public static final Bind ANONYMOUS = new Bind(null, null, null);

        @Override
        public String toString() {
            return "Bind[" + name + ", " + (passwordFile == null ? "hidden" : passwordFile) + "]";
        }
    }
}
