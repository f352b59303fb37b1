package io.margay.app.deploy;

import io.margay.app.admin.AppRef;
import io.margay.app.admin.ManagedServer.Leak;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Remembers undeployed applications for as long as they are in memory, without keeping them there.
/// Guarded by `lock`.
public final class UndeployedApps {
    private static final System.Logger LOG = System.getLogger(UndeployedApps.class.getName());

    private static final int COLLECTIONS = 5;
    private static final long PAUSE_NANOS = 20_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Trace> traces = new ArrayList<>();

    /// An application that was undeployed.
    private record Trace(
            AppName name, WeakReference<ClassLoader> loader, long nanos, List<String> left) {}

    public void add(List<Deployments.Stopped> undeployed) {
        lock.lock();
        try {
            traces.removeIf(trace -> trace.loader.refersTo(null));
            for (Deployments.Stopped one : undeployed) {
                traces.add(
                        new Trace(
                                one.app().name(),
                                new WeakReference<>(one.app().deployment().classLoader()),
                                System.nanoTime(),
                                one.left()));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Those that are still in memory after garbage has been collected: something holds them.
    public List<Leak> find() {
        for (int i = 0; i < COLLECTIONS && count() > 0; i++) {
            System.gc();
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        List<Leak> leaks = new ArrayList<>();
        lock.lock();
        try {
            for (Iterator<Trace> all = traces.iterator(); all.hasNext(); ) {
                Trace trace = all.next();
                if (trace.loader.refersTo(null)) {
                    all.remove();
                } else {
                    AppName name = trace.name;
                    String host = name.host().isEmpty() ? "" : name.host().getFirst();
                    leaks.add(
                            new Leak(
                                    new AppRef(host, name.contextPath(), name.version()),
                                    Duration.ofNanos(System.nanoTime() - trace.nanos),
                                    trace.left));
                    LOG.log(
                            Level.WARNING,
                            "{0} was undeployed and is still in memory{1}",
                            name,
                            trace.left.isEmpty()
                                    ? ""
                                    : ", perhaps by its " + String.join(", ", trace.left));
                }
            }
        } finally {
            lock.unlock();
        }
        return leaks;
    }

    private int count() {
        lock.lock();
        try {
            traces.removeIf(trace -> trace.loader.refersTo(null));
            return traces.size();
        } finally {
            lock.unlock();
        }
    }
}
