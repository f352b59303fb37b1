package io.margay.server.shared;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// This server among those that share something through an engine. Thread-safe without a lock. A
/// thread of its own says once a second that the server is there, and runs what is to be done with
/// the engine.
///
/// It stands before the engine (circuit breaker): after some failures in a row nobody waits for it
/// any more, and the thread asks for a sign of life, less and less often, until there is one.
public final class SharedGroup implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SharedGroup.class.getName());

    private static final int INSTANCE_BYTES = 6;

    private final SharedStore store;
    private final Seal seal;
    private final String name;
    private final String node;
    private final String instance;
    private final SharedLimits limits;
    private final LongSupplier nanos;
    private final List<Task> tasks = new CopyOnWriteArrayList<>();
    private final CountDownLatch first = new CountDownLatch(1);
    private final AtomicInteger failuresInRow = new AtomicInteger();
    private final LongAdder calls = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder spentNanos = new LongAdder();

    /// What tasks have failed by last, but for an engine that does not answer.
    private final Map<Task, String> faults = new ConcurrentHashMap<>();

    private volatile List<String> servers = List.of();
    private volatile boolean away;
    private volatile String failure = "";
    private volatile boolean closed;
    private volatile @Nullable Thread thread;

    /// What is to be done with the engine again and again.
    @FunctionalInterface
    public interface Task {
        void run() throws IOException;
    }

    /// What is asked of the engine.
    @FunctionalInterface
    public interface Call<T> {
        T of(SharedStore store) throws IOException;
    }

    /// @param secret of the group
    /// @param name of the group
    /// @param node what others call this server
    public SharedGroup(
            SharedStore store,
            String secret,
            String name,
            String node,
            SharedLimits limits,
            SecureRandom random,
            LongSupplier nanos) {
        this.store = store;
        this.seal = new Seal(secret, name, random);
        this.name = name;
        this.node = node;
        this.limits = limits;
        this.nanos = nanos;
        byte[] own = new byte[INSTANCE_BYTES];
        random.nextBytes(own);
        instance = node + " " + HexFormat.of().formatHex(own);
        servers = List.of(instance);
    }

    /// Begins, and waits for the first answer of the engine, or that there is none.
    public void start() {
        Thread made = Thread.ofVirtual().name("margay-shared").unstarted(this::run);
        thread = made;
        made.start();
        try {
            boolean _ = first.await(2 * limits.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// What others call this server.
    public String node() {
        return node;
    }

    /// This server from its start to its end: no other has the same.
    public String instance() {
        return instance;
    }

    /// How many servers there are, as far as is known.
    public int size() {
        return Math.max(1, servers.size());
    }

    /// A table of entries; the engine is asked by its methods alone.
    public SharedTable table(String table) {
        return new SharedTable(table, this, limits);
    }

    /// 32 bytes for one purpose, the same on all servers of the group and known to nobody else.
    public byte[] derive(String purpose) {
        return seal.derive(purpose);
    }

    /// Takes a lease, or holds on to it: one server of the group has it at a time.
    public boolean lease(String lease, Duration time) throws IOException {
        return ask(asked -> asked.lease(lease, instance, time));
    }

    /// Has something done once a second while the engine answers, and after each [#wake], by the
    /// thread of the group.
    public void every(Task task) {
        tasks.add(task);
    }

    /// Ends what [#every] began.
    public void end(Task task) {
        tasks.remove(task);
        faults.remove(task);
    }

    /// Has the thread look at once.
    public void wake() {
        LockSupport.unpark(thread);
    }

    /// Asks the engine, on the calling thread, unless it is away.
    public <T> T ask(Call<T> call) throws IOException {
        if (away || closed) {
            refused.increment();
            throw new IOException("the shared engine does not answer");
        }
        return tried(call);
    }

    private <T> T tried(Call<T> call) throws IOException {
        long begin = nanos.getAsLong();
        calls.increment();
        try {
            T answer = call.of(store);
            failuresInRow.set(0);
            return answer;
        } catch (IOException e) {
            failed(e);
            throw e;
        } catch (RuntimeException e) {
            failed(e);
            throw new IOException(e);
        } finally {
            spentNanos.add(nanos.getAsLong() - begin);
        }
    }

    private void failed(Exception cause) {
        failures.increment();
        failure = String.valueOf(cause.getMessage());
        if (failuresInRow.incrementAndGet() >= limits.failuresMax() && !away && !closed) {
            away = true;
            LOG.log(
                    Level.WARNING,
                    "shared: the store does not answer ({0}); this server continues by itself",
                    failure);
        }
    }

    private void run() {
        long wait = limits.awayFirst().toNanos();
        while (!closed) {
            try {
                present();
                wait = limits.every().toNanos();
            } catch (IOException e) {
                wait = away ? Math.min(2 * wait, limits.awayMax().toNanos()) : wait;
            }
            if (!away) {
                tasks.forEach(this::run);
            }
            first.countDown();
            LockSupport.parkNanos(this, wait);
        }
    }

    private void present() throws IOException {
        int most = limits.serversMax();
        List<String> found = tried(asked -> asked.present(instance, limits.presence(), most));
        servers = found.size() > most ? found.subList(0, most) : found;
        failure = "";
        if (away) {
            away = false;
            LOG.log(Level.INFO, "shared: the engine answers again");
        }
    }

    private void run(Task task) {
        try {
            task.run();
            faults.remove(task);
        } catch (SharedDataException e) {
            failed(task, String.valueOf(e.getMessage()), null);
        } catch (RuntimeException | Error e) {
            failed(task, e.toString(), e);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "shared", e);
        }
    }

    /// Says so once; the other tasks, and this one the next time, have their turn.
    ///
    /// @param bug null = none of this server
    private void failed(Task task, String why, @Nullable Throwable bug) {
        if (!why.equals(faults.put(task, why))) {
            LOG.log(Level.WARNING, "shared: " + why, bug);
        }
    }

    Seal seal() {
        return seal;
    }

    /// Whether nobody waits for the engine now.
    public boolean isAway() {
        return away;
    }

    public SharedReading read() {
        List<String> names = servers.stream().map(SharedGroup::nodeOf).sorted().toList();
        return SharedReadingBuilder.builder()
                .group(name)
                .node(node)
                .servers(names)
                .up(!away)
                .failure(away ? failure : faults.values().stream().findFirst().orElse(""))
                .calls(calls.sum())
                .failures(failures.sum())
                .refused(refused.sum())
                .nanos(spentNanos.sum())
                .build();
    }

    private static String nodeOf(String instance) {
        int blank = instance.lastIndexOf(' ');
        return blank < 0 ? instance : instance.substring(0, blank);
    }

    /// Leaves the group.
    @Override
    public void close() {
        closed = true;
        wake();
        if (!away) {
            try {
                store.absent(instance);
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.DEBUG, "shared", e);
            }
        }
        store.close();
    }
}
