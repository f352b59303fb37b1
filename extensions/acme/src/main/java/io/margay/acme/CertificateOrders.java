package io.margay.acme;

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
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Looks from time to time, on a thread of its own, which certificates are due, and has them
/// ordered, several at the same time, each on a virtual thread. Thread-safe; what is asked of it
/// from outside, and which orders have ended, is guarded by `lock`, which is not held while an
/// order runs.
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

    /// Its certificates by their names.
    private Map<String, AcmeCertificate> byName = Map.of();

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

    /// Of the thread: the certificates that are due, and their orders under way.
    private final OrderQueue queue = new OrderQueue();

    private final OrdersUnderWay running = new OrdersUnderWay(this::signal);

    /// Of the thread: whether this server orders, as of the last look, and when the next one is.
    private boolean orders;

    private long lookNanos;

    /// Of the thread: when the listeners were told last, and whether they are to be.
    private long toldNanos = System.nanoTime() - TELL_NANOS;

    private boolean news;

    /// What the orders have to do with.
    private record Place(Storage storage, Accounts accounts) {}

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
            Set<AcmeCertificate> before = Set.copyOf(config.certificates());
            for (AcmeCertificate one : next.certificates()) {
                if (thread != null && !before.contains(one)) {
                    asked.putIfAbsent(one.name(), Urgency.NO_WAIT);
                }
            }
            config = next;
            byName =
                    next.certificates().stream()
                            .collect(
                                    Collectors.toMap(
                                            AcmeCertificate::name, one -> one, (a, b) -> a));
            hasNews = true;
            readings.keySet().retainAll(byName.keySet());
            asked.keySet().retainAll(byName.keySet());
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
            boolean known = byName.containsKey(name);
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
        Place place = null;
        try {
            while (true) {
                AcmeConfig now = begin();
                if (place == null || !place.storage.folder().equals(now.storage())) {
                    end(place);
                    Storage storage = new Storage(now.storage(), begun(now.storage()));
                    place = new Place(storage, new Accounts(storage, limits, this::pause));
                }
                lookNanos = System.nanoTime() + look(now, place).toNanos();
                do {
                    settle(place);
                    dispatch(now, place);
                    tell(running.size() == 0);
                } while (!isToLook(now, place));
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "orders of certificates end");
        } finally {
            end(place);
        }
    }

    /// Waits until an order has ended, another may begin, or certificates are to be looked at.
    ///
    /// @return whether they are
    private boolean isToLook(AcmeConfig now, Place place) throws InterruptedException {
        long nanos = lookNanos - System.nanoTime();
        if (news) {
            nanos = Math.min(nanos, toldNanos + TELL_NANOS - System.nanoTime());
        }
        if (running.size() < now.ordersMax()) {
            nanos = Math.min(nanos, queue.waitNanos(one -> place.accounts.pace(one).orderNanos()));
        }
        lock.lock();
        try {
            while (!closed && !hasNews && !running.haveEnded() && nanos > 0) {
                nanos = woken.awaitNanos(nanos);
            }
            if (closed) {
                throw new InterruptedException();
            }
            return hasNews || (!running.haveEnded() && lookNanos - System.nanoTime() <= 0);
        } finally {
            lock.unlock();
        }
    }

    /// Takes note of the orders that have ended.
    private void settle(Place place) {
        for (OrdersUnderWay.Ended one : running.ended()) {
            String name = one.entry().wanted().name();
            SharedStorage shared = place.storage.shared();
            if (shared != null) {
                shared.ordering(name, false);
            }
            news |= one.issued();
            AcmeReading reading = one.entry().watch().reading();
            note(one.entry().wanted(), reading);
            Instant again = asked(name, false) == Urgency.NONE ? reading.next() : clock.instant();
            lookNanos = Math.min(lookNanos, System.nanoTime() + left(again).toNanos());
        }
    }

    /// Begins as many orders as may be under way.
    private void dispatch(AcmeConfig now, Place place) throws InterruptedException {
        Accounts accounts = place.accounts;
        SharedStorage shared = place.storage.shared();
        if (!orders || (shared != null && !shared.leads())) {
            queue.clear();
        } else if (running.size() == 0 || !areKeysAsked(false)) {
            if (areKeysAsked(true)) {
                accounts.changeKeys(now);
            }
            boolean more = true;
            while (more && running.size() < now.ordersMax()) {
                int names = running.names();
                OrderQueue.Entry next =
                        queue.next(
                                one -> accounts.pace(one).orderNanos(),
                                names == 0 ? Integer.MAX_VALUE : limits.pendingMax() - names);
                more = next != null;
                if (next != null) {
                    String name = next.wanted().name();
                    if (shared != null) {
                        shared.ordering(name, true);
                    }
                    accounts.pace(next.wanted().authority()).begun();
                    running.start(next, asked(name, true), accounts);
                }
            }
        }
        if (running.size() == 0) {
            accounts.close();
            if (orders && shared != null) {
                shared.clearChallenges();
            }
        }
    }

    /// Cuts all orders short and closes a place.
    private void end(@Nullable Place place) {
        running.cut(Duration.ofMillis(CLOSE_MILLIS_MAX));
        if (place != null) {
            settle(place);
            place.accounts.close();
            close(place.storage);
        }
        queue.clear();
        watches.clear();
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

    private static void close(Storage storage) {
        try {
            storage.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the lock of the certificates", e);
        }
    }

    /// Finds out what is due.
    ///
    /// @return when to look again: soon, since the wall clock may leap
    private Duration look(AcmeConfig now, Place place) throws InterruptedException {
        Storage storage = place.storage;
        queue.clear();
        orders = false;
        try {
            boolean takes = !now.isEmpty() && storage.takes();
            SharedStorage shared = storage.shared();
            if (shared != null) {
                shared.mayOrder(takes);
            }
            // Otherwise another server asks, and its files are taken.
            orders = takes && (shared == null || together(now, shared, storage));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} cannot be used: {1}", now.storage(), e.getMessage());
        }
        Duration wait = limits.look();
        if (!orders) {
            return wait;
        }
        watches.keySet().retainAll(Set.copyOf(now.certificates()));
        for (AcmeCertificate wanted : now.certificates()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            String name = wanted.name();
            if (running.has(name)) {
                continue;
            }
            CertificateWatch watch =
                    watches.computeIfAbsent(wanted, one -> watch(one, now, storage));
            Urgency urgency = asked(name, false);
            boolean due = watch.isDue(urgency);
            AcmeReading reading = watch.reading();
            note(wanted, reading);
            if (due) {
                queue.add(new OrderQueue.Entry(wanted, watch, urgency, watch.until()));
            } else {
                Urgency _ = asked(name, true);
                Duration left = left(reading.next());
                wait = left.compareTo(wait) < 0 ? left : wait;
            }
        }
        return wait;
    }

    /// How long until then, but no shorter than between two looks.
    private Duration left(Instant then) {
        Duration left = Duration.between(clock.instant(), then);
        return left.compareTo(LOOK_MIN) < 0 ? LOOK_MIN : left;
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

    /// Has the thread see that an order has ended.
    private void signal() {
        lock.lock();
        try {
            woken.signalAll();
        } finally {
            lock.unlock();
        }
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
        watches.keySet().retainAll(Set.copyOf(now.certificates()));
        for (AcmeCertificate wanted : now.certificates()) {
            if (!running.has(wanted.name())) {
                CertificateWatch watch =
                        watches.computeIfAbsent(wanted, one -> watch(one, now, storage));
                watch.observe();
                note(wanted, watch.reading());
            }
        }
        shared.compare(now);
        passOn(shared);
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

    private CertificateWatch watch(AcmeCertificate wanted, AcmeConfig now, Storage storage) {
        return new CertificateWatch(
                wanted,
                CertificateFolder.of(now, wanted),
                storage,
                challenges,
                new CertificateWatch.Means(limits, clock, random, this::pause));
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

    /// Why a certificate is looked at.
    ///
    /// @param forgets whether it is done now
    private Urgency asked(String name, boolean forgets) {
        lock.lock();
        try {
            Urgency said = forgets ? asked.remove(name) : asked.get(name);
            return said == null ? Urgency.NONE : said;
        } finally {
            lock.unlock();
        }
    }

    /// Whether accounts are to be given other keys.
    ///
    /// @param forgets whether it is done now
    private boolean areKeysAsked(boolean forgets) {
        lock.lock();
        try {
            boolean said = keysAsked;
            keysAsked &= !forgets;
            return said;
        } finally {
            lock.unlock();
        }
    }

    /// Keeps how it stands about a certificate, if it is still the one that is wanted.
    private void note(AcmeCertificate wanted, AcmeReading reading) {
        lock.lock();
        try {
            if (wanted.equals(byName.get(reading.name()))) {
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
