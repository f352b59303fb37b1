package io.margay.app.logging;

import io.margay.compat.tomcat.server.LogPlan;
import io.margay.compat.tomcat.server.LogPlan.LoggerPlan;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The loggers of one application, with levels and handlers of its own: their records go nowhere
/// else, as in Tomcat. Those that its file names are held; another one lasts as long as somebody
/// holds it. Thread-safe: guarded by this.
final class ApplicationLoggers {
    private final LogPlan plan;
    private final Map<String, Handler> files;
    private final Handler console;
    private final Logger root;
    private final TreeMap<String, Known> loggers = new TreeMap<>();
    private final ReferenceQueue<Logger> gone = new ReferenceQueue<>();

    /// Those that the file names.
    private final List<Logger> held = new ArrayList<>();

    /// A logger, should it still be there.
    private static final class Known extends WeakReference<Logger> {
        final String name;

        Known(Logger logger, ReferenceQueue<Logger> gone) {
            super(logger, gone);
            name = logger.getName();
        }
    }

    /// A logger that nobody has asked for yet.
    private static final class Named extends Logger {
        Named(String name) {
            super(name, null);
        }
    }

    /// @param stream what goes to the console is written there, and what no file takes
    ApplicationLoggers(LogPlan plan, ToStream stream) {
        this.plan = plan;
        console = stream.at(Level.parse(plan.consoleLevel()));
        files = Logging.handlers(plan, stream.at(Level.ALL));
        root = new Named("");
        root.setLevel(Level.INFO); // Unless the file says otherwise.
        configure(root);
        Set<String> named = new TreeSet<>(plan.levels().keySet());
        named.addAll(plan.loggers().keySet());
        named.remove("");
        for (String name : named) {
            Logger logger = new Named(name);
            held.add(logger);
            boolean _ = add(logger);
        }
    }

    /// The logger of a name; null = there is none.
    synchronized @Nullable Logger get(String name) {
        if (name.isEmpty()) {
            return root;
        }
        Known known = loggers.get(name);
        return known == null ? null : known.get();
    }

    /// @return false = there is one of that name
    synchronized boolean add(Logger logger) {
        forgetGone();
        String name = logger.getName();
        if (get(name) != null) {
            return false;
        }
        loggers.put(name, new Known(logger, gone));
        configure(logger);
        logger.setParent(above(name));
        for (Known below : loggers.subMap(name + ".", name + "/").values()) {
            Logger child = below.get();
            if (child != null && isAbove(child.getParent(), name)) {
                child.setParent(logger);
            }
        }
        return true;
    }

    private static boolean isAbove(@Nullable Logger parent, String name) {
        return parent == null || parent.getName().length() < name.length();
    }

    private Logger above(String name) {
        for (int dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
            Logger found = get(name.substring(0, dot));
            if (found != null) {
                return found;
            }
        }
        return root;
    }

    private void forgetGone() {
        for (Reference<?> one = gone.poll(); one != null; one = gone.poll()) {
            if (one instanceof Known known) {
                loggers.remove(known.name, known);
            }
        }
    }

    private void configure(Logger logger) {
        String level = plan.levels().get(logger.getName());
        if (level != null) {
            logger.setLevel(Level.parse(level));
        }
        LoggerPlan handlers = plan.loggers().get(logger.getName());
        if (handlers != null) {
            Logging.attach(logger, handlers, files, console);
        }
    }

    synchronized List<String> names() {
        forgetGone();
        List<String> names = new ArrayList<>(loggers.keySet());
        names.add("");
        return names;
    }

    /// Closes the files. What is logged later goes where the server's records go.
    synchronized void end(@Nullable Logger server) {
        List<Logger> all = new ArrayList<>(held);
        all.add(root);
        for (Logger one : all) {
            for (Handler handler : one.getHandlers()) {
                one.removeHandler(handler);
            }
            one.setUseParentHandlers(true);
        }
        files.values().forEach(Handler::close);
        if (server != null) {
            root.setParent(server);
        }
    }
}
