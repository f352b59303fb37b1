package io.margay.compat.tomcat.filter;

import jakarta.servlet.http.HttpSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The nonces of one session that are still good, the one used longest ago first. Guarded by its
/// list.
///
/// What lies in the session is a list of the JDK's, so that it lives through a restart without any
/// class of ours.
final class NonceCache {
    private final List<String> nonces;

    private NonceCache(List<String> nonces) {
        this.nonces = nonces;
    }

    /// Null when the session has none, or something else under that name.
    @SuppressWarnings("unchecked")
    static @Nullable NonceCache find(HttpSession session, String attribute) {
        return session.getAttribute(attribute) instanceof List<?> list
                ? new NonceCache((List<String>) list)
                : null;
    }

    /// Two first requests at once may each make one; the earlier is lost and with it its nonce.
    static NonceCache of(HttpSession session, String attribute) {
        NonceCache found = find(session, attribute);
        if (found == null) {
            found = new NonceCache(Collections.synchronizedList(new ArrayList<>()));
            session.setAttribute(attribute, found.nonces);
        }
        return found;
    }

    /// Whether `nonce` is good; if so it counts as just used.
    boolean accepts(String nonce) {
        synchronized (nonces) {
            boolean known = nonces.remove(nonce);
            if (known) {
                nonces.add(nonce);
            }
            return known;
        }
    }

    /// Adds one and forgets those beyond `max`.
    void add(String nonce, int max) {
        synchronized (nonces) {
            nonces.add(nonce);
            while (nonces.size() > max) {
                nonces.removeFirst();
            }
        }
    }
}
