package io.margay.app.config.listener;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.acme.AcmeKeys;
import io.margay.app.acme.AcmeReader;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape.Items;
import io.margay.transport.ClientCertificates;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsConfig.KeyAccess;
import io.margay.transport.TlsConfig.Named;
import io.margay.transport.TlsConfig.Stapling;
import io.margay.transport.TlsConfigBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The keys by which a listener says how it speaks TLS. Used by one thread.
///
/// @param ofHosts the certificates that hosts have, and so each listener
public record TlsKeys(AcmeReader acme, List<Certificate> ofHosts) {
    private static final String CERTIFICATES_KEY = "certificates";
    private static final String NAMED_KEY = "sni";

    private static final Path FILE = Path.of("/");

    /// Files or folders.
    private static final Form<List<Path>> PATHS =
            listOrOne("paths, relative to the file", existing(), 0);

    private static final Keys<KeyAccess> KEY_ACCESS =
            Binding.of("how a key is reached", new KeyAccess(null, null, null))
                    .form("password", text("a password").secret())
                    .form("key-password", text("a password").secret())
                    .keys(
                            """
                            password: Of the keystore, or of the key if it is encrypted (PKCS #8).
                            key-password [that of the keystore]: Of the key within the keystore.
                            alias <the alias of a key> [the only key]: Which key of the keystore.
                            """);

    public static final Binding<Certificate> CERTIFICATE =
            Binding.of("a certificate", new Certificate(FILE, FILE))
                    .form(
                            "cert",
                            existing(),
                            Certificate::cert,
                            (to, cert) -> to.set("cert", cert).set("key", cert))
                    .form("key", existing(), one -> one.key().equals(one.cert()) ? null : one.key())
                    .keys(
                            """
                            cert [required]: PEM file with the certificate and its chain, or a
                              keystore (PKCS #12, JKS) with the key, too.
                            key [that of `cert`]: PEM file with the private key (PKCS #8, RSA, EC).
                            """)
                    .partIfGiven("access", KEY_ACCESS)
                    .form("chain", existing())
                    .form("ocsp", existing())
                    .keys(
                            """
                            chain: PEM file with the certificates of the authorities, where `cert`
                              has the server's alone.
                            ocsp: File with the DER form of the OCSP response that is stapled to
                              handshakes (with OpenSSL). A changed file is taken.
                            """);

    /// What certificates are given as.
    public static final Form<List<Certificate>> CERTIFICATES =
            list(CERTIFICATES_KEY, section(CERTIFICATE), 1);

    private static final Keys<ClientCertificates> CLIENTS =
            Binding.of("the certificates of clients", ClientCertificates.NONE)
                    .form("trust", PATHS)
                    .form("trust-password", text("a password").secret())
                    .form("ca-names", PATHS)
                    .form("crl", PATHS)
                    .form("verify-depth", whole(0, ClientCertificates.DEPTH_LIMIT))
                    .keys(
                            """
                            client-certificate (auth): Requests a client certificate: `want` also
                              accepts clients without one, `need` does not. Invalid ones are always
                              refused.
                            trust [none, and needed with `client-certificate`]: PEM files or
                              keystores (PKCS #12, JKS) of the authorities that sign client
                              certificates, or folders of PEM files named by `openssl rehash`. A
                              chain must end in a self-signed one.
                            trust-password: With `trust`: of its keystores.
                            ca-names (announced) [those of `trust`]: PEM files of the authorities
                              whose names are sent to clients to choose a certificate.
                            crl (crls) [none: revocation is not checked]: Certificate revocation
                              lists (PEM or DER), or folders as with `trust`. A certificate without
                              a current list of its authority is refused.
                            crl-check: With `crl` and `ocsp-check`: checks only the client's
                              certificate (`leaf`), or the whole chain.
                            ocsp-check (ocsp): Checks client certificates by OCSP (JDK's TLS only).
                              `soft` accepts if the responder is unreachable; `hard` refuses then,
                              or if none is named; `all` is `hard` for each certificate of
                              `crl-check`.
                            verify-depth (depthMax): Intermediate certificates at most between a
                              client's certificate and the self-signed authority.
                            """)
                    .refusal(
                            "client-certificate",
                            "\"client-certificate\" needs the key \"trust\": the authorities that"
                                    + " sign client certificates");

    /// What is said of a listener, and again of some host names.
    ///
    /// @param certificates what holds without `certificates`
    private static Binding<TlsConfig> handshake(String certificates) {
        return Binding.of("TLS", TlsConfig.of(List.of(CERTIFICATE.defaults())))
                .shape(CERTIFICATES_KEY, CERTIFICATES.shape())
                .shape(AcmeKeys.ACME, AcmeKeys::ofListener)
                .form("protocols", list("protocols", words("TLSv1.2", "TLSv1.3"), 1))
                .form("stapling", word(Stapling.Which.values()))
                .keys(
                        """
                        certificates [%s]: Chosen by the requested name (SNI); the first is the
                          default. Changed files are picked up.
                        acme [none]: A certificate ordered and renewed by ACME; until it is issued,
                          a self-signed one is used.
                        protocols: TLS versions that are spoken.
                        ciphers (cipherSuites) <ciphers, at least one, each the name of a cipher
                          suite> [the provider's without CBC mode and DHE, in the client's order]:
                          Cipher suites by their registered names, best first, as in
                          TLS_AES_128_GCM_SHA256.
                        stapling (stapling.which): OCSP stapling: `required` staples must-staple
                          certificates, `all` each certificate that names a responder. Responses are
                          fetched in advance and kept in `ocsp` of the work folder.
                        """
                                .formatted(certificates))
                .part("clients", CLIENTS);
    }

    private static final Keys<Named> NAMED =
            Binding.of(
                            "settings for host names",
                            new Named(
                                    List.of("shop.example"),
                                    TlsConfig.of(List.of(CERTIFICATE.defaults()))))
                    .form("names", listOrOne("host names", hostName(), 1))
                    .keys(
                            """
                            names [required]: Host names; `*.NAME` stands for all below that have no
                              entry of their own. A request for one of them must come by a
                              connection that was set up so, otherwise it is answered with 421.
                            """)
                    .part("tls", handshake("the listener's, as with each key that is left out"));

    public static final Binding<TlsConfig> LISTENER =
            handshake("none, and needed with `https` where there is no `acme`")
                    .shape(NAMED_KEY, new Items(NAMED.says(), NAMED.shape(), 1))
                    .keys(
                            """
                            sni [none]: Overrides for clients that request certain host names.
                            tls (provider): The TLS implementation: `auto` takes OpenSSL 3 on nio
                              and native where its library is installed, otherwise the JDK's.
                            handshake-timeout: Timeout of the TLS handshake, counted from accept.
                            """);

    /// How a listener speaks TLS, but for the keys of [#LISTENER]; empty when it does not say
    /// enough, which is then reported.
    Optional<TlsConfig> read(Settings listener, Reading reading) {
        List<Certificate> certificates = certificates(listener, reading);
        certificates.addAll(ofHosts);
        if (certificates.isEmpty()) {
            if (!listener.isGiven(CERTIFICATES_KEY) && !listener.isGiven(AcmeKeys.ACME)) {
                reading.problem(
                        listener,
                        "https",
                        "an https listener needs the key \"certificates\" or \"acme\"");
            }
            return Optional.empty();
        }
        TlsConfig own = TlsConfig.of(certificates);
        List<Settings> items = listener.list(NAMED_KEY, Settings.class);
        if (items.isEmpty()) {
            return Optional.of(own);
        }
        // What a name does not say is as the listener says, which is reported once.
        TlsConfig all =
                LISTENER.read(
                        listener,
                        own,
                        new Reading(reading.base(), new ArrayList<>(), new ArrayList<>()));
        List<Named> named = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Settings item : items) {
            List<Certificate> shown = certificates(item, reading);
            TlsConfig otherwise =
                    TlsConfigBuilder.builder(all)
                            .certificates(shown.isEmpty() ? certificates : shown)
                            .build();
            Named one = NAMED.read(item, new Named(List.of(), otherwise), reading);
            one.names().stream()
                    .filter(name -> !seen.add(name.toLowerCase(Locale.ROOT)))
                    .forEach(name -> reading.problem(item, "names", name + " is given twice"));
            named.add(one);
        }
        return Optional.of(own.withNamed(named));
    }

    private List<Certificate> certificates(Settings section, Reading reading) {
        List<Certificate> certificates = certificates(section, CERTIFICATES_KEY, reading);
        acme.read(section, List.of()).ifPresent(certificates::add);
        return certificates;
    }

    /// The certificates of a section, those too whose files are not there, which is then reported.
    public static List<Certificate> certificates(Settings section, String key, Reading reading) {
        return new ArrayList<>(CERTIFICATES.read(section, key, List.of(), reading));
    }

    /// The certificates of a listener.
    ///
    /// @param own files of certificates that the server gets by itself, which hosts name
    public static Map<String, Object> writeCertificates(TlsConfig tls, Set<Path> own) {
        List<Certificate> there =
                tls.certificates().stream().filter(one -> !own.contains(one.cert())).toList();
        return there.isEmpty()
                ? Map.of()
                : Map.of(CERTIFICATES_KEY, CERTIFICATES.writer().write(there, null));
    }

    /// What holds for host names.
    public static Map<String, Object> writeNamed(TlsConfig listener) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Named named : listener.named()) {
            Map<String, Object> item = new LinkedHashMap<>();
            if (!named.tls().certificates().equals(listener.certificates())) {
                item.putAll(writeCertificates(named.tls(), Set.of()));
            }
            item.putAll(NAMED.write(named, new Named(List.of(), listener.withNamed(List.of()))));
            all.add(item);
        }
        return all.isEmpty() ? Map.of() : Map.of(NAMED_KEY, all);
    }
}
