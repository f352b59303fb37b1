package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.transport.ClientCertificates;
import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsConfig.ClientAuth;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a `Connector` of Tomcat says of TLS: an `SSLHostConfig` for each host name, or the
/// attributes of earlier versions. Confined to one reading.
final class ConnectorTls {
    private static final String DEFAULT = "_default_";
    private static final String KEYSTORE =
            "keystores are not supported; convert it: openssl pkcs12 -in KEYSTORE -nodes, and"
                    + " write certificates: [{cert: FILE, key: FILE}]";

    /// Attributes of the connector in earlier versions, and what they are called now.
    private static final Map<String, String> EARLIER =
            Map.of(
                    "clientAuth", "certificateVerification",
                    "SSLVerifyClient", "certificateVerification",
                    "SSLVerifyDepth", "certificateVerificationDepth",
                    "SSLCACertificateFile", "caCertificateFile",
                    "SSLCACertificatePath", "caCertificatePath",
                    "SSLCARevocationFile", "certificateRevocationListFile",
                    "crlFile", "certificateRevocationListFile",
                    "SSLCARevocationPath", "certificateRevocationListPath",
                    "sslEnabledProtocols", "protocols",
                    "SSLProtocol", "protocols");

    private final Path base;
    private final Account account;
    private final List<Host> hosts = new ArrayList<>();

    /// Told what becomes of each part.
    interface Account {
        void add(int line, String what, Verdict verdict, String text);
    }

    /// An `SSLHostConfig`.
    private record Host(Map<String, String> attributes, int line, List<Certificate> certificates) {
        String name() {
            return attributes.getOrDefault("hostName", DEFAULT).toLowerCase(Locale.ROOT);
        }
    }

    ConnectorTls(Path base, Account account) {
        this.base = base;
        this.account = account;
    }

    /// An `SSLHostConfig` begins.
    void host(Map<String, String> attributes, int line) {
        hosts.add(new Host(attributes, line, new ArrayList<>()));
    }

    /// A `Certificate` of the host that has begun.
    void certificate(Map<String, String> attributes, int line) {
        String cert = attributes.get("certificateFile");
        if (cert == null || hosts.isEmpty()) {
            account.add(line, "Certificate", Verdict.CHANGED, KEYSTORE);
            return;
        }
        String key = attributes.getOrDefault("certificateKeyFile", cert);
        hosts.getLast().certificates.add(new Certificate(base.resolve(cert), base.resolve(key)));
        account.add(line, "Certificate", Verdict.HONOURED, "honoured");
    }

    /// How the connector speaks TLS, or null where it cannot be said, which is told.
    @Nullable TlsConfig config(Map<String, String> connector, int line) {
        earlier(connector, line);
        String byDefault =
                connector
                        .getOrDefault("defaultSSLHostConfigName", DEFAULT)
                        .toLowerCase(Locale.ROOT);
        Host first =
                hosts.stream()
                        .filter(one -> one.name().equals(byDefault))
                        .findFirst()
                        .orElse(hosts.isEmpty() ? null : hosts.getFirst());
        if (first == null || first.certificates.isEmpty()) {
            account.add(
                    line,
                    "Connector",
                    Verdict.CHANGED,
                    "is left out: it uses TLS, and its certificate is in a keystore; convert it:"
                            + " openssl pkcs12 -in KEYSTORE -nodes");
            return null;
        }
        TlsConfig config = config(first, first.certificates);
        List<TlsConfig.Named> named = new ArrayList<>();
        for (Host host : hosts) {
            // One whose certificate cannot be read asks no less of its clients.
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

    /// Takes attributes of earlier versions as an `SSLHostConfig`.
    private void earlier(Map<String, String> connector, int line) {
        if (!hosts.isEmpty()) {
            return;
        }
        Map<String, String> attributes = new HashMap<>(connector);
        EARLIER.forEach((old, now) -> {
            if (connector.containsKey(old)) {
                attributes.put(now, connector.get(old));
            }
        });
        host(attributes, line);
        String cert = connector.get("SSLCertificateFile");
        if (cert != null) {
            String key = connector.getOrDefault("SSLCertificateKeyFile", cert);
            hosts.getLast()
                    .certificates
                    .add(new Certificate(base.resolve(cert), base.resolve(key)));
        }
    }

    private @Nullable TlsConfig config(Host host, List<Certificate> certificates) {
        ClientCertificates clients = clients(host);
        List<String> protocols = protocols(host);
        if (clients == null || protocols.isEmpty()) {
            return null;
        }
        if (host.attributes.containsKey("ciphers")) {
            account.add(
                    host.line,
                    "SSLHostConfig ciphers",
                    Verdict.NOTED,
                    "the ciphers are those of TLS 1.2 and 1.3 that are considered safe");
        }
        return TlsConfig.of(certificates).withClients(clients).withProtocols(protocols);
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
        List<Path> trust = paths(host, "caCertificateFile", "caCertificatePath");
        if (trust.isEmpty() || host.attributes.containsKey("truststoreFile")) {
            return wrong(
                    host,
                    "certificateVerification",
                    "truststores are not supported; write its certificates into a PEM file (keytool"
                            + " -list -rfc -keystore TRUSTSTORE), and set caCertificateFile");
        }
        List<Path> crls =
                paths(host, "certificateRevocationListFile", "certificateRevocationListPath");
        if (crls.isEmpty()
                && host.attributes
                        .getOrDefault("revocationEnabled", "false")
                        .equalsIgnoreCase("true")) {
            return wrong(host, "revocationEnabled", "needs certificateRevocationListFile");
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
                .withCrls(crls, CrlCheck.CHAIN)
                .withDepthMax(Integer.parseInt(depth));
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
        String text = host.attributes.getOrDefault("protocols", "all").toLowerCase(Locale.ROOT);
        for (String word : text.split("[,\\s]+|(?=[+-])")) {
            String name = word.replaceFirst("^[+-]", "");
            boolean on = !word.startsWith("-");
            two = (name.equals("all") || name.equals("tlsv1.2")) ? on : two;
            three = (name.equals("all") || name.equals("tlsv1.3")) ? on : three;
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
        account.add(host.line, "SSLHostConfig " + attribute, Verdict.WRONG, text);
        return null;
    }
}
