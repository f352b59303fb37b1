package io.margay.transport.tls;

import io.margay.transport.tls.certificate.CertifiedKey;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Chooses the certificate by the name that the client asks for: exact, then wildcard, then the
/// first certificate; among several for one name by the type of key. Thread-safe: certificates are
/// swapped as one reference. An alias is generation and index, so that a handshake under way still
/// finds what it chose.
final class SniKeys extends X509ExtendedKeyManager {
    /// A set of certificates in force, and the one before it.
    private record Generation(int number, List<CertifiedKey> keys, @Nullable Generation previous) {}

    private volatile Generation current;

    SniKeys(List<CertifiedKey> keys) {
        current = new Generation(0, List.copyOf(keys), null);
    }

    synchronized void swap(List<CertifiedKey> keys) {
        Generation old = current;
        Generation previous = new Generation(old.number, old.keys, null);
        current = new Generation(old.number + 1, List.copyOf(keys), previous);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        Generation now = current;
        String host = serverName(engine.getHandshakeSession());
        for (CertifiedKey key : candidates(now.keys, host)) {
            if (key.keyType().equals(keyType)) {
                return now.number + ":" + now.keys.indexOf(key);
            }
        }
        return null;
    }

    /// The certificates that serve a host, best first: of those with keys of one type, the first.
    static List<CertifiedKey> ofEachType(List<CertifiedKey> keys, @Nullable String host) {
        List<CertifiedKey> found = new ArrayList<>();
        for (CertifiedKey key : candidates(keys, host)) {
            if (found.stream().noneMatch(other -> other.keyType().equals(key.keyType()))) {
                found.add(key);
            }
        }
        return found;
    }

    private static List<CertifiedKey> candidates(List<CertifiedKey> keys, @Nullable String host) {
        if (host != null) {
            List<CertifiedKey> exact = keys.stream().filter(k -> k.names(host)).toList();
            if (!exact.isEmpty()) {
                return exact;
            }
            List<CertifiedKey> wild = keys.stream().filter(k -> k.coversByWildcard(host)).toList();
            if (!wild.isEmpty()) {
                return wild;
            }
        }
        // The first, and those of its names with another type of key.
        CertifiedKey first = keys.getFirst();
        List<CertifiedKey> fallback = new ArrayList<>();
        for (CertifiedKey key : keys) {
            if (key.equals(first)
                    || (!key.names().isEmpty() && key.names().equals(first.names()))) {
                fallback.add(key);
            }
        }
        return fallback;
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
        return now.keys.stream()
                .filter(k -> Objects.equals(k.keyType(), keyType))
                .map(k -> now.number + ":" + now.keys.indexOf(k))
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
