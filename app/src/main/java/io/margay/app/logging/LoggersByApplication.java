package io.margay.app.logging;

import io.margay.compat.tomcat.server.LogPlan;
import java.lang.StackWalker.StackFrame;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Has the JDK's loggers, and beside them some of their own for applications that say how theirs
/// write: two applications may then have a logger of the same name. Which of them a thread gets is
/// told by its context class loader, as in Tomcat; classes of the server and of the JDK have those
/// of the server. Made by the JDK. Thread-safe.
public final class LoggersByApplication extends LogManager {
    /// Begins of names of classes between those who log and this one.
    private static final List<String> BETWEEN =
            List.of(
                    "java.lang.System",
                    "java.util.logging.",
                    "jdk.internal.logger.",
                    "org.apache.juli.",
                    "sun.util.logging.",
                    LoggersByApplication.class.getName());

    /// The loggers for what applications log by their contexts.
    private static final String OF_CONTEXTS = "margay.app.";

    private static final StackWalker STACK =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private final Map<ClassLoader, ApplicationLoggers> applications = new ConcurrentHashMap<>();
    private volatile @Nullable ToStream console;

    /// Called by the JDK.
    public LoggersByApplication() {}

    /// Has what applications write to the console written as the server writes.
    void console(ToStream handler) {
        console = handler;
    }

    /// Gives the application of a class loader loggers of its own, until the result is closed; none
    /// before [#console].
    AutoCloseable open(ClassLoader loader, LogPlan plan) {
        ToStream stream = console;
        if (stream == null) {
            return () -> {};
        }
        ApplicationLoggers made = new ApplicationLoggers(plan, stream);
        applications.put(loader, made);
        return () -> {
            applications.remove(loader);
            made.end(super.getLogger(""));
        };
    }

    @Override
    public @Nullable Logger getLogger(String name) {
        ApplicationLoggers own = of(name);
        return own == null ? super.getLogger(name) : own.get(name);
    }

    @Override
    public boolean addLogger(Logger logger) {
        ApplicationLoggers own = of(logger.getName());
        return own == null ? super.addLogger(logger) : own.add(logger);
    }

    @Override
    public Enumeration<String> getLoggerNames() {
        ApplicationLoggers own = of("");
        return own == null ? super.getLoggerNames() : Collections.enumeration(own.names());
    }

    /// Those of the application that asks for a logger; null = those of the server.
    private @Nullable ApplicationLoggers of(@Nullable String name) {
        if (applications.isEmpty() || name == null) {
            return null;
        }
        ApplicationLoggers found = null;
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        while (found == null && loader != null) {
            found = applications.get(loader);
            loader = loader.getParent();
        }
        return found != null && (name.startsWith(OF_CONTEXTS) || !isServerAsking()) ? found : null;
    }

    private static boolean isServerAsking() {
        Class<?> caller =
                STACK.walk(frames ->
                        frames.<Class<?>>map(StackFrame::getDeclaringClass)
                                .filter(type ->
                                        BETWEEN.stream().noneMatch(type.getName()::startsWith))
                                .findFirst()
                                .orElse(Object.class));
        ClassLoader loader = caller.getClassLoader();
        return loader == null
                || loader.equals(ClassLoader.getPlatformClassLoader())
                || loader.equals(LoggersByApplication.class.getClassLoader());
    }
}
