package io.margay.transport;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.X509KeyManager;

/// Has a certificate chain and its key that are in no file. Asked from any thread.
@FunctionalInterface
public interface KeySource {
    /// The chain and the key to be used from now on.
    ///
    /// @throws TlsSetupException when there are none
    Keys current();

    /// A chain, the server's own certificate first, and the key that belongs to it. Immutable.
    record Keys(List<X509Certificate> chain, PrivateKey key) {
        public Keys {
            chain = List.copyOf(chain);
        }
    }

    /// What a key manager has for an alias.
    static KeySource of(X509KeyManager manager, String alias) {
        return () -> {
            X509Certificate[] chain = manager.getCertificateChain(alias);
            PrivateKey key = manager.getPrivateKey(alias);
            if (chain == null || chain.length == 0 || key == null) {
                throw new TlsSetupException(
                        "the key manager has no certificate and key for the alias " + alias);
            }
            return new Keys(Arrays.asList(chain), key);
        };
    }

    /// What a key manager has for servers, one for each alias.
    ///
    /// @throws TlsSetupException when it has nothing
    static List<KeySource> all(X509KeyManager manager) {
        Set<String> aliases = new LinkedHashSet<>();
        for (String type : List.of("EC", "RSA", "EdDSA")) {
            String[] found = manager.getServerAliases(type, null);
            aliases.addAll(found == null ? List.of() : Arrays.asList(found));
        }
        if (aliases.isEmpty()) {
            throw new TlsSetupException("the key manager has no key for a server");
        }
        return aliases.stream().map(alias -> of(manager, alias)).toList();
    }
}
