package io.margay.app.process;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;

/// Listens for signals of the operating system, where the JVM has the class `sun.misc.Signal`. It
/// is called by name, because it is no part of the platform's contract: without it the server runs,
/// but a signal does what the JVM does with it.
public final class Signals {
    private Signals() {}

    /// Runs `action`, on a thread of its own, whenever the signal arrives.
    ///
    /// @param name without `SIG`
    /// @return false when the JVM, its options or the system do not allow it
    public static boolean on(String name, Runnable action) {
        try {
            Class<?> signals = Class.forName("sun.misc.Signal");
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            Object handler =
                    Proxy.newProxyInstance(
                            Signals.class.getClassLoader(),
                            new Class<?>[] {handlers},
                            (proxy, method, arguments) ->
                                    switch (method.getName()) {
                                        case "handle" -> {
                                            action.run();
                                            yield null;
                                        }
                                        case "equals" -> false; // No two handlers are compared.
                                        case "hashCode" -> Objects.hashCode(name);
                                        default -> "handler of SIG" + name;
                                    });
            Object signal = signals.getConstructor(String.class).newInstance(name);
            signals.getMethod("handle", signals, handlers).invoke(null, signal, handler);
            return true;
        } catch (InvocationTargetException e) {
            return false; // No such signal here, or the JVM was started with -Xrs.
        } catch (ReflectiveOperationException e) {
            return false; // Another JVM.
        }
    }
}
