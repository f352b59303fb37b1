package io.margay.servlet.deploy;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What only fields of the JDK tell: the thread-locals of a thread, its task, the shutdown hooks,
/// the objects exported by RMI. Where the JDK, or its command line, does not let one look
/// (`--add-opens java.base/java.lang=ALL-UNNAMED`, as `./margay` has it), the answers are empty.
/// Stateless.
final class JdkInternals {
    private static final System.Logger LOG = System.getLogger(JdkInternals.class.getName());

    private JdkInternals() {}

    /// A thread-local of a thread.
    ///
    /// @param key null when it has been collected
    record Local(@Nullable Object key, @Nullable Object value) {}

    /// The thread-locals of a thread, inherited ones included. A thread that runs changes them
    /// meanwhile: it is a look, not a snapshot.
    static List<Local> threadLocals(Thread thread) {
        List<Local> all = new ArrayList<>();
        for (String field : List.of("threadLocals", "inheritableThreadLocals")) {
            Object map = get(Thread.class, field, thread);
            Object table = map == null ? null : get(map.getClass(), "table", map);
            int length = table == null ? 0 : Array.getLength(table);
            for (int i = 0; i < length; i++) {
                if (Array.get(table, i) instanceof Reference<?> entry) {
                    all.add(new Local(entry.get(), get(entry.getClass(), "value", entry)));
                }
            }
        }
        return all;
    }

    /// What a thread runs, when it was not made of a class of its own.
    static @Nullable Object task(Thread thread) {
        Object holder = get(Thread.class, "holder", thread);
        return holder == null ? null : get(holder.getClass(), "task", holder);
    }

    /// Threads that are to run when the JVM ends.
    static List<Thread> shutdownHooks() {
        List<Thread> hooks = new ArrayList<>();
        try {
            Class<?> type = Class.forName("java.lang.ApplicationShutdownHooks");
            if (get(type, "hooks", null) instanceof Map<?, ?> map) {
                for (Object hook : Set.copyOf(map.keySet())) {
                    if (hook instanceof Thread thread) {
                        hooks.add(thread);
                    }
                }
            }
        } catch (ClassNotFoundException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "shutdown hooks cannot be seen", e);
        }
        return hooks;
    }

    /// The class loaders of the exported objects of RMI; call it only where RMI is in use, for it
    /// would be loaded.
    static List<ClassLoader> exporters() {
        List<ClassLoader> all = new ArrayList<>();
        try {
            Class<?> table = Class.forName("sun.rmi.transport.ObjectTable");
            if (get(table, "objTable", null) instanceof Map<?, ?> map) {
                for (Object target : List.copyOf(map.values())) {
                    if (get(target.getClass(), "ccl", target) instanceof ClassLoader loader) {
                        all.add(loader);
                    }
                }
            }
        } catch (ClassNotFoundException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "exported objects cannot be seen", e);
        }
        return all;
    }

    /// The value of a field, null when it may not be seen or is not there.
    private static @Nullable Object get(Class<?> type, String name, @Nullable Object of) {
        try {
            Field field = field(type, name);
            return field != null && field.trySetAccessible() ? field.get(of) : null;
        } catch (IllegalAccessException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a field of the JDK", e);
            return null;
        }
    }

    private static @Nullable Field field(Class<?> type, String name) {
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            for (Field field : one.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return field;
                }
            }
        }
        return null;
    }
}
