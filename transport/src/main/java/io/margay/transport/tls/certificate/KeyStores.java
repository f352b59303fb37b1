package io.margay.transport.tls.certificate;

import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads keys and certificates from keystores: PKCS #12, JKS and JCEKS, told by their first bytes.
/// Stateless.
final class KeyStores {
    /// The first bytes of JKS and JCEKS; PKCS #12 begins as DER does.
    private static final int JKS = 0xfeedfeed;

    private static final int JCEKS = 0xcececece;
    private static final int SEQUENCE = 0x30;

    private KeyStores() {}

    /// A key with its chain, that of the server first.
    record Entry(PrivateKey key, List<X509Certificate> chain) {
        Entry {
            chain = List.copyOf(chain);
        }
    }

    /// Whether a file is a keystore, rather than text; one that cannot be read is none.
    static boolean isOne(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] first = in.readNBytes(4);
            if (first.length < 4) {
                return false;
            }
            int magic =
                    (first[0] & 0xff) << 24
                            | (first[1] & 0xff) << 16
                            | (first[2] & 0xff) << 8
                            | (first[3] & 0xff);
            return magic == JKS || magic == JCEKS || (first[0] == SEQUENCE && first[1] < 0);
        } catch (IOException e) {
            return false;
        }
    }

    /// The key of a keystore: that of the alias, or the only one.
    static Entry entry(Path file, TlsConfig.@Nullable KeyAccess access) {
        String password = access == null ? null : access.password();
        String keyPassword = access == null ? null : access.keyPassword();
        String alias = access == null ? null : access.alias();
        KeyStore store = load(file, password);
        try {
            String name = alias(file, store, alias);
            String secret = keyPassword != null ? keyPassword : password;
            Key key = store.getKey(name, secret == null ? new char[0] : secret.toCharArray());
            List<X509Certificate> chain = new ArrayList<>();
            for (Certificate one : store.getCertificateChain(name)) {
                chain.add((X509Certificate) one);
            }
            return new Entry((PrivateKey) key, chain);
        } catch (UnrecoverableKeyException e) {
            throw new TlsSetupException(
                    file + ": the password of the key is another than that of the keystore", e);
        } catch (GeneralSecurityException e) {
            throw new TlsSetupException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static String alias(Path file, KeyStore store, @Nullable String wanted)
            throws GeneralSecurityException {
        List<String> keys = new ArrayList<>();
        for (String name : Collections.list(store.aliases())) {
            if (store.isKeyEntry(name) && store.getCertificateChain(name) != null) {
                if (name.equalsIgnoreCase(wanted)) {
                    return name;
                }
                keys.add(name);
            }
        }
        if (keys.isEmpty()) {
            throw new TlsSetupException(file + ": no private key with a certificate in it");
        }
        if (wanted != null) {
            throw new TlsSetupException(
                    file + ": no key has the alias \"" + wanted + "\"; there are " + keys);
        }
        Collections.sort(keys);
        if (keys.size() > 1) {
            throw new TlsSetupException(file + ": several keys; name one of the aliases " + keys);
        }
        return keys.getFirst();
    }

    /// All certificates that a keystore trusts or holds; at least one.
    static List<X509Certificate> certificates(Path file, @Nullable String password) {
        KeyStore store = load(file, password);
        List<X509Certificate> found = new ArrayList<>();
        try {
            for (String name : Collections.list(store.aliases())) {
                if (store.getCertificate(name) instanceof X509Certificate one) {
                    found.add(one);
                }
            }
        } catch (GeneralSecurityException e) {
            throw new TlsSetupException(file + " cannot be read: " + e.getMessage(), e);
        }
        if (found.isEmpty()) {
            throw new TlsSetupException(
                    file
                            + ": no certificate in it"
                            + (password == null ? "; say its password" : ""));
        }
        return found;
    }

    private static KeyStore load(Path file, @Nullable String password) {
        try {
            return KeyStore.getInstance(
                    file.toFile(), password == null ? null : password.toCharArray());
        } catch (IOException e) {
            boolean wrong = e.getCause() instanceof UnrecoverableKeyException;
            throw new TlsSetupException(
                    file
                            + (wrong ? ": the password is wrong" : " cannot be read: ")
                            + (wrong ? "" : e.getMessage()),
                    e);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new TlsSetupException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
