package io.margay.transport;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/// How a listener speaks TLS. Immutable.
///
/// @param certificates at least one; the first serves clients that ask for no known name
/// @param protocols enabled versions, `TLSv1.2` and `TLSv1.3`
/// @param cipherSuites enabled suites by their names in the IANA registry, best first; empty = the
///   provider's, but for TLS 1.2 only those with forward secrecy and authenticated encryption
/// @param applicationProtocols what ALPN offers, best first, such as `http/1.1`; empty = no ALPN
/// @param clients what is asked of clients about certificates
/// @param handshakeTimeout from accept to the handshake's end
/// @param provider whose TLS it is
/// @param named what holds instead for clients that ask for certain host names (SNI)
/// @param challenges what certificate authorities are shown, or null
/// @param stapling which certificates are shown with what their authorities say of them
/// @param tickets what the keys of session tickets are made from, so that sessions resume at other
///   servers, too; null = each set of settings has keys of its own
@RecordBuilder
public record TlsConfig(
        List<Certificate> certificates,
        List<String> protocols,
        List<String> cipherSuites,
        List<String> applicationProtocols,
        ClientCertificates clients,
        Duration handshakeTimeout,
        Provider provider,
        List<Named> named,
        @Nullable Challenges challenges,
        Stapling stapling,
        @Nullable TicketSecrets tickets)
        implements TlsConfigBuilder.With {
    /// One certificate chain and its key; watched and swapped when the files change.
    ///
    /// @param cert PEM, or a keystore (PKCS #12, JKS) in which the key is, too
    /// @param key PEM; not looked at where `cert` is a keystore
    /// @param ocsp file with the DER form of the authority's OCSP response, stapled to handshakes
    ///   (OpenSSL only), or null; watched like the others
    /// @param source what has chain and key in place of the files, which are then not read; asked
    ///   again by [Listener#reloadCertificates]
    /// @param chain PEM file with the certificates of the authorities, where `cert` has none; null
    ///   = there is none
    /// @param access to a keystore or an encrypted key; null = neither has a password
    @RecordBuilder
    public record Certificate(
            Path cert,
            Path key,
            @Nullable Path ocsp,
            @Nullable KeySource source,
            @Nullable Path chain,
            @Nullable KeyAccess access)
            implements TlsConfigCertificateBuilder.With {
        private static final Path NO_FILE = Path.of("");

        public Certificate(Path cert, Path key, @Nullable Path ocsp) {
            this(cert, key, ocsp, null, null, null);
        }

        public Certificate(Path cert, Path key) {
            this(cert, key, null);
        }

        /// A certificate that is in no file.
        public static Certificate of(KeySource source) {
            return new Certificate(NO_FILE, NO_FILE, null, source, null, null);
        }

        /// The same with passwords.
        public Certificate with(@Nullable KeyAccess other) {
            return TlsConfigCertificateBuilder.builder(this).access(other).build();
        }

        @Override
        public String toString() {
            return source == null ? cert.toString() : "a certificate in memory";
        }
    }

    /// How a key is reached.
    ///
    /// @param password of the keystore or of the encrypted key; null = none
    /// @param keyPassword of the key within the keystore; null = that of the keystore
    /// @param alias which key of the keystore; null = the only one
    public record KeyAccess(
            @Nullable String password, @Nullable String keyPassword, @Nullable String alias) {
        /// Without the passwords.
        @Override
        public String toString() {
            return alias == null ? "a password" : "a password, alias " + alias;
        }
    }

    /// What holds for some host names.
    ///
    /// @param names in lower case; `*.name` stands for every name below `name` that has no entry of
    ///   its own
    /// @param tls without names of its own; the application protocols, the time and the provider
    ///   are those of the listener
    public record Named(List<String> names, TlsConfig tls) {
        public Named {
            names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
            if (!tls.named.isEmpty()) {
                throw new IllegalArgumentException("host names within host names: " + names);
            }
        }
    }

    /// What certificate authorities are shown that ask by a handshake whether a host name is served
    /// here (TLS-ALPN-01, RFC 8737). Asked from any thread.
    public interface Challenges {
        /// The application protocol that such a client offers, and no other.
        String PROTOCOL = "acme-tls/1";

        /// Whether any name is to be asked for; as long as none is, no handshake is looked at.
        boolean isPending();

        /// What is shown for a host name.
        ///
        /// @param host in lower case
        /// @return null = nobody is to ask for it
        KeySource.@Nullable Keys of(String host);
    }

    /// What the keys of session tickets are made from, where several servers have the same. It is
    /// OpenSSL's TLS that uses it; the JDK's has keys of its own. Asked from any thread, with each
    /// handshake.
    @FunctionalInterface
    public interface TicketSecrets {
        /// Secrets of at least 32 bytes: the first is for new tickets, the others are for tickets
        /// that clients have.
        ///
        /// @return the same list as long as nothing has changed; empty = none is to be used now
        List<byte[]> secrets();
    }

    /// Which certificates are shown with a response of the OCSP responder that they name, which
    /// says that they have not been revoked (RFC 6066 §8). Immutable.
    ///
    /// @param from what fetches the responses; null = nothing does, and none are stapled
    public record Stapling(Which which, @Nullable Responses from) {
        /// What is taken unless something else is said.
        public static final Stapling REQUIRED = new Stapling(Which.REQUIRED, null);

        /// Of which certificates.
        public enum Which {
            NONE,

            /// Of those that clients do not trust without (RFC 7633, "must staple").
            REQUIRED,

            /// Of all that name a responder.
            ALL
        }

        /// What fetches responses. Asked from any thread.
        public interface Responses {
            /// Has responses for these chains fetched, and no longer for those that the same owner
            /// has named before.
            ///
            /// @param chains the server's own certificate first, then that of its authority
            /// @param patience how long this may wait for the responses
            void follow(Object owner, List<List<X509Certificate>> chains, Duration patience);

            /// Has the JDK's TLS, which fetches responses itself where it staples them, find these.
            void serveJdk();

            /// The response for a certificate that is followed, in DER form.
            ///
            /// @return null = there is none that is still valid
            byte @Nullable [] of(X509Certificate certificate);
        }
    }

    /// What a connection must have been set up with to be used for a host.
    ///
    /// @param protocols whatever their order
    public record Requirements(
            ClientCertificates clients, Set<String> protocols, List<String> cipherSuites) {
        public Requirements {
            protocols = Set.copyOf(protocols);
            cipherSuites = List.copyOf(cipherSuites);
        }
    }

    /// Whether some clients are asked for a certificate.
    public boolean asksForCertificates() {
        return clients.auth() != ClientAuth.NONE
                || named.stream().anyMatch(one -> one.tls.asksForCertificates());
    }

    /// What is asked of clients that ask for a host name, in lower case; of those that ask for any
    /// below `name`, where it is `*.name`.
    public ClientCertificates clients(String host) {
        String asked = host;
        while (!asked.isEmpty()) {
            for (Named one : named) {
                if (one.names.contains(asked)) {
                    return one.tls.clients;
                }
            }
            int dot = asked.indexOf('.', asked.startsWith("*.") ? 2 : 0);
            asked = dot < 0 ? "" : "*" + asked.substring(dot);
        }
        return clients;
    }

    /// What is asked of the client.
    public enum ClientAuth {
        NONE,
        WANT,
        NEED
    }

    /// Whose code encrypts.
    public enum Provider {
        /// OpenSSL 3 on the nio and native transports where its library is there, otherwise the
        /// JDK.
        AUTO,

        /// OpenSSL 3; without its library the listener does not open.
        OPENSSL,

        /// The JDK.
        JSSE
    }

    public TlsConfig {
        certificates = List.copyOf(certificates);
        protocols = List.copyOf(protocols);
        cipherSuites = List.copyOf(cipherSuites);
        applicationProtocols = List.copyOf(applicationProtocols);
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("a TLS listener needs a certificate");
        }
        if (protocols.isEmpty()) {
            throw new IllegalArgumentException("a TLS listener needs a TLS version");
        }
        List<String> offered = applicationProtocols;
        named =
                named.stream()
                        .map(one ->
                                new Named(
                                        one.names,
                                        one.tls.asPart(
                                                offered,
                                                handshakeTimeout,
                                                provider,
                                                stapling.from,
                                                tickets)))
                        .toList();
    }

    private TlsConfig asPart(
            List<String> offered,
            Duration timeout,
            Provider whose,
            Stapling.@Nullable Responses from,
            @Nullable TicketSecrets secrets) {
        return new TlsConfig(
                certificates,
                protocols,
                cipherSuites,
                offered,
                clients,
                timeout,
                whose,
                List.of(),
                null,
                new Stapling(stapling.which, from),
                secrets);
    }

    /// TLS 1.2 and 1.3, ALPN `http/1.1`, no client certificate, 10 s for the handshake.
    public static TlsConfig of(Path cert, Path key) {
        return of(List.of(new Certificate(cert, key)));
    }

    /// With the keys of a key manager, one for each of its aliases.
    ///
    /// @throws TlsSetupException when it has none that a server can use
    public static TlsConfig of(X509KeyManager keys) {
        return of(KeySource.all(keys).stream().map(Certificate::of).toList());
    }

    /// The same with several certificates.
    public static TlsConfig of(List<Certificate> certificates) {
        return new TlsConfig(
                certificates,
                List.of("TLSv1.3", "TLSv1.2"),
                List.of(),
                List.of("http/1.1"),
                ClientCertificates.NONE,
                Duration.ofSeconds(10),
                Provider.AUTO,
                List.of(),
                null,
                Stapling.REQUIRED,
                null);
    }

    /// What a connection must have been set up with.
    public Requirements requirements() {
        return new Requirements(
                clients.auth() == ClientAuth.NONE ? ClientCertificates.NONE : clients,
                Set.copyOf(protocols),
                cipherSuites);
    }

    /// The same with another provider.
    public TlsConfig with(Provider other) {
        return TlsConfigBuilder.builder(this).provider(other).build();
    }
}
