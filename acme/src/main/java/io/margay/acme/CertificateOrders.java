package io.margay.acme;

import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeClient;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.acme.AcmeReading;
import io.margay.server.shared.SharedGroup;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.exception.AcmeException;

/// Looks from time to time which certificates are due, and orders them one after the other on a
/// thread of its own. Thread-safe; what is asked of it from outside is guarded by `lock`, which is
/// not held while an order runs.
final class CertificateOrders implements AcmeClient {
    private static final System.Logger LOG = System.getLogger(CertificateOrders.class.getName());
    private static final long CLOSE_MILLIS_MAX = 5_000;

    /// Listeners look at all their files when one has changed: not more often than this, where many
    /// are issued one after the other.
    private static final long TELL_NANOS = 2_000_000_000L;

    /// How long the group's engine must have been away for each server to order by itself.
    static final Duration ALONE_AFTER = Duration.ofHours(1);

    private static final Duration LOOK_MIN = Duration.ofMillis(100);

    private final AcmeLimits limits;
    private final AcmeChallenges challenges;
    private final Runnable changed;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final @Nullable SharedGroup group;
    private final Duration aloneAfter;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();

    private AcmeConfig config = AcmeConfig.NONE;
    private final Map<String, Urgency> asked = new HashMap<>();
    private final Map<String, AcmeReading> readings = new HashMap<>();
    private @Nullable Thread thread;
    private boolean closed;

    /// Whether something has been asked for since the last look began.
    private boolean hasNews;

    /// Whether accounts are to be given other keys.
    private boolean keysAsked;

    /// Of the thread: what it knows of each certificate.
    private final Map<AcmeCertificate, CertificateWatch> watches = new HashMap<>();

    /// Of the thread: when the listeners were told last, and whether they are to be.
    private long toldNanos = System.nanoTime() - TELL_NANOS;

    private boolean news;

    CertificateOrders(
            AcmeLimits limits,
            AcmeChallenges challenges,
            Runnable changed,
            InstantSource clock,
            RandomGenerator random) {
        this(limits, challenges, changed, clock, random, null, ALONE_AFTER);
    }

    /// @param group servers that have the same certificates; null = there is no other
    /// @param aloneAfter how long the engine must have been away for each server to order by itself
    CertificateOrders(
            AcmeLimits limits,
            AcmeChallenges challenges,
            Runnable changed,
            InstantSource clock,
            RandomGenerator random,
            @Nullable SharedGroup group,
            Duration aloneAfter) {
        this.group = group;
        this.aloneAfter = aloneAfter;
        this.limits = limits;
        this.challenges = challenges;
        this.changed = changed;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public void prepare(AcmeConfig next) throws IOException {
        SharedStorage others = shared(next.storage());
        if (others != null && runs()) {
            others.takeNew(next); // the thread of the orders has the rest in hand
        } else if (others != null) {
            boolean _ = others.take(next);
        }
        for (AcmeCertificate wanted : next.certificates()) {
            CertificateFolder.of(next, wanted).prepare(wanted, clock.instant(), random);
        }
    }

    private boolean runs() {
        lock.lock();
        try {
            return thread != null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void follow(AcmeConfig next) {
        lock.lock();
        try {
            Set<String> names = new HashSet<>();
            for (AcmeCertificate one : next.certificates()) {
                names.add(one.name());
                if (thread != null && !config.certificates().contains(one)) {
                    asked.putIfAbsent(one.name(), Urgency.NO_WAIT);
                }
            }
            config = next;
            hasNews = true;
            readings.keySet().retainAll(names);
            asked.keySet().retainAll(names);
            if (thread == null && !closed && !next.isEmpty()) {
                thread = Thread.ofPlatform().daemon().name("margay-acme").start(this::run);
            }
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<AcmeReading> read() {
        lock.lock();
        try {
            return List.copyOf(readings.values());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean renew(String name) {
        lock.lock();
        try {
            boolean known = config.certificates().stream().anyMatch(one -> one.name().equals(name));
            if (known) {
                asked.put(name, Urgency.NOW);
                hasNews = true;
                woken.signalAll();
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void changeKeys() {
        lock.lock();
        try {
            keysAsked = true;
            hasNews = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        Storage storage = null;
        try {
            while (true) {
                AcmeConfig now = begin();
                if (storage == null || !storage.folder().equals(now.storage())) {
                    close(storage);
                    watches.clear();
                    storage = new Storage(now.storage(), begun(now.storage()));
                }
                Duration wait = look(now, storage);
                lock.lock();
                try {
                    if (closed) {
                        return;
                    }
                    if (!hasNews) {
                        long nanos = woken.awaitNanos(wait.toNanos());
                        LOG.log(Level.TRACE, "{0} ns left", nanos);
                    }
                } finally {
                    lock.unlock();
                }
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "orders of certificates end");
        } finally {
            close(storage);
        }
    }

    private AcmeConfig begin() {
        lock.lock();
        try {
            hasNews = false;
            return config;
        } finally {
            lock.unlock();
        }
    }

    private AcmeConfig current() {
        lock.lock();
        try {
            return config;
        } finally {
            lock.unlock();
        }
    }

    private static void close(@Nullable Storage storage) {
        if (storage != null) {
            try {
                storage.close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "the lock of the certificates", e);
            }
        }
    }

    /// Does what is due.
    ///
    /// @return when to look again: soon, since the wall clock may leap
    private Duration look(AcmeConfig now, Storage storage) throws InterruptedException {
        try {
            boolean takes = !now.isEmpty() && storage.takes();
            SharedStorage shared = storage.shared();
            if (shared != null) {
                shared.mayOrder(takes);
            }
            if (!takes) {
                return limits.look(); // another server asks, its files are taken
            }
            if (shared != null && !together(now, shared, storage)) {
                return limits.look();
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} cannot be used: {1}", now.storage(), e.getMessage());
            return limits.look();
        }
        watches.keySet().retainAll(now.certificates());
        Duration wait = limits.look();
        try (Accounts accounts = new Accounts(storage, limits)) {
            changeKeys(now, accounts);
            for (AcmeCertificate wanted : now.certificates()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (!now.equals(current()) || !stillOrders(storage)) {
                    break;
                }
                CertificateWatch watch =
                        watches.computeIfAbsent(wanted, one -> watch(one, now, storage));
                news |= watch.look(accounts, urgency(wanted.name()));
                AcmeReading reading = watch.reading();
                note(reading);
                Duration left = Duration.between(clock.instant(), reading.next());
                wait = left.compareTo(wait) < 0 ? left : wait;
                tell(false);
            }
        }
        SharedStorage shared = storage.shared();
        if (shared != null) {
            shared.clearChallenges();
        }
        tell(true);
        return wait.compareTo(LOOK_MIN) < 0 ? LOOK_MIN : wait;
    }

    private @Nullable SharedStorage shared(Path folder) {
        return group == null
                ? null
                : new SharedStorage(
                        group, folder, challenges, clock, random, aloneAfter, this::wake);
    }

    private @Nullable SharedStorage begun(Path folder) {
        SharedStorage made = shared(folder);
        if (made != null) {
            made.begin();
        }
        return made;
    }

    private void wake() {
        lock.lock();
        try {
            hasNews = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Whether no other server has begun to order meanwhile.
    private static boolean stillOrders(Storage storage) {
        SharedStorage shared = storage.shared();
        return shared == null || shared.leads();
    }

    /// Settles with the other servers who orders.
    ///
    /// @return whether this one does
    private boolean together(AcmeConfig now, SharedStorage shared, Storage storage) {
        boolean leads = shared.leads();
        shared.lead(leads);
        if (shared.take(now)) {
            watches.clear();
            news = true;
        }
        if (leads) {
            shared.complete(now);
            shared.asked().forEach(this::asked);
            return true;
        }
        watches.keySet().retainAll(now.certificates());
        for (AcmeCertificate wanted : now.certificates()) {
            CertificateWatch watch =
                    watches.computeIfAbsent(wanted, one -> watch(one, now, storage));
            watch.observe();
            note(watch.reading());
        }
        shared.compare(now);
        passOn(shared);
        tell(true);
        return false;
    }

    /// Another server has been asked for it.
    ///
    /// @param name empty = other keys of accounts
    private void asked(String name) {
        if (name.isEmpty()) {
            changeKeys();
        } else {
            boolean _ = renew(name);
        }
    }

    /// Has the server that orders do what is asked of this one.
    private void passOn(SharedStorage shared) {
        List<String> names;
        boolean keys;
        lock.lock();
        try {
            names =
                    asked.entrySet().stream()
                            .filter(one -> one.getValue() == Urgency.NOW)
                            .map(Map.Entry::getKey)
                            .toList();
            keys = keysAsked;
        } finally {
            lock.unlock();
        }
        try {
            for (String name : names) {
                shared.askRenewal(name);
            }
            if (keys) {
                shared.askKeys();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "it is asked again: {0}", e.getMessage());
            return;
        }
        lock.lock();
        try {
            names.forEach(asked::remove);
            keysAsked &= !keys;
        } finally {
            lock.unlock();
        }
    }

    private void changeKeys(AcmeConfig now, Accounts accounts) throws InterruptedException {
        lock.lock();
        try {
            if (!keysAsked) {
                return;
            }
            keysAsked = false;
        } finally {
            lock.unlock();
        }
        for (AcmeAuthority authority :
                now.certificates().stream()
                        .map(AcmeCertificate::authority)
                        .collect(Collectors.toSet())) {
            String host = authority.directory().getHost();
            try {
                accounts.changeKey(authority);
                LOG.log(Level.INFO, "the account with {0} has another key", host);
            } catch (IOException | AcmeException | RuntimeException e) {
                LOG.log(
                        Level.WARNING,
                        "the key of the account with {0} may be the same: {1}",
                        host,
                        CertificateWatch.reason(CertificateWatch.requireReal(e)));
            }
        }
    }

    private CertificateWatch watch(AcmeCertificate wanted, AcmeConfig now, Storage storage) {
        return new CertificateWatch(
                wanted,
                CertificateFolder.of(now, wanted),
                storage,
                challenges,
                limits,
                clock,
                random,
                this::pause);
    }

    /// Has the listeners read their files if one of them has changed.
    ///
    /// @param last whether no other certificate is due
    private void tell(boolean last) {
        if (news && (last || System.nanoTime() - toldNanos >= TELL_NANOS)) {
            news = false;
            toldNanos = System.nanoTime();
            changed.run();
        }
    }

    private Urgency urgency(String name) {
        lock.lock();
        try {
            Urgency said = asked.remove(name);
            return said == null ? Urgency.NONE : said;
        } finally {
            lock.unlock();
        }
    }

    private void note(AcmeReading reading) {
        lock.lock();
        try {
            if (config.certificates().stream().anyMatch(one -> one.name().equals(reading.name()))) {
                readings.put(reading.name(), reading);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits by a clock that does not leap, and ends with the server.
    private void pause(Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = time.toNanos();
            while (left > 0 && !closed) {
                left = woken.awaitNanos(left);
            }
            if (closed) {
                throw new InterruptedException();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        Thread running;
        lock.lock();
        try {
            closed = true;
            running = thread;
            woken.signalAll();
        } finally {
            lock.unlock();
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
