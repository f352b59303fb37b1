package io.margay.transport.tls;

import io.margay.transport.tls.certificate.CertificateIndex.Shown;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The certificates of one listener that OpenSSL has been given: each when the first handshake
/// needs it, as many as are in use lately. Thread-safe: a handshake that finds its own there takes
/// no lock, and otherwise waits only for those that need the same.
final class OpenSslKeyCache {
    /// A certificate with its key and an issuer takes some 15 KiB outside the heap: 240 MiB at
    /// most.
    static final int KEPT_MAX = 16_384;

    private final int keptMax;

    /// Those that are open, in the order in which they are looked at when one must go. Guarded by
    /// `this`.
    private final ArrayDeque<Shown<OpenSslKeys>> kept = new ArrayDeque<>();

    private boolean closed;

    OpenSslKeyCache(int keptMax) {
        this.keptMax = keptMax;
    }

    /// What a handshake is to show; to be given back at once.
    OpenSslKeys take(Shown<OpenSslKeys> shown) {
        OpenSslKeys there = shown.opened();
        return there != null && there.take() ? there : open(shown);
    }

    private OpenSslKeys open(Shown<OpenSslKeys> shown) {
        OpenSslKeys made;
        synchronized (shown) {
            OpenSslKeys there = shown.opened();
            if (there != null && there.take()) {
                return there; // another handshake was quicker
            }
            made = new OpenSslKeys(shown.keys());
            boolean _ = made.take();
            shown.open(made);
        }
        keep(shown);
        return made;
    }

    private synchronized void keep(Shown<OpenSslKeys> shown) {
        kept.addLast(shown);
        while (kept.size() > (closed ? 0 : keptMax)) {
            Shown<OpenSslKeys> oldest = kept.removeFirst();
            OpenSslKeys opened = oldest.opened();
            if (opened != null && !closed && opened.wasRecent()) {
                kept.addLast(oldest); // a second chance, once
            } else {
                giveUp(oldest);
            }
        }
    }

    private static void giveUp(Shown<OpenSslKeys> shown) {
        OpenSslKeys opened = shown.opened();
        shown.open(null);
        if (opened != null) {
            opened.give();
        }
    }

    /// Gives up what is no longer in force; handshakes that show it are not disturbed, and those
    /// that open another wait for no more than its removal.
    void retain(Set<Shown<OpenSslKeys>> inForce) {
        Set<Shown<OpenSslKeys>> gone = new HashSet<>(all());
        gone.removeIf(inForce::contains);
        if (!gone.isEmpty()) {
            giveUp(gone);
        }
    }

    private synchronized List<Shown<OpenSslKeys>> all() {
        return List.copyOf(kept);
    }

    private synchronized void giveUp(Set<Shown<OpenSslKeys>> gone) {
        kept.removeIf(one -> {
            boolean goes = gone.contains(one);
            if (goes) {
                giveUp(one);
            }
            return goes;
        });
    }

    /// Gives up all; what is still asked for is made for one handshake.
    synchronized void close() {
        closed = true;
        kept.forEach(OpenSslKeyCache::giveUp);
        kept.clear();
    }

    /// How many are open.
    synchronized int size() {
        return kept.size();
    }
}
