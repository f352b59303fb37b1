package io.margay.transport.tls.certificate;

import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the certificates for a host name: those that name it exactly, then those with a wildcard
/// for it, then the first one; of several with the same type of key, the first. Immutable, so that
/// handshakes ask it without a lock; a renewal makes another one, which keeps the [Shown] that it
/// leaves as they are.
///
/// @param <T> the form that a library has of certificates
public final class CertificateIndex<T> {
    /// By exact name, and by `*.suffix`.
    private final Map<String, Shown<T>> byName;

    private final Shown<T> others;

    /// By the certificate that they are about.
    private final Map<X509Certificate, ByteBuffer> responses;

    /// What some host names show: certificates whose keys are of different types. Thread-safe.
    public static final class Shown<T> {
        private final List<CertifiedKey> keys;

        private volatile @Nullable T opened;

        private Shown(List<CertifiedKey> keys) {
            this.keys = List.copyOf(keys);
        }

        public List<CertifiedKey> keys() {
            return keys;
        }

        /// Their form in a library, once a handshake has needed it.
        public @Nullable T opened() {
            return opened;
        }

        public void open(@Nullable T form) {
            opened = form;
        }
    }

    /// Keys that are compared as objects: a renewed one is another.
    private record Same(List<CertifiedKey> keys) {
        @Override
        public boolean equals(@Nullable Object other) {
            if (!(other instanceof Same same) || same.keys.size() != keys.size()) {
                return false;
            }
            for (int i = 0; i < keys.size(); i++) {
                if (!identical(keys.get(i), same.keys.get(i))) {
                    return false;
                }
            }
            return true;
        }

        @SuppressWarnings("ReferenceEquality") // as said above
        private static boolean identical(CertifiedKey one, CertifiedKey other) {
            return one == other;
        }

        @Override
        public int hashCode() {
            int hash = 1;
            for (CertifiedKey key : keys) {
                hash = 31 * hash + System.identityHashCode(key);
            }
            return hash;
        }
    }

    /// @param keys in the order of the configuration, at least one
    public CertificateIndex(List<CertifiedKey> keys) {
        this(keys, Set.of());
    }

    private CertificateIndex(List<CertifiedKey> keys, Collection<Shown<T>> usable) {
        Map<Same, Shown<T>> made = new HashMap<>();
        usable.forEach(one -> made.put(new Same(one.keys), one));
        Map<String, List<CertifiedKey>> found = HashMap.newHashMap(keys.size());
        for (CertifiedKey key : keys) {
            for (String name : key.names()) {
                add(key, found.computeIfAbsent(name, _ -> new ArrayList<>(1)));
            }
        }
        byName = HashMap.newHashMap(found.size());
        found.forEach((name, of) -> byName.put(name, shown(of, made)));
        others = shown(ofOthers(keys), made);
        responses = new HashMap<>();
        for (CertifiedKey key : keys) {
            ByteBuffer response = key.ocsp();
            if (response != null) {
                responses.putIfAbsent(key.chain().getFirst(), response);
            }
        }
    }

    private static <T> Shown<T> shown(List<CertifiedKey> keys, Map<Same, Shown<T>> made) {
        return made.computeIfAbsent(new Same(keys), same -> new Shown<>(same.keys));
    }

    private static void add(CertifiedKey key, List<CertifiedKey> to) {
        if (to.stream().noneMatch(other -> other.keyType().equals(key.keyType()))) {
            to.add(key);
        }
    }

    /// The first, and those of its names with another type of key.
    private static List<CertifiedKey> ofOthers(List<CertifiedKey> keys) {
        CertifiedKey first = keys.getFirst();
        List<CertifiedKey> found = new ArrayList<>(List.of(first));
        for (CertifiedKey key : keys) {
            if (!key.names().isEmpty() && key.names().equals(first.names())) {
                add(key, found);
            }
        }
        return found;
    }

    /// One for other keys, with the same objects for those that stay.
    public CertificateIndex<T> with(List<CertifiedKey> fresh) {
        return new CertificateIndex<>(fresh, all());
    }

    /// What a client is shown.
    ///
    /// @param host in lower case; null where none is named
    public Shown<T> of(@Nullable String host) {
        if (host == null) {
            return others;
        }
        Shown<T> found = byName.get(host);
        int dot = host.indexOf('.');
        if (found == null && dot > 0) {
            // One label for the star (RFC 9525 §6.3).
            found = byName.get("*" + host.substring(dot));
        }
        return found == null ? others : found;
    }

    /// Each once.
    public Set<Shown<T>> all() {
        Set<Shown<T>> all = new HashSet<>(byName.values());
        all.add(others);
        return all;
    }

    /// The OCSP response of a file for a certificate.
    public @Nullable ByteBuffer response(X509Certificate certificate) {
        return responses.get(certificate);
    }

    /// Whether there is one for any.
    public boolean hasResponses() {
        return !responses.isEmpty();
    }
}
