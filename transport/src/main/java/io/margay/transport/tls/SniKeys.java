package io.margay.transport.tls;

import io.margay.transport.tls.certificate.CertificateIndex;
import io.margay.transport.tls.certificate.CertifiedKey;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Chooses the certificate by the name that the client asks for, as [CertificateIndex] says.
/// Thread-safe: certificates are swapped as one reference. An alias is generation and index, so
/// that a handshake under way still finds what it chose.
final class SniKeys extends X509ExtendedKeyManager {
    /// A set of certificates in force, and the one before it.
    private record Generation(
            int number,
            List<CertifiedKey> keys,
            CertificateIndex<Void> index,
            IdentityHashMap<CertifiedKey, Integer> positions,
            @Nullable Generation previous) {
        static Generation of(
                int number,
                List<CertifiedKey> keys,
                CertificateIndex<Void> index,
                @Nullable Generation previous) {
            IdentityHashMap<CertifiedKey, Integer> positions = new IdentityHashMap<>(keys.size());
            for (int i = 0; i < keys.size(); i++) {
                positions.put(keys.get(i), i);
            }
            return new Generation(number, List.copyOf(keys), index, positions, previous);
        }

        Generation alone() {
            return new Generation(number, keys, index, positions, null);
        }
    }

    private volatile Generation current;

    SniKeys(List<CertifiedKey> keys) {
        current = Generation.of(0, keys, new CertificateIndex<>(keys), null);
    }

    synchronized void swap(List<CertifiedKey> keys) {
        Generation old = current;
        current = Generation.of(old.number + 1, keys, old.index.with(keys), old.alone());
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        Generation now = current;
        String host = serverName(engine.getHandshakeSession());
        for (CertifiedKey key : now.index.of(host).keys()) {
            if (key.keyType().equals(keyType)) {
                return now.number + ":" + now.positions.get(key);
            }
        }
        return null;
    }

    /// The host that a client asked for, in lower case, or null.
    static @Nullable String serverName(@Nullable Object session) {
        if (session instanceof OpenSslSession own) {
            return own.host(); // also what the JDK takes for no host name
        }
        if (session instanceof ExtendedSSLSession extended) {
            for (SNIServerName name : extended.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName().toLowerCase(Locale.ROOT);
                }
            }
        }
        return null;
    }

    private @Nullable CertifiedKey find(String alias) {
        int colon = alias.indexOf(':');
        int number = Integer.parseInt(alias.substring(0, colon));
        int index = Integer.parseInt(alias.substring(colon + 1));
        for (Generation g = current; g != null; g = g.previous) {
            if (g.number == number) {
                return g.keys.get(index);
            }
        }
        return null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        CertifiedKey key = find(alias);
        return key == null ? null : key.chain().toArray(new X509Certificate[0]);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        CertifiedKey key = find(alias);
        return key == null ? null : key.key();
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        Generation now = current;
        return IntStream.range(0, now.keys.size())
                .filter(i -> now.keys.get(i).keyType().equals(keyType))
                .mapToObj(i -> now.number + ":" + i)
                .toArray(String[]::new);
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null; // engines only
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null; // servers only
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null; // servers only
    }
}
