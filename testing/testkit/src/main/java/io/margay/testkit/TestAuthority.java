package io.margay.testkit;

import io.margay.testkit.program.Program;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// An authority for tests, made by `openssl` in a folder of its own: it signs certificates and
/// authorities below it, revokes them, and writes lists of what is revoked. Used by one thread.
public final class TestAuthority {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Duration DAY = Duration.ofDays(1);

    /// Extensions by the name of the section of the configuration.
    private static final String CONFIGURATION =
            """
            [ca]
            default_ca = own
            [own]
            database = index.txt
            new_certs_dir = .
            serial = serial
            crlnumber = crlnumber
            certificate = cert.pem
            private_key = key.pem
            default_md = sha256
            policy = any
            unique_subject = no
            copy_extensions = copy
            [any]
            commonName = supplied
            [authority]
            basicConstraints = critical,CA:TRUE
            keyUsage = critical,keyCertSign,cRLSign
            subjectKeyIdentifier = hash
            [holder]
            basicConstraints = CA:FALSE
            keyUsage = critical,digitalSignature
            extendedKeyUsage = serverAuth,clientAuth
            authorityKeyIdentifier = keyid
            """;

    private final Path folder;
    private final String name;
    private final List<TestAuthority> above;

    /// A certificate with its key.
    ///
    /// @param cert PEM file with the chain, without the self-signed authority
    /// @param key PEM file (PKCS #8)
    public record Issued(String name, Path cert, Path key, List<X509Certificate> chain) {
        /// Shows this certificate to whoever asks for one, whatever authorities he names.
        public X509ExtendedKeyManager always() {
            return new Always(name, chain, privateKey(key));
        }

        /// The certificate itself.
        public X509Certificate certificate() {
            return chain.getFirst();
        }
    }

    /// TLS 1.2 of a client that believes an authority, and shows a certificate whatever it is
    /// asked.
    ///
    /// @param ca PEM file
    /// @param own null = it shows none
    public static SSLContext client(Path ca, @Nullable Issued own)
            throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(ca)) {
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLSv1.2");
        context.init(
                own == null ? null : new KeyManager[] {own.always()},
                trust.getTrustManagers(),
                null);
        return context;
    }

    private TestAuthority(Path folder, String name, List<TestAuthority> above) {
        this.folder = folder;
        this.name = name;
        this.above = List.copyOf(above);
    }

    /// A self-signed authority with a folder of its own in another.
    public static TestAuthority in(Path parent, String name) {
        TestAuthority made = new TestAuthority(parent.resolve(name), name, List.of());
        made.prepare();
        made.openssl(
                "req -x509 -new -key key.pem -out cert.pem -days 30 -config ca.cnf"
                        + " -extensions authority -subj /CN="
                        + name);
        return made;
    }

    /// An authority whose certificate this one has signed.
    public TestAuthority intermediate(String below) {
        List<TestAuthority> chain = new ArrayList<>(above);
        chain.add(this);
        TestAuthority made = new TestAuthority(folder.resolve(below), below, chain);
        made.prepare();
        Instant now = Instant.now();
        sign(below, made.folder, "authority", "", now.minus(DAY), now.plus(DAY.multipliedBy(9)));
        return made;
    }

    private void prepare() {
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve("ca.cnf"), CONFIGURATION + "[req]\ndistinguished_name = any\n");
            Files.writeString(folder.resolve("index.txt"), "");
            Files.writeString(folder.resolve("serial"), "1000\n");
            Files.writeString(folder.resolve("crlnumber"), "01\n");
        } catch (IOException e) {
            throw new IllegalStateException("no folder for " + name, e);
        }
        openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem");
    }

    /// The certificate of the authority, a PEM file.
    public Path cert() {
        return folder.resolve("cert.pem");
    }

    /// A certificate that is valid today, for a client or a server.
    public Issued issue(String holder, String... dnsNames) {
        Instant now = Instant.now();
        String names =
                dnsNames.length == 0
                        ? ""
                        : " -addext subjectAltName=DNS:" + String.join(",DNS:", dnsNames);
        return issue(holder, now.minus(DAY), now.plus(DAY.multipliedBy(9)), names);
    }

    /// A certificate that was valid until yesterday.
    public Issued expired(String holder) {
        Instant now = Instant.now();
        return issue(holder, now.minus(DAY.multipliedBy(9)), now.minus(DAY), "");
    }

    /// A certificate that names an OCSP responder on this machine.
    public Issued issueWithResponder(String holder, int port) {
        Instant now = Instant.now();
        return issue(
                holder,
                now.minus(DAY),
                now.plus(DAY.multipliedBy(9)),
                " -addext authorityInfoAccess=OCSP;URI:http://127.0.0.1:" + port);
    }

    /// A certificate for a host name, which names an OCSP responder on this machine.
    ///
    /// @param mustStaple whether it demands that a response is stapled (RFC 7633)
    public Issued issueForServer(String host, int port, boolean mustStaple) {
        Instant now = Instant.now();
        return issue(
                host,
                now.minus(DAY),
                now.plus(DAY.multipliedBy(9)),
                " -addext subjectAltName=DNS:"
                        + host
                        + " -addext authorityInfoAccess=OCSP;URI:http://127.0.0.1:"
                        + port
                        + (mustStaple ? " -addext tlsfeature=status_request" : ""));
    }

    /// Answers a question of OCSP with a response that says when there is a newer one.
    public byte[] answer(byte[] question, Duration life) {
        return answer(question, " -nmin " + life.toMinutes());
    }

    /// Answers a question of OCSP without saying so.
    public byte[] answer(byte[] question) {
        return answer(question, "");
    }

    /// Answers a question of OCSP (RFC 6960) by what has been revoked until now: the work of
    /// OpenSSL's responder, which listens at every address if it is let.
    private synchronized byte[] answer(byte[] question, String validity) {
        try {
            Files.write(folder.resolve("question.der"), question);
            openssl(
                    "ocsp -index index.txt -CA cert.pem -rsigner cert.pem -rkey key.pem"
                            + " -reqin question.der -respout answer.der"
                            + validity);
            return Files.readAllBytes(folder.resolve("answer.der"));
        } catch (IOException e) {
            throw new IllegalStateException("no answer by " + name, e);
        }
    }

    private Issued issue(String holder, Instant from, Instant to, String extensions) {
        Path own = folder.resolve("of-" + holder);
        try {
            Files.createDirectories(own);
            openssl(
                    "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out of-"
                            + holder
                            + "/key.pem");
            sign(holder, own, "holder", extensions, from, to);
            StringBuilder chain = new StringBuilder(Files.readString(own.resolve("cert.pem")));
            if (!above.isEmpty()) {
                chain.append(Files.readString(cert()));
                for (int i = above.size() - 1; i > 0; i--) {
                    chain.append(Files.readString(above.get(i).cert()));
                }
            }
            Path cert = Files.writeString(own.resolve("chain.pem"), chain);
            return new Issued(holder, cert, own.resolve("key.pem"), certificates(cert));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no certificate for " + holder, e);
        }
    }

    /// Signs the key in a folder.
    private void sign(
            String holder, Path into, String kind, String names, Instant from, Instant to) {
        openssl(
                "req -new -config ca.cnf -key "
                        + into.resolve("key.pem")
                        + " -out request.pem -subj /CN="
                        + holder
                        + names);
        openssl(
                "ca -batch -notext -config ca.cnf -in request.pem -out "
                        + into.resolve("cert.pem")
                        + " -startdate "
                        + TIME.format(from)
                        + " -enddate "
                        + TIME.format(to)
                        + " -extensions "
                        + kind);
    }

    /// Puts a certificate on the next list.
    public void revoke(Issued issued) {
        revoke(issued.cert());
    }

    /// Puts an authority that this one has signed on the next list.
    public void revoke(TestAuthority below) {
        revoke(below.cert());
    }

    private void revoke(Path cert) {
        openssl("ca -config ca.cnf -revoke " + cert);
    }

    /// Writes the list of what is revoked, good for a week: a PEM file, always the same.
    public Path crl() {
        return crl("crl.pem", Instant.now().minus(DAY), Instant.now().plus(DAY.multipliedBy(7)));
    }

    /// Writes a list whose successor was due yesterday.
    public Path expiredCrl() {
        Instant now = Instant.now();
        return crl("expired-crl.pem", now.minus(DAY.multipliedBy(7)), now.minus(DAY));
    }

    private Path crl(String file, Instant from, Instant to) {
        openssl(
                "ca -config ca.cnf -gencrl -out new-crl.pem -crl_lastupdate "
                        + TIME.format(from)
                        + " -crl_nextupdate "
                        + TIME.format(to));
        try {
            return Files.move(
                    folder.resolve("new-crl.pem"),
                    folder.resolve(file),
                    java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new IllegalStateException("no list by " + name, e);
        }
    }

    private void openssl(String arguments) {
        List<String> command = new ArrayList<>(List.of(Program.of("openssl")));
        command.addAll(List.of(arguments.split(" ")));
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + output);
            }
        } catch (IOException e) {
            throw new IllegalStateException("openssl cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static List<X509Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        byte[] pem = Files.readAllBytes(file);
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem))
                .stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    private static PrivateKey privateKey(Path file) {
        try {
            String pem = Files.readString(file).replaceAll("-----[A-Z ]+-----|\\s", "");
            return KeyFactory.getInstance("EC")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no key in " + file, e);
        }
    }

    /// Shows one certificate whatever is asked for.
    private static final class Always extends X509ExtendedKeyManager {
        private final String name;
        private final List<X509Certificate> chain;
        private final PrivateKey key;

        Always(String name, List<X509Certificate> chain, PrivateKey key) {
            this.name = name;
            this.chain = chain;
            this.key = key;
        }

        @Override
        public String chooseEngineClientAlias(
                String[] keyTypes, Principal[] issuers, SSLEngine engine) {
            return name;
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return name;
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[] {name};
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[] {name};
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return name;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return chain.toArray(new X509Certificate[0]);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }
    }
}
