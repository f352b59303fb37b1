package io.margay.servlet.deploy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Looks for what an application that has been stopped leaves behind in the JVM, each of which
/// keeps all of its classes in memory: threads, timers, thread-locals, JDBC drivers, shutdown
/// hooks, objects exported by RMI. Drivers are deregistered and the cache of resource bundles is
/// cleared; the rest is only named, for only the application can end it safely. Confined to a
/// thread.
final class LeftBehind {
    /// How long threads may take to end that were told to.
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final System.Logger LOG = System.getLogger(LeftBehind.class.getName());

    private final WebAppClassLoader loader;
    private final List<String> found = new ArrayList<>();

    private LeftBehind(WebAppClassLoader loader) {
        this.loader = loader;
    }

    /// A line for each thing.
    static List<String> by(WebAppClassLoader loader) {
        LeftBehind look = new LeftBehind(loader);
        look.drivers();
        ResourceBundle.clearCache(loader);
        look.threads();
        look.shutdownHooks();
        return look.found;
    }

    private boolean isOwn(@Nullable Object thing) {
        return thing != null && isOwn(thing.getClass().getClassLoader());
    }

    private boolean isOwn(@Nullable ClassLoader other) {
        for (ClassLoader one = other; one != null; one = one.getParent()) {
            if (one.equals(loader)) {
                return true;
            }
        }
        return false;
    }

    /// With the JVM's own class loader in place: `DriverManager` looks for drivers only once, and
    /// whoever embeds the server must find his afterwards.
    private void drivers() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        try {
            for (String driver : loader.removeDrivers()) {
                found.add("JDBC driver " + driver + " (deregistered)");
            }
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "looking for JDBC drivers of " + loader.getName(),
                    e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private void threads() {
        List<Thread> own = ownThreads();
        long begin = System.nanoTime();
        while (!own.isEmpty() && System.nanoTime() - begin < PATIENCE_NANOS) {
            LockSupport.parkNanos(this, POLL_NANOS);
            own = ownThreads();
        }
        own.forEach(thread -> found.add(describe(thread)));
        boolean rmi = false;
        for (Thread thread : allThreads()) {
            rmi |= thread.getName().startsWith("RMI ");
            for (JdkInternals.Local local : JdkInternals.threadLocals(thread)) {
                if (isOwn(local.key()) || isOwn(local.value())) {
                    found.add(
                            "thread-local"
                                    + name(local.key())
                                    + name(local.value())
                                    + " in thread \""
                                    + thread.getName()
                                    + "\"");
                }
            }
        }
        if (rmi) {
            long exported = JdkInternals.exporters().stream().filter(this::isOwn).count();
            if (exported > 0) {
                found.add(exported + " objects exported by RMI");
            }
        }
    }

    /// The class of an object that is of the application.
    private String name(@Nullable Object thing) {
        return thing != null && isOwn(thing) ? " of " + thing.getClass().getName() : "";
    }

    private List<Thread> ownThreads() {
        List<Thread> own = new ArrayList<>();
        for (Thread thread : allThreads()) {
            if (!thread.equals(Thread.currentThread())
                    && thread.isAlive()
                    && (isOwn(thread.getContextClassLoader())
                            || isOwn(thread)
                            || isOwn(JdkInternals.task(thread)))) {
                own.add(thread);
            }
        }
        return own;
    }

    /// Platform threads; virtual ones cannot be listed.
    private static List<Thread> allThreads() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] threads = new Thread[root.activeCount() + 64];
        int count = root.enumerate(threads, true);
        return Arrays.asList(threads).subList(0, count);
    }

    private String describe(Thread thread) {
        String kind =
                thread.getClass().getName().equals("java.util.TimerThread") ? "timer" : "thread";
        StringBuilder text = new StringBuilder(kind);
        text.append(" \"").append(thread.getName()).append("\" (").append(thread.getState());
        if (isOwn(thread)) {
            text.append(", a ").append(thread.getClass().getName());
        } else if (isOwn(JdkInternals.task(thread))) {
            text.append(", runs a ").append(taskName(thread));
        }
        for (StackTraceElement frame : thread.getStackTrace()) {
            String from = frame.getClassLoaderName();
            if (loader.getName().equals(from)) {
                text.append(", in ")
                        .append(frame.getClassName())
                        .append('.')
                        .append(frame.getMethodName());
                break;
            }
        }
        return text.append(')').toString();
    }

    private static String taskName(Thread thread) {
        Object task = JdkInternals.task(thread);
        return task == null ? "" : task.getClass().getName();
    }

    private void shutdownHooks() {
        for (Thread hook : JdkInternals.shutdownHooks()) {
            if (isOwn(hook.getContextClassLoader())
                    || isOwn(hook)
                    || isOwn(JdkInternals.task(hook))) {
                found.add("shutdown hook \"" + hook.getName() + "\"");
            }
        }
    }
}
