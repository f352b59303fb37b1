package io.margay.acme;

import io.margay.acme.CertificateState.Window;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeLimits;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.random.RandomGenerator;

/// When something is to be done about a certificate, by the wall clock, which may leap. Stateless.
record Renewal(AcmeLimits limits, RandomGenerator random) {
    /// Of the lifetime of a certificate whose authority does not say: two thirds, less up to a
    /// thirtieth, so that many of the same day are not renewed at the same time.
    private static final double LIFETIME_USED = 2.0 / 3;

    private static final double JITTER = 1.0 / 30;
    private static final double RETRY_JITTER = 0.2;
    private static final int DOUBLINGS_MAX = 20;

    /// What an order is for, and by whom: where it changes, another one is needed.
    static String fingerprint(AcmeCertificate wanted) {
        return String.join(",", wanted.domains())
                + " "
                + wanted.key()
                + " "
                + wanted.authority().directory()
                + (wanted.profile() == null ? "" : " " + wanted.profile());
    }

    /// When a certificate is to be ordered; what has passed means now.
    Instant due(
            AcmeCertificate wanted, X509Certificate current, CertificateState state, Instant now) {
        Instant retry = state.retryAt();
        if (state.failures() > 0 && retry != null) {
            // Where the clock was ahead when it was written, it is not waited for longer than ever.
            Instant latest = now.plus(limits.retryMax());
            return retry.isAfter(latest) ? latest : retry;
        }
        if (!isAsWanted(wanted, current, state)) {
            return now;
        }
        Instant chosen = state.renewAt();
        Instant due = chosen != null ? chosen : byLifetime(current);
        Instant last = state.lastTry();
        if (last == null || last.isAfter(now)) {
            return due;
        }
        // Whatever authority and clock say, no certificate is replaced over and over.
        Instant earliest = last.plus(limits.renewalsMin());
        return due.isAfter(earliest) ? due : earliest;
    }

    /// Whether an authority has issued this certificate for what is wanted.
    static boolean isAsWanted(
            AcmeCertificate wanted, X509Certificate current, CertificateState state) {
        return !OwnSigned.isPlaceholder(current)
                && wanted.authority().directory().equals(state.directory())
                && Keys.names(current).equals(new HashSet<>(wanted.domains()))
                && isOfKind(wanted, current.getPublicKey());
    }

    private static boolean isOfKind(AcmeCertificate wanted, PublicKey key) {
        int bits =
                switch (key) {
                    case ECPublicKey curve ->
                            curve.getParams().getCurve().getField().getFieldSize();
                    case RSAPublicKey rsa -> rsa.getModulus().bitLength();
                    default -> 0;
                };
        String kind = (key instanceof ECPublicKey ? "EC" : "RSA") + bits;
        return wanted.key().name().equals(kind);
    }

    /// The same moment each time it is asked, another one for each certificate.
    private static Instant byLifetime(X509Certificate current) {
        Instant from = current.getNotBefore().toInstant();
        Duration lifetime = Duration.between(from, current.getNotAfter().toInstant());
        double share = (current.getSerialNumber().hashCode() & 0xffff) / (double) 0x1_0000;
        double used = LIFETIME_USED - JITTER * share;
        return from.plusMillis((long) (lifetime.toMillis() * used));
    }

    /// A moment of a window that has just been told; the one chosen before stays while the window
    /// does.
    Instant choose(Window window, CertificateState before) {
        Instant chosen = before.renewAt();
        if (chosen != null && window.equals(before.window())) {
            return chosen;
        }
        long millis = Math.max(1, Duration.between(window.start(), window.end()).toMillis());
        return window.start().plusMillis(random.nextLong(millis));
    }

    /// Whether the authority is to be asked when to renew.
    boolean asks(CertificateState state, Instant now) {
        Instant last = state.askedAt();
        return last == null
                || now.isBefore(last) // the clock was set back
                || !now.isBefore(last.plus(state.askAgain()));
    }

    /// How long the answer to that question holds.
    Duration askAgain(Duration said) {
        return said.compareTo(limits.informationMin()) < 0
                ? limits.informationMin()
                : said.compareTo(limits.informationMax()) > 0 ? limits.informationMax() : said;
    }

    /// How long to wait after a failure: twice as long as after the one before.
    ///
    /// @param failures with this one
    /// @param said what the authority has asked for at the least
    Duration retry(int failures, Duration said) {
        long factor = 1L << Math.min(failures - 1, DOUBLINGS_MAX);
        Duration doubled = limits.retryFirst().multipliedBy(factor);
        Duration wait = doubled.compareTo(said) > 0 ? doubled : said;
        Duration bounded = wait.compareTo(limits.retryMax()) > 0 ? limits.retryMax() : wait;
        return bounded.plusMillis((long) (bounded.toMillis() * RETRY_JITTER * random.nextDouble()));
    }
}
