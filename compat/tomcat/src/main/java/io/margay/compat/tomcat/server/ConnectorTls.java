package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.servlet.xml.XmlElement;
import io.margay.transport.ClientCertificates;
import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.ClientCertificates.OcspCheck;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsConfig.ClientAuth;
import io.margay.transport.TlsConfig.KeyAccess;
import io.margay.transport.factory.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a `Connector` of Tomcat says of TLS: an `SSLHostConfig` for each host name, or the
/// attributes of earlier versions. Confined to one reading.
final class ConnectorTls {
    private static final String DEFAULT = "_default_";

    /// What Tomcat tries where no password is given.
    private static final String PASSWORD = "changeit";

    /// Attributes of the connector in earlier versions, and what they are called now.
    private static final Map<String, String> EARLIER =
            Map.ofEntries(
                    Map.entry("SSLCertificateFile", "certificateFile"),
                    Map.entry("SSLCertificateKeyFile", "certificateKeyFile"),
                    Map.entry("SSLCertificateChainFile", "certificateChainFile"),
                    Map.entry("SSLPassword", "certificateKeyPassword"),
                    Map.entry("keystoreFile", "certificateKeystoreFile"),
                    Map.entry("keystorePass", "certificateKeystorePassword"),
                    Map.entry("keyAlias", "certificateKeyAlias"),
                    Map.entry("keyPass", "certificateKeyPassword"),
                    Map.entry("truststorePass", "truststorePassword"),
                    Map.entry("SSLCipherSuite", "ciphers"),
                    Map.entry("clientAuth", "certificateVerification"),
                    Map.entry("SSLVerifyClient", "certificateVerification"),
                    Map.entry("SSLVerifyDepth", "certificateVerificationDepth"),
                    Map.entry("trustMaxCertLength", "certificateVerificationDepth"),
                    Map.entry("SSLCACertificateFile", "caCertificateFile"),
                    Map.entry("SSLCACertificatePath", "caCertificatePath"),
                    Map.entry("SSLCARevocationFile", "certificateRevocationListFile"),
                    Map.entry("crlFile", "certificateRevocationListFile"),
                    Map.entry("SSLCARevocationPath", "certificateRevocationListPath"),
                    Map.entry("sslEnabledProtocols", "protocols"),
                    Map.entry("SSLProtocol", "protocols"));

    /// Words of `protocols` that say no more than is done; `sslv2hello` is a way to begin.
    private static final Set<String> SPOKEN = Set.of("", "all", "sslv2hello", "tlsv1.2", "tlsv1.3");

    private final Path base;
    private final boolean whole;
    private final ElementAccount account;
    private final List<Host> hosts = new ArrayList<>();

    /// An `SSLHostConfig`, or the connector itself where it has none.
    private record Host(
            XmlElement element, Map<String, String> attributes, List<Certificate> certificates) {
        String name() {
            return attributes.getOrDefault("hostName", DEFAULT).toLowerCase(Locale.ROOT);
        }
    }

    /// @param whole whether the files that are named are read, too
    ConnectorTls(Path base, boolean whole, ElementAccount account) {
        this.base = base;
        this.whole = whole;
        this.account = account;
    }

    /// How the connector speaks TLS, or null where it cannot be said, which is told.
    @Nullable TlsConfig config(XmlElement connector) {
        for (XmlElement host : connector.all("SSLHostConfig")) {
            hosts.add(new Host(host, host.attributes(), new ArrayList<>()));
            List<XmlElement> certificates = host.all("Certificate");
            certificates.forEach(one -> certificate(one, one.attributes()));
            if (certificates.isEmpty()) {
                certificate(host, host.attributes()); // As in Tomcat 8.5 and 9.
            }
        }
        earlier(connector);
        String byDefault =
                connector
                        .attributes()
                        .getOrDefault("defaultSSLHostConfigName", DEFAULT)
                        .toLowerCase(Locale.ROOT);
        Host first =
                hosts.stream()
                        .filter(one -> one.name().equals(byDefault))
                        .findFirst()
                        .orElse(hosts.getFirst());
        if (first.certificates.isEmpty()) {
            account.tell(first.element, Verdict.WRONG, "TLS needs a certificate");
            return null;
        }
        TlsConfig config = config(first, first.certificates);
        List<TlsConfig.Named> named = new ArrayList<>();
        for (Host host : hosts) {
            // One without a certificate asks no less of its clients.
            List<Certificate> own =
                    host.certificates.isEmpty() ? first.certificates : host.certificates;
            TlsConfig read = host.equals(first) ? config : config(host, own);
            if (config == null || read == null) {
                return null;
            }
            if (!host.name().equals(DEFAULT) && hosts.size() > 1) {
                named.add(new TlsConfig.Named(List.of(host.name()), read));
            }
        }
        return config == null ? null : config.withNamed(named);
    }

    /// The certificate of the host that has begun.
    private void certificate(XmlElement element, Map<String, String> attributes) {
        String cert = attributes.get("certificateFile");
        String store = attributes.get("certificateKeystoreFile");
        String keyPassword =
                password(
                        element,
                        attributes,
                        "certificateKeyPassword",
                        "certificateKeyPasswordFile");
        if (cert != null) {
            String key = attributes.getOrDefault("certificateKeyFile", cert);
            String chain = attributes.get("certificateChainFile");
            hosts.getLast()
                    .certificates
                    .add(
                            new Certificate(base.resolve(cert), base.resolve(key))
                                    .withChain(chain == null ? null : base.resolve(chain))
                                    .with(
                                            keyPassword == null
                                                    ? null
                                                    : new KeyAccess(keyPassword, null, null)));
        } else if (store != null) {
            String password =
                    password(
                            element,
                            attributes,
                            "certificateKeystorePassword",
                            "certificateKeystorePasswordFile");
            Path file = base.resolve(store.replaceFirst("^file:(//)?", ""));
            KeyAccess access =
                    new KeyAccess(
                            password == null ? PASSWORD : password,
                            keyPassword,
                            attributes.get("certificateKeyAlias"));
            hosts.getLast().certificates.add(new Certificate(file, file).with(access));
        }
    }

    /// A password that is written out, or stands in a file.
    private @Nullable String password(
            XmlElement element, Map<String, String> attributes, String plain, String file) {
        String name = attributes.get(file);
        if (name == null) {
            return attributes.get(plain);
        }
        try {
            return Files.readString(base.resolve(name)).lines().findFirst().orElse("");
        } catch (IOException e) {
            account.tell(element, file, Verdict.WRONG, "cannot be read: " + e);
            return null;
        }
    }

    /// Takes attributes of earlier versions as an `SSLHostConfig`.
    private void earlier(XmlElement connector) {
        if (!hosts.isEmpty()) {
            return;
        }
        Map<String, String> attributes = new HashMap<>(connector.attributes());
        EARLIER.forEach((old, now) -> {
            String value = attributes.get(old);
            if (value != null) {
                attributes.put(now, value);
            }
        });
        hosts.add(new Host(connector, attributes, new ArrayList<>()));
        certificate(connector, attributes);
    }

    private @Nullable TlsConfig config(Host host, List<Certificate> certificates) {
        ClientCertificates clients = clients(host);
        List<String> protocols = protocols(host);
        if (clients == null || protocols.isEmpty()) {
            return null;
        }
        TlsConfig config =
                TlsConfig.of(certificates)
                        .withClients(clients)
                        .withProtocols(protocols)
                        .withCipherSuites(ciphers(host));
        List<String> problems = whole ? TlsFiles.problems(config) : List.of();
        problems.forEach(problem -> account.tell(host.element, Verdict.WRONG, problem));
        return problems.isEmpty() ? config : null;
    }

    /// The suites that a list names, of those that are known; empty = those considered safe.
    private List<String> ciphers(Host host) {
        List<String> suites = new ArrayList<>();
        for (String name : List.of("ciphers", "cipherSuites")) {
            String text = host.attributes.get(name);
            if (text == null) {
                continue;
            }
            List<String> named =
                    Stream.of(text.split("[:,\\s]+")).filter(one -> !one.isEmpty()).toList();
            boolean plain = named.stream().allMatch(one -> one.matches("TLS_[A-Z0-9_]+"));
            List<String> unknown =
                    named.stream().filter(one -> !TlsFiles.suites().contains(one)).toList();
            if (plain) {
                named.stream().filter(one -> !unknown.contains(one)).forEach(suites::add);
            }
            if (!plain || suites.isEmpty()) {
                account.tell(
                        host.element,
                        name,
                        Verdict.CHANGED,
                        "the cipher suites are those of TLS 1.2 and 1.3 that are considered safe");
            } else if (!unknown.isEmpty()) {
                account.tell(host.element, name, Verdict.CHANGED, "not known here: " + unknown);
            }
        }
        return suites;
    }

    private @Nullable ClientCertificates clients(Host host) {
        String word = host.attributes.getOrDefault("certificateVerification", "none");
        ClientAuth auth =
                switch (word.toLowerCase(Locale.ROOT)) {
                    case "none", "no", "false" -> ClientAuth.NONE;
                    case "required", "require", "true", "yes" -> ClientAuth.NEED;
                    case "optional", "want", "optionalnoca", "optional_no_ca" -> ClientAuth.WANT;
                    default -> null;
                };
        if (auth == null) {
            return wrong(
                    host,
                    "certificateVerification",
                    "\"" + word + "\" is not one of none," + " optional, required");
        }
        if (auth == ClientAuth.NONE) {
            return ClientCertificates.NONE;
        }
        List<Path> trust = paths(host, "caCertificateFile", "caCertificatePath", "truststoreFile");
        if (trust.isEmpty()) {
            return wrong(
                    host,
                    "certificateVerification",
                    "needs the authorities that sign client certificates: caCertificateFile or"
                            + " truststoreFile");
        }
        boolean store = host.attributes.containsKey("truststoreFile");
        String password = host.attributes.getOrDefault("truststorePassword", PASSWORD);
        List<Path> crls =
                paths(host, "certificateRevocationListFile", "certificateRevocationListPath");
        OcspCheck ocsp = ocsp(host);
        if (crls.isEmpty() && ocsp == OcspCheck.NONE && isTrue(host, "revocationEnabled", false)) {
            return wrong(
                    host,
                    "revocationEnabled",
                    "needs certificateRevocationListFile or ocspEnabled=\"true\"");
        }
        String depth =
                host.attributes.getOrDefault(
                        "certificateVerificationDepth",
                        String.valueOf(ClientCertificates.DEPTH_DEFAULT));
        if (!depth.matches("[0-9]{1,2}")) {
            return wrong(host, "certificateVerificationDepth", "\"" + depth + "\" is not a depth");
        }
        return ClientCertificates.of(auth, trust.getFirst())
                .withTrust(trust)
                .withTrustPassword(store ? password : null)
                .withCrls(crls, CrlCheck.CHAIN)
                .withOcsp(ocsp)
                .withDepthMax(Integer.parseInt(depth));
    }

    /// Whether responders are asked; what that means beyond Tomcat is told.
    private OcspCheck ocsp(Host host) {
        if (!isTrue(host, "ocspEnabled", false)) {
            return OcspCheck.NONE;
        }
        boolean soft = isTrue(host, "ocspSoftFail", true);
        account.tell(
                host.element,
                "ocspEnabled",
                Verdict.HONOURED,
                soft
                        ? "by the JDK's TLS; a responder that cannot be reached is done without"
                                + " (ocspSoftFail)"
                        : "by the JDK's TLS; a client's certificate that names no responder is"
                                + " refused, too");
        return soft ? OcspCheck.SOFT : OcspCheck.HARD;
    }

    private static boolean isTrue(Host host, String attribute, boolean otherwise) {
        String value = host.attributes.get(attribute);
        return value == null ? otherwise : value.equalsIgnoreCase("true");
    }

    private List<Path> paths(Host host, String... attributes) {
        return Stream.of(attributes)
                .filter(host.attributes::containsKey)
                .map(name -> base.resolve(host.attributes.getOrDefault(name, "")))
                .toList();
    }

    private List<String> protocols(Host host) {
        boolean two = false;
        boolean three = false;
        Set<String> others = new TreeSet<>();
        String text = host.attributes.getOrDefault("protocols", "all").toLowerCase(Locale.ROOT);
        for (String word : text.split("[,\\s]+|(?=[+-])")) {
            String name = word.replaceFirst("^[+-]", "");
            boolean on = !word.startsWith("-");
            two = (name.equals("all") || name.equals("tlsv1.2")) ? on : two;
            three = (name.equals("all") || name.equals("tlsv1.3")) ? on : three;
            if (on && !SPOKEN.contains(name)) {
                others.add(name);
            }
        }
        if (!others.isEmpty()) {
            account.tell(
                    host.element,
                    "protocols",
                    Verdict.CHANGED,
                    "TLS 1.2 and 1.3 alone are spoken, not " + String.join(", ", others));
        }
        if (!two && !three) {
            wrong(
                    host,
                    "protocols",
                    "leaves neither TLS 1.2 nor TLS 1.3, the only supported" + " versions");
        }
        List<String> protocols = new ArrayList<>();
        if (three) {
            protocols.add("TLSv1.3");
        }
        if (two) {
            protocols.add("TLSv1.2");
        }
        return protocols;
    }

    private @Nullable ClientCertificates wrong(Host host, String attribute, String text) {
        account.tell(host.element, attribute, Verdict.WRONG, text);
        return null;
    }
}
