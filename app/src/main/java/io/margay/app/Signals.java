package io.margay.app;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/// Listens for signals of the operating system by `sun.misc.Signal`, which is in the module
/// `jdk.unsupported`. Where a JVM has it not the server runs too, but a signal does what the JVM
/// does with it.
final class Signals {
    private Signals() {}

    /// Runs `action`, on a thread of its own, whenever the signal arrives.
    ///
    /// @param name without `SIG`
    /// @return false when the JVM, its options or the system do not allow it
    static boolean on(String name, Runnable action) {
        try {
            Signal.handle(new Signal(name), new Action(action));
            return true;
        } catch (IllegalArgumentException | LinkageError e) {
            return false; // No such signal here, the JVM was started with -Xrs, or another JVM.
        }
    }

    private record Action(Runnable action) implements SignalHandler {
        @Override
        public void handle(Signal signal) {
            action.run();
        }
    }
}
