package io.margay.acme.staple;

import io.margay.server.acme.StapleClient;
import io.margay.server.acme.StapleLimits;
import io.margay.server.acme.StapleReading;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.jspecify.annotations.Nullable;

/// Fetches OCSP responses, one after the other on a thread of its own, long before those that are
/// stapled end. Thread-safe; what is followed is guarded by `lock`, which is not held while
/// something is fetched, read or written.
final class Stapler implements StapleClient, JdkResponder.Source {
    private static final System.Logger LOG = System.getLogger(Stapler.class.getName());
    private static final long CLOSE_MILLIS_MAX = 5_000;

    private final StapleLimits limits;
    private final StapleFolder folder;
    private final InstantSource clock;
    private final StapleTimes times;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final IdentityHashMap<Object, Set<X509Certificate>> owners = new IdentityHashMap<>();

    /// Written with the lock held; read by handshakes.
    private final Map<X509Certificate, Stapled> followed = new ConcurrentHashMap<>();

    private @Nullable Thread thread;
    private boolean closed;
    private boolean servesJdk;

    /// Whether something is followed that was not when the thread looked last.
    private boolean hasNews;

    Stapler(StapleLimits limits, Path folder, InstantSource clock, RandomGenerator random) {
        this.limits = limits;
        this.folder = new StapleFolder(folder, limits);
        this.clock = clock;
        times = new StapleTimes(limits, random);
    }

    @Override
    public void follow(Object owner, List<List<X509Certificate>> chains, Duration patience) {
        Map<X509Certificate, Stapled> wanted = new HashMap<>();
        for (List<X509Certificate> chain : chains) {
            Stapled one = known(chain);
            if (one != null && wanted.size() < limits.certificatesMax()) {
                wanted.put(chain.getFirst(), one);
            }
        }
        lock.lock();
        try {
            if (wanted.isEmpty()) {
                owners.remove(owner);
            } else {
                owners.put(owner, Set.copyOf(wanted.keySet()));
            }
            wanted.forEach(followed::putIfAbsent);
            hasNews = true;
            Set<X509Certificate> all = new HashSet<>();
            owners.values().forEach(all::addAll);
            followed.keySet().retainAll(all);
            if (thread == null && !closed && !all.isEmpty()) {
                thread = Thread.ofPlatform().daemon().name("margay-ocsp").start(this::run);
            }
            changed.signalAll();
            await(wanted.keySet(), patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until each has a response, or its responder has been asked in vain.
    private void await(Set<X509Certificate> certificates, Duration patience)
            throws InterruptedException {
        long left = patience.toNanos();
        while (left > 0 && !closed && certificates.stream().anyMatch(this::isAwaited)) {
            left = changed.awaitNanos(left);
        }
    }

    private boolean isAwaited(X509Certificate certificate) {
        Stapled one = followed.get(certificate);
        return one != null && one.response() == null && one.failures() == 0;
    }

    /// What is known of a certificate, from the disk where it is new; null where its authority
    /// answers no questions.
    private @Nullable Stapled known(List<X509Certificate> chain) {
        X509Certificate own = chain.getFirst();
        Stapled there = followed.get(own);
        if (there != null) {
            return there;
        }
        try {
            if (chain.size() < 2) {
                throw new IOException("the certificate of its authority is not in the file");
            }
            OcspQuestion question = OcspQuestion.of(own, chain.get(1));
            if (question.responder() == null) {
                LOG.log(
                        Level.DEBUG,
                        "{0} names no OCSP responder: nothing is stapled",
                        own.getSubjectX500Principal());
                return null;
            }
            Instant now = clock.instant();
            OcspResponse kept = folder.read(question, now);
            return new Stapled(
                    question, kept, kept == null ? now : times.refresh(kept, now), 0, null);
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "{0}: no OCSP response can be stapled: {1}",
                    own.getSubjectX500Principal(),
                    e.getMessage());
            return null;
        }
    }

    @Override
    public byte @Nullable [] of(X509Certificate certificate) {
        Stapled one = followed.get(certificate);
        OcspResponse response = one == null ? null : one.response();
        return response == null || !clock.instant().isBefore(response.until())
                ? null
                : response.der();
    }

    @Override
    public byte @Nullable [] answer(CertificateID asked) {
        for (Map.Entry<X509Certificate, Stapled> one : followed.entrySet()) {
            if (one.getValue().question().isAbout(asked)) {
                return of(one.getKey());
            }
        }
        return null;
    }

    @Override
    public void serveJdk() {
        lock.lock();
        try {
            if (!servesJdk && !closed) {
                servesJdk = true;
                JdkResponder.add(this, limits);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<StapleReading> read() {
        List<StapleReading> all = new ArrayList<>();
        for (Stapled one : followed.values()) {
            OcspResponse response = one.response();
            all.add(
                    new StapleReading(
                            one.name(),
                            response == null ? null : response.until(),
                            one.failures(),
                            one.failure()));
        }
        return all;
    }

    private void run() {
        try (HttpClient client =
                HttpClient.newBuilder()
                        .connectTimeout(limits.requestTimeout())
                        .proxy(ProxySelector.getDefault())
                        .build()) {
            folder.prune(clock.instant());
            while (isOpen()) {
                for (Stapled one : List.copyOf(followed.values())) {
                    if (isOpen() && !one.next().isAfter(clock.instant())) {
                        note(one.question().certificate(), refreshed(one, client));
                    }
                }
                pause();
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "no more OCSP responses are fetched");
        }
    }

    private boolean isOpen() {
        lock.lock();
        try {
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void note(X509Certificate certificate, Stapled fresh) {
        lock.lock();
        try {
            followed.replace(certificate, fresh);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until something is due, but not long: the wall clock may leap.
    private void pause() throws InterruptedException {
        lock.lock();
        try {
            Instant now = clock.instant();
            Duration wait = limits.look();
            for (Stapled one : followed.values()) {
                Duration left = Duration.between(now, one.next());
                wait = left.compareTo(wait) < 0 ? left : wait;
            }
            long left = wait.toNanos();
            while (left > 0 && !closed && !hasNews) {
                left = changed.awaitNanos(left);
            }
            hasNews = false;
        } finally {
            lock.unlock();
        }
    }

    private Stapled refreshed(Stapled before, HttpClient client) throws InterruptedException {
        Instant now = clock.instant();
        try {
            OcspResponse fresh = before.question().ask(client, limits, now);
            folder.write(before.question(), fresh);
            LOG.log(Level.DEBUG, "{0}: OCSP response until {1}", before.name(), fresh.until());
            return new Stapled(before.question(), fresh, times.refresh(fresh, now), 0, null);
        } catch (IOException e) {
            int failures = before.failures() + 1;
            Instant next = times.retry(failures, now);
            String why = String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}+", " ");
            LOG.log(
                    Level.WARNING,
                    "{0}: no OCSP response: {1}; asked again at {2}",
                    before.name(),
                    why,
                    next);
            boolean revoked = e instanceof OcspResponse.RevokedException;
            return new Stapled(
                    before.question(), revoked ? null : before.response(), next, failures, why);
        }
    }

    @Override
    public void close() {
        Thread running;
        boolean served;
        lock.lock();
        try {
            closed = true;
            running = thread;
            served = servesJdk;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (served) {
            JdkResponder.remove(this);
        }
        if (running != null) {
            running.interrupt();
            try {
                running.join(CLOSE_MILLIS_MAX);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
