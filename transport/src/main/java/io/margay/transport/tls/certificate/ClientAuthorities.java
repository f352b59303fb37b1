package io.margay.transport.tls.certificate;

import io.margay.transport.ClientCertificates;
import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.ClientCertificates.OcspCheck;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.ClientAuth;
import io.margay.transport.TlsSetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Whose client certificates are believed, as read from the files. Immutable.
///
/// @param announced whose names clients are shown
/// @param checksRevocation whether certificates must be on no list; those of which there is none
///   are refused
/// @param wholeChain whether the certificates of authorities must be on no list either
/// @param depthMax intermediate certificates at most
/// @param ocsp whether responders are asked
public record ClientAuthorities(
        List<X509Certificate> trusted,
        List<X509Certificate> announced,
        boolean checksRevocation,
        List<X509CRL> crls,
        boolean wholeChain,
        int depthMax,
        OcspCheck ocsp) {
    /// No certificates are asked for.
    public static final ClientAuthorities NONE =
            new ClientAuthorities(List.of(), List.of(), false, List.of(), false, 0, OcspCheck.NONE);

    /// Files of a folder that are read at most: system stores have some 300.
    private static final int FOLDER_FILES_MAX = 4096;

    private static final Pattern HASHED_CERTIFICATE = Pattern.compile("[0-9a-f]{8}\\.[0-9]{1,9}");
    private static final Pattern HASHED_CRL = Pattern.compile("[0-9a-f]{8}\\.r[0-9]{1,9}");

    public ClientAuthorities {
        trusted = List.copyOf(trusted);
        announced = List.copyOf(announced);
        crls = List.copyOf(crls);
    }

    /// Reads the files.
    ///
    /// @throws TlsSetupException when one cannot be used, or when none holds an authority
    public static ClientAuthorities read(ClientCertificates clients) {
        if (clients.auth() == ClientAuth.NONE) {
            return NONE;
        }
        List<X509Certificate> trusted =
                all(
                        clients.trust(),
                        HASHED_CERTIFICATE,
                        file ->
                                KeyStores.isOne(file)
                                        ? KeyStores.certificates(file, clients.trustPassword())
                                        : Pem.certificates(file));
        if (trusted.stream().noneMatch(ClientAuthorities::isSelfSigned)) {
            throw new TlsSetupException(
                    clients.trust()
                            + ": no self-signed certificate of an authority in it, so that no"
                            + " client's certificate could be verified; add the root's");
        }
        List<X509Certificate> announced =
                all(clients.announced(), HASHED_CERTIFICATE, Pem::certificates);
        return new ClientAuthorities(
                trusted,
                announced.isEmpty() ? trusted : announced,
                !clients.crls().isEmpty(),
                all(clients.crls(), HASHED_CRL, Pem::crls),
                clients.crlCheck() == CrlCheck.CHAIN,
                clients.depthMax(),
                clients.ocsp());
    }

    /// Refuses an implementation that cannot do what is asked of it.
    ///
    /// @throws TlsSetupException saying what to change
    public static void requireAsking(TlsConfig tls) {
        if (tls.clients().asksResponders() && tls.provider() == TlsConfig.Provider.OPENSSL) {
            throw new TlsSetupException(
                    "OCSP responders are asked about clients by the JDK's TLS alone: leave the"
                            + " choice of OpenSSL out, or the check (ocsp-check)");
        }
    }

    /// The files that are read, and the folders in which they are found; of a folder that cannot be
    /// read, itself alone.
    public static List<Path> files(ClientCertificates clients) {
        List<Path> files = new ArrayList<>();
        clients.trust().forEach(path -> add(files, path, HASHED_CERTIFICATE));
        clients.announced().forEach(path -> add(files, path, HASHED_CERTIFICATE));
        clients.crls().forEach(path -> add(files, path, HASHED_CRL));
        return files;
    }

    private static void add(List<Path> files, Path path, Pattern hashed) {
        files.add(path);
        try {
            files.addAll(within(path, hashed));
        } catch (TlsSetupException e) {
            // Said when it is read, which comes next.
        }
    }

    private static <T> List<T> all(
            List<Path> paths, Pattern hashed, Function<Path, List<T>> reader) {
        return paths.stream()
                .flatMap(path -> within(path, hashed).stream())
                .flatMap(file -> reader.apply(file).stream())
                .distinct()
                .toList();
    }

    /// The file itself, or those of a folder.
    private static List<Path> within(Path path, Pattern hashed) {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (Stream<Path> files = Files.list(path)) {
            List<Path> found =
                    files.filter(file -> hashed.matcher(file.getFileName().toString()).matches())
                            .limit(FOLDER_FILES_MAX + 1)
                            .sorted()
                            .toList();
            if (found.size() > FOLDER_FILES_MAX) {
                throw new TlsSetupException(path + ": more than " + FOLDER_FILES_MAX + " files");
            }
            return found;
        } catch (IOException e) {
            throw new TlsSetupException(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    /// Whether a chain may end in it.
    static boolean isSelfSigned(X509Certificate certificate) {
        if (!certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
            return false;
        }
        try {
            certificate.verify(certificate.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
