package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.acme.AcmeKeys;
import io.margay.app.acme.AcmeReader;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import io.margay.transport.ClientCertificates;
import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.ClientCertificates.OcspCheck;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsConfig.ClientAuth;
import io.margay.transport.TlsConfig.Stapling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The keys of a listener that say how it speaks TLS, and what a file makes of them. Used by one
/// thread.
final class TlsKeys {
    private final Path base;
    private final List<Problem> problems;
    private final AcmeReader acme;

    /// What hosts have, and so each listener.
    private final List<Certificate> ofHosts;

    TlsKeys(Path base, List<Problem> problems, AcmeReader acme, List<Certificate> ofHosts) {
        this.base = base;
        this.problems = problems;
        this.acme = acme;
        this.ofHosts = ofHosts;
    }

    /// The keys of a listener.
    static List<Shape.Key> ofListener() {
        List<Shape.Key> keys =
                new ArrayList<>(
                        ofHandshake("none, and needed with `https` where there is no `acme`"));
        keys.add(
                optional(
                        "sni",
                        new Items("settings for host names", named(), 1),
                        "none",
                        "What holds instead for clients that ask for certain host names."));
        keys.add(
                optional(
                        "tls",
                        choice(List.of("auto", "openssl", "jsse")),
                        "auto",
                        "The TLS implementation: `auto` takes OpenSSL 3 on nio and"
                                + " native where its library is installed, otherwise the JDK's."));
        keys.add(
                optional(
                        "handshake-timeout",
                        duration(),
                        "10s",
                        "Timeout of the TLS handshake, counted from accept."));
        return keys;
    }

    private static Section named() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                required(
                        "names",
                        new Items("host names", Shape.hostName(), 1, true),
                        "Host names; `*.NAME` stands for all below that have no entry of their"
                                + " own. A request for one of them must come by a connection that"
                                + " was set up so, otherwise it is answered with 421."));
        keys.addAll(ofHandshake("the listener's, as with each key that is left out"));
        return new Section("settings for host names", keys, List.of());
    }

    /// What certificates are given as.
    static Shape certificates() {
        return new Items("certificates", certificate(), 1);
    }

    private static List<Shape.Key> ofHandshake(String certificates) {
        return List.of(
                optional(
                        "certificates",
                        certificates(),
                        certificates,
                        "Several serve several names (SNI); the first serves the rest."
                                + " Changed files are taken without a restart."),
                AcmeKeys.ofListener(),
                optional(
                        "protocols",
                        new Items("protocols", choice(List.of("TLSv1.2", "TLSv1.3")), 1),
                        "TLSv1.3, TLSv1.2",
                        "TLS versions that are spoken."),
                optional(
                        "ciphers",
                        new Items("ciphers", text("the name of a cipher suite"), 1),
                        "the provider's without CBC mode and DHE, in the client's order",
                        "Cipher suites by their registered names, best first, as in"
                                + " TLS_AES_128_GCM_SHA256."),
                stapling(),
                optional(
                        "client-certificate",
                        choice(List.of("none", "want", "need")),
                        "none",
                        "Whether clients are asked for a certificate. With `want` those without"
                                + " one are let in; one that is not valid never is."),
                optional(
                        "trust",
                        paths(),
                        "none, and needed with `client-certificate`",
                        "PEM files or keystores (PKCS #12, JKS) of the authorities that sign"
                                + " client certificates, or folders of PEM files named by `openssl"
                                + " rehash`. A chain must end in a self-signed one."),
                optional(
                        "trust-password",
                        text("a password").asSecret(),
                        "none",
                        "With `trust`: of its keystores."),
                optional(
                        "ca-names",
                        paths(),
                        "those of `trust`",
                        "PEM files of the authorities whose names clients are shown to choose"
                                + " a certificate by."),
                optional(
                        "crl",
                        paths(),
                        "none: revocation is not checked",
                        "Lists of revoked client certificates (PEM or DER), or folders as with"
                                + " `trust`. A certificate of whose authority there is no list, or"
                                + " only one that has expired, is refused."),
                optional(
                        "crl-check",
                        choice(List.of("leaf", "chain")),
                        "chain",
                        "With `crl` and `ocsp-check`: whether the client's certificate alone is"
                                + " checked, or those of its authorities, too."),
                ocspCheck(),
                optional(
                        "verify-depth",
                        whole(0, ClientCertificates.DEPTH_LIMIT),
                        String.valueOf(ClientCertificates.DEPTH_DEFAULT),
                        "Intermediate certificates at most between a client's certificate and"
                                + " the self-signed authority."));
    }

    private static Shape.Key stapling() {
        return optional(
                "stapling",
                choice(List.of("none", "required", "all")),
                "required",
                "To which certificates a response of the OCSP responder that they name is stapled:"
                        + " `required`, to those that clients do not trust without (must-staple);"
                        + " `all`, to each that names one. Responses are fetched before they are"
                        + " asked for, and kept in `ocsp` in the work folder.");
    }

    private static Shape.Key ocspCheck() {
        return optional(
                "ocsp-check",
                choice(List.of("none", "soft", "hard", "all")),
                "none",
                "Whether the OCSP responders that client certificates name are asked,"
                        + " which is done by the JDK's TLS. `hard` refuses a certificate"
                        + " that names none, and if one does not answer; `all` wants"
                        + " one named by each certificate that `crl-check` says; with"
                        + " `soft` one that cannot be reached is done without.");
    }

    private static Items paths() {
        return new Items("paths, relative to the file", Shape.path(), 0, true);
    }

    private static Section certificate() {
        return new Section(
                "a certificate",
                List.of(
                        required(
                                "cert",
                                Shape.path(),
                                "PEM file with the certificate and its chain, or a keystore"
                                        + " (PKCS #12, JKS) with the key, too."),
                        optional(
                                "key",
                                Shape.path(),
                                "that of `cert`",
                                "PEM file with the private key (PKCS #8, RSA, EC)."),
                        optional(
                                "password",
                                text("a password").asSecret(),
                                "none",
                                "Of the keystore, or of the key if it is encrypted (PKCS #8)."),
                        optional(
                                "key-password",
                                text("a password").asSecret(),
                                "that of the keystore",
                                "Of the key within the keystore."),
                        optional(
                                "alias",
                                text("the alias of a key"),
                                "the only key",
                                "Which key of the keystore."),
                        optional(
                                "chain",
                                Shape.path(),
                                "none",
                                "PEM file with the certificates of the authorities, where `cert`"
                                        + " has the server's alone."),
                        optional(
                                "ocsp",
                                Shape.path(),
                                "none",
                                "File with the DER form of the OCSP response that is stapled to"
                                        + " handshakes (with OpenSSL). A changed file is taken.")),
                List.of());
    }

    /// How a listener speaks TLS; empty when it does not say enough, which is then reported.
    Optional<TlsConfig> read(Settings listener) {
        List<Certificate> certificates = certificates(listener);
        certificates.addAll(ofHosts);
        if (certificates.isEmpty()) {
            if (!listener.isGiven("certificates") && !listener.isGiven(AcmeKeys.ACME)) {
                problem(
                        listener,
                        "https",
                        "an https listener needs the key \"certificates\" or \"acme\"");
            }
            return Optional.empty();
        }
        TlsConfig defaults = TlsConfig.of(certificates);
        TlsConfig own = handshake(listener, certificates, defaults);
        List<TlsConfig.Named> named = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Settings item : listener.list("sni", Settings.class)) {
            List<String> names =
                    item.list("names", String.class).stream()
                            .map(name -> name.toLowerCase(Locale.ROOT))
                            .toList();
            names.stream()
                    .filter(name -> !seen.add(name))
                    .forEach(name -> problem(item, "names", name + " is given twice"));
            List<Certificate> shown = certificates(item);
            named.add(
                    new TlsConfig.Named(
                            names, handshake(item, shown.isEmpty() ? certificates : shown, own)));
        }
        return Optional.of(
                own.withNamed(named)
                        .withHandshakeTimeout(
                                listener.duration("handshake-timeout")
                                        .orElse(defaults.handshakeTimeout()))
                        .with(
                                listener.text("tls")
                                        .map(TlsKeys::upper)
                                        .map(TlsConfig.Provider::valueOf)
                                        .orElse(defaults.provider())));
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    /// How the admin listener speaks TLS; empty = it does not.
    Optional<TlsConfig> ofAdmin(Settings root) {
        List<Certificate> certificates = certificates(root, "admin-certificates", base, problems);
        return certificates.isEmpty() ? Optional.empty() : Optional.of(TlsConfig.of(certificates));
    }

    private List<Certificate> certificates(Settings section) {
        List<Certificate> certificates = certificates(section, "certificates", base, problems);
        acme.read(section, List.of()).ifPresent(certificates::add);
        return certificates;
    }

    /// The certificates of a section, those too whose files are not there, which is then reported.
    static List<Certificate> certificates(
            Settings section, String of, Path base, List<Problem> problems) {
        List<Certificate> certificates = new ArrayList<>();
        for (Settings item : section.list(of, Settings.class)) {
            Optional<Path> cert =
                    item.text("cert").map(text -> existing(item, base, problems, "cert", text));
            Optional<Path> key =
                    item.text("key").map(text -> existing(item, base, problems, "key", text));
            if (cert.isPresent()) {
                Optional<Path> ocsp =
                        item.text("ocsp").map(text -> existing(item, base, problems, "ocsp", text));
                Optional<Path> chain =
                        item.text("chain")
                                .map(text -> existing(item, base, problems, "chain", text));
                boolean locked =
                        item.has("password") || item.has("key-password") || item.has("alias");
                certificates.add(
                        new Certificate(cert.get(), key.orElse(cert.get()), ocsp.orElse(null))
                                .withChain(chain.orElse(null))
                                .with(
                                        locked
                                                ? new TlsConfig.KeyAccess(
                                                        item.text("password").orElse(null),
                                                        item.text("key-password").orElse(null),
                                                        item.text("alias").orElse(null))
                                                : null));
            }
        }
        return certificates;
    }

    /// What a section says, and otherwise what holds.
    private TlsConfig handshake(
            Settings section, List<Certificate> certificates, TlsConfig otherwise) {
        List<String> protocols = section.list("protocols", String.class);
        List<String> suites = section.list("ciphers", String.class);
        return TlsConfig.of(certificates)
                .withProtocols(protocols.isEmpty() ? otherwise.protocols() : protocols)
                .withCipherSuites(suites.isEmpty() ? otherwise.cipherSuites() : suites)
                .withStapling(
                        section.text("stapling")
                                .map(TlsKeys::upper)
                                .map(Stapling.Which::valueOf)
                                .map(which -> new Stapling(which, null))
                                .orElse(otherwise.stapling()))
                .withClients(clients(section, otherwise.clients()));
    }

    private ClientCertificates clients(Settings section, ClientCertificates otherwise) {
        ClientAuth auth =
                section.text("client-certificate")
                        .map(TlsKeys::upper)
                        .map(ClientAuth::valueOf)
                        .orElse(otherwise.auth());
        List<Path> trust = paths(section, "trust", otherwise.trust());
        if (auth != ClientAuth.NONE && trust.isEmpty()) {
            problem(
                    section,
                    "client-certificate",
                    "\"client-certificate\" needs the key \"trust\": the authorities that sign"
                            + " client certificates");
            return ClientCertificates.NONE;
        }
        return new ClientCertificates(
                auth,
                trust,
                paths(section, "ca-names", otherwise.announced()),
                paths(section, "crl", otherwise.crls()),
                section.text("crl-check")
                        .map(TlsKeys::upper)
                        .map(CrlCheck::valueOf)
                        .orElse(otherwise.crlCheck()),
                section.number("verify-depth").map(Math::toIntExact).orElse(otherwise.depthMax()),
                section.text("trust-password").orElse(otherwise.trustPassword()),
                section.text("ocsp-check")
                        .map(TlsKeys::upper)
                        .map(OcspCheck::valueOf)
                        .orElse(otherwise.ocsp()));
    }

    private List<Path> paths(Settings section, String key, List<Path> otherwise) {
        return section.has(key)
                ? section.list(key, String.class).stream()
                        .map(text -> existing(section, base, problems, key, text))
                        .toList()
                : otherwise;
    }

    /// The path, also when it is not there, which is then reported.
    private static Path existing(
            Settings section, Path base, List<Problem> problems, String key, String text) {
        Path path = base.resolve(text).normalize();
        if (!Files.exists(path)) {
            problems.add(
                    new Problem(
                            section.position(key), "\"" + key + "\": " + path + " does not exist"));
        }
        return path;
    }

    private void problem(Settings section, String key, String message) {
        problems.add(new Problem(section.position(key), message));
    }
}
