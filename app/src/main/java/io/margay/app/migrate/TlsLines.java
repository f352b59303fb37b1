package io.margay.app.migrate;

import io.margay.transport.ClientCertificates;
import io.margay.transport.TlsConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes how a listener speaks TLS as keys of `margay.yaml`; what holds by default is left out.
/// Stateless.
final class TlsLines {
    private TlsLines() {}

    /// @param own files of certificates that the server gets by itself, which hosts name
    static void write(TlsConfig tls, Set<Path> own, YamlLine line) {
        List<TlsConfig.Certificate> there = new ArrayList<>(tls.certificates());
        there.removeIf(one -> own.contains(one.cert()));
        if (!there.isEmpty()) {
            line.raw("certificates", certificates(there));
        }
        handshake(tls, TlsConfig.of(tls.certificates()), line);
        if (!tls.named().isEmpty()) {
            List<String> named = tls.named().stream().map(one -> named(one, tls)).toList();
            line.raw("sni", "[" + String.join(", ", named) + "]");
        }
    }

    private static String named(TlsConfig.Named named, TlsConfig listener) {
        YamlLine line = new YamlLine();
        line.texts("names", named.names());
        if (!named.tls().certificates().equals(listener.certificates())) {
            line.raw("certificates", certificates(named.tls().certificates()));
        }
        handshake(named.tls(), listener, line);
        return line.toString();
    }

    /// Certificates with their keys.
    static String certificates(List<TlsConfig.Certificate> all) {
        List<String> lines = all.stream().map(TlsLines::certificate).toList();
        return "[" + String.join(", ", lines) + "]";
    }

    private static String certificate(TlsConfig.Certificate one) {
        YamlLine line = new YamlLine().text("cert", one.cert().toString());
        if (!one.key().equals(one.cert())) {
            line.text("key", one.key().toString());
        }
        text(line, "chain", one.chain());
        TlsConfig.KeyAccess access = one.access();
        if (access != null) {
            text(line, "password", access.password());
            text(line, "key-password", access.keyPassword());
            text(line, "alias", access.alias());
        }
        return line.toString();
    }

    private static void text(YamlLine line, String key, @Nullable Object value) {
        if (value != null) {
            line.text(key, value.toString());
        }
    }

    /// @param otherwise what holds for a key that is left out
    private static void handshake(TlsConfig tls, TlsConfig otherwise, YamlLine line) {
        if (!tls.protocols().equals(otherwise.protocols())) {
            line.texts("protocols", tls.protocols());
        }
        if (!tls.cipherSuites().equals(otherwise.cipherSuites())) {
            line.texts("ciphers", tls.cipherSuites());
        }
        ClientCertificates own = tls.clients();
        ClientCertificates others = otherwise.clients();
        if (own.auth() != others.auth()) {
            line.text("client-certificate", ConfigWriter.lower(own.auth()));
        }
        paths(line, "trust", own.trust(), others.trust());
        if (!Objects.equals(own.trustPassword(), others.trustPassword())) {
            text(line, "trust-password", own.trustPassword());
        }
        paths(line, "ca-names", own.announced(), others.announced());
        paths(line, "crl", own.crls(), others.crls());
        if (own.crlCheck() != others.crlCheck()) {
            line.text("crl-check", ConfigWriter.lower(own.crlCheck()));
        }
        if (own.ocsp() != others.ocsp()) {
            line.text("ocsp-check", ConfigWriter.lower(own.ocsp()));
        }
        if (tls.stapling().which() != otherwise.stapling().which()) {
            line.text("stapling", ConfigWriter.lower(tls.stapling().which()));
        }
        line.number("verify-depth", own.depthMax(), others.depthMax());
    }

    private static void paths(YamlLine line, String key, List<Path> own, List<Path> others) {
        if (!own.equals(others)) {
            line.texts(key, own.stream().map(Path::toString).toList());
        }
    }
}
