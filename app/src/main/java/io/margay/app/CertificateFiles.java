package io.margay.app;

import io.margay.app.admin.CertificateReading;
import io.margay.app.config.ListenerSettings;
import io.margay.transport.TlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Reads when the certificates of listeners expire: of each file the first one, which is the
/// listener's own. Stateless; waits for the disk.
final class CertificateFiles {
    private static final System.Logger LOG = System.getLogger(CertificateFiles.class.getName());

    private CertificateFiles() {}

    static List<CertificateReading> of(List<ListenerSettings> listeners) {
        List<CertificateReading> all = new ArrayList<>();
        for (ListenerSettings listener : listeners) {
            TlsConfig tls = listener.tls();
            if (tls != null) {
                String name = listener.scheme() + ":" + listener.endpoint().key();
                files(tls).forEach(file -> read(name, file, all));
            }
        }
        return all;
    }

    private static Set<Path> files(TlsConfig tls) {
        Set<Path> files = new LinkedHashSet<>();
        tls.certificates().stream()
                .filter(one -> one.source() == null)
                .forEach(one -> files.add(one.cert()));
        tls.named().forEach(one -> files.addAll(files(one.tls())));
        return files;
    }

    private static void read(String listener, Path file, List<CertificateReading> all) {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate found =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in);
            all.add(
                    new CertificateReading(
                            listener,
                            file,
                            found.getSubjectX500Principal().getName(),
                            found.getNotAfter().toInstant()));
        } catch (IOException | CertificateException e) {
            LOG.log(Level.DEBUG, "no certificate is read from " + file, e);
        }
    }
}
