package io.margay.acme;

import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.OrderBuilder;
import org.shredzone.acme4j.PollableResource;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeServerException;

/// One order of a certificate, from the request to the chain (RFC 8555 §7.4). What must survive a
/// restart is written before it is needed: the order's place, and the key before the order is
/// finalised. Used by one thread.
record OrderRun(
        AcmeCertificate wanted,
        Login login,
        Storage storage,
        AcmeLimits limits,
        InstantSource clock,
        Pause pause) {
    private static final Duration POLL_FIRST = Duration.ofMillis(200);
    private static final Duration POLL_MAX = Duration.ofSeconds(5);
    private static final String ALREADY_REPLACED = "urn:ietf:params:acme:error:alreadyReplaced";

    /// Waits by a clock that does not leap.
    @FunctionalInterface
    interface Pause {
        void forTime(Duration time) throws InterruptedException;
    }

    /// What an order has led to.
    record Issued(KeyPair key, List<X509Certificate> chain) {
        /// Both as a file has them.
        String pem() throws IOException {
            try {
                return Keys.pem(key, chain);
            } catch (CertificateException e) {
                throw new IOException("the certificate cannot be written", e);
            }
        }
    }

    /// Goes on with an order that is under way, or null where it cannot be gone on with.
    @Nullable Order resume(URI place) throws AcmeException, IOException {
        Order order = login.bindOrder(place.toURL());
        try {
            order.fetch();
        } catch (AcmeServerException e) {
            return null; // it knows no such order
        }
        return order.getStatus() == Status.INVALID ? null : order;
    }

    /// Begins an order.
    ///
    /// @param replaced the certificate that it is to replace, where the authority keeps account of
    ///   that, or null
    Order begin(@Nullable X509Certificate replaced) throws AcmeException {
        try {
            return builder(replaced).create();
        } catch (AcmeServerException e) {
            if (replaced == null || !e.getType().toString().equals(ALREADY_REPLACED)) {
                throw e;
            }
            return builder(null).create();
        }
    }

    private OrderBuilder builder(@Nullable X509Certificate replaced) {
        OrderBuilder builder = login.newOrder().domains(wanted.domains());
        String profile = wanted.profile();
        if (profile != null) {
            builder.profile(profile);
        }
        if (replaced != null) {
            builder.replaces(replaced);
        }
        return builder;
    }

    /// Proves what has not been proved yet.
    ///
    /// @param failures how often it has failed before
    void authorize(Order order, Proof proof, int failures)
            throws AcmeException, IOException, InterruptedException {
        List<Authorization> open = new ArrayList<>();
        List<Challenge> tried = new ArrayList<>();
        for (Authorization authorization : order.getAuthorizations()) {
            if (authorization.getStatus() != Status.VALID) {
                Challenge challenge = proof.prepare(authorization, failures);
                open.add(authorization);
                tried.add(challenge);
            }
        }
        pause.forTime(tried.isEmpty() ? Duration.ZERO : proof.heard());
        for (Challenge challenge : tried) {
            if (challenge.getStatus() == Status.PENDING) {
                challenge.trigger();
            }
        }
        long untilNanos = System.nanoTime() + limits.orderTimeout().toNanos();
        for (int i = 0; i < open.size(); i++) {
            Status status = settle(open.get(i), untilNanos);
            if (status != Status.VALID) {
                tried.get(i).fetch();
                throw new IOException(
                        open.get(i).getIdentifier().getDomain()
                                + " was not proved by "
                                + tried.get(i).getType()
                                + ": "
                                + tried.get(i)
                                        .getError()
                                        .flatMap(Problem::getDetail)
                                        .orElse("the authorization is " + status));
            }
        }
    }

    /// Has the certificate issued and fetches it.
    ///
    /// @param keyFile where its key is written before that, and read where the order has got so far
    /// @return null where an earlier run has finalised it with a key that is lost
    @Nullable Issued complete(Order order, Path keyFile)
            throws AcmeException, IOException, InterruptedException {
        long untilNanos = System.nanoTime() + limits.orderTimeout().toNanos();
        if (order.getStatus() == Status.PENDING) {
            settle(order, untilNanos, Status.PENDING);
        }
        KeyPair key = Storage.exists(keyFile) ? Keys.pair(Storage.read(keyFile)) : null;
        if (order.getStatus() == Status.READY) {
            if (key == null) {
                key = Keys.make(wanted.key());
                storage.save(keyFile, Keys.pem(key));
            }
            order.execute(key);
            order.fetch();
        }
        if (order.getStatus() == Status.PROCESSING || order.getStatus() == Status.READY) {
            settle(order, untilNanos, Status.PROCESSING);
        }
        if (order.getStatus() != Status.VALID) {
            throw new IOException(
                    "the order is "
                            + order.getStatus()
                            + order.getError()
                                    .flatMap(Problem::getDetail)
                                    .map(": "::concat)
                                    .orElse(""));
        }
        List<X509Certificate> chain = order.getCertificate().getCertificateChain();
        if (chain.isEmpty()) {
            throw new IOException("the authority has sent no certificate");
        }
        return key == null || !chain.getFirst().getPublicKey().equals(key.getPublic())
                ? null
                : new Issued(key, chain);
    }

    private Status settle(Authorization authorization, long untilNanos)
            throws AcmeException, IOException, InterruptedException {
        return settle(authorization, untilNanos, Status.PENDING);
    }

    /// Asks until a status has changed.
    private Status settle(PollableResource resource, long untilNanos, Status waits)
            throws AcmeException, IOException, InterruptedException {
        Duration wait = POLL_FIRST;
        while (resource.getStatus() == waits) {
            if (System.nanoTime() - untilNanos > 0) {
                throw new IOException("the authority has not finished the order");
            }
            pause.forTime(wait);
            Optional<Instant> said = resource.fetch();
            Duration asked =
                    said.map(at -> Duration.between(clock.instant(), at)).orElse(Duration.ZERO);
            wait = bounded(asked, wait);
        }
        return resource.getStatus();
    }

    /// What it asks for, within bounds, for its clock may be another; otherwise half as long again.
    private static Duration bounded(Duration asked, Duration last) {
        UnaryOperator<Duration> most = time -> time.compareTo(POLL_MAX) > 0 ? POLL_MAX : time;
        return asked.isPositive()
                ? most.apply(asked.compareTo(POLL_FIRST) < 0 ? POLL_FIRST : asked)
                : most.apply(last.multipliedBy(3).dividedBy(2));
    }
}
