package io.margay.acme;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The orders that are under way at the same time, each on a virtual thread; never two for one
/// certificate. Used by the thread of the orders; only what has ended comes from others.
final class OrdersUnderWay {
    private static final System.Logger LOG = System.getLogger(OrdersUnderWay.class.getName());

    private final Runnable wake;
    private final Map<String, Running> running = new HashMap<>();
    private final Queue<Ended> ended = new ConcurrentLinkedQueue<>();

    private record Running(OrderQueue.Entry entry, Thread thread) {}

    /// An order that has ended.
    ///
    /// @param issued whether there is another certificate now
    record Ended(OrderQueue.Entry entry, boolean issued) {}

    /// @param wake told on the thread of an order when that has ended
    OrdersUnderWay(Runnable wake) {
        this.wake = wake;
    }

    boolean has(String certificate) {
        return running.containsKey(certificate);
    }

    int size() {
        return running.size();
    }

    /// Names of all their certificates.
    int names() {
        return running.values().stream().mapToInt(one -> one.entry.wanted().domains().size()).sum();
    }

    void start(OrderQueue.Entry entry, Urgency urgency, Accounts accounts) {
        String name = entry.wanted().name();
        Thread thread =
                Thread.ofVirtual()
                        .name("margay-acme " + name)
                        .unstarted(() -> run(entry, urgency, accounts));
        running.put(name, new Running(entry, thread));
        thread.start();
    }

    private void run(OrderQueue.Entry entry, Urgency urgency, Accounts accounts) {
        boolean issued = false;
        try (Accounts.Logins logins = accounts.logins()) {
            issued = entry.watch().look(logins, urgency);
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "{0}: continues after the next start", entry.wanted().name());
        } finally {
            ended.add(new Ended(entry, issued));
            wake.run();
        }
    }

    /// Whether there are some that [#ended] has not returned yet.
    boolean haveEnded() {
        return !ended.isEmpty();
    }

    /// Takes those that have ended since the last call.
    List<Ended> ended() {
        List<Ended> some = new ArrayList<>();
        for (Ended one = ended.poll(); one != null; one = ended.poll()) {
            running.remove(one.entry.wanted().name());
            some.add(one);
        }
        return some;
    }

    /// Cuts all short and waits for their threads.
    ///
    /// @param most to wait for each
    void cut(Duration most) {
        boolean interrupted = Thread.interrupted();
        running.values().forEach(one -> one.thread.interrupt());
        try {
            for (Running one : running.values()) {
                boolean _ = one.thread.join(most);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
