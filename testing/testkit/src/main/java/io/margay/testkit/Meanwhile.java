package io.margay.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;

/// Does what a client does while the test's own thread does something else.
public final class Meanwhile {
    private Meanwhile() {}

    /// What is done, on a connection of its own or in one direction of a shared one.
    @FunctionalInterface
    public interface Action {
        void run() throws IOException;
    }

    /// Begins it on another thread.
    ///
    /// @return ends when the action does, and with its failure
    public static CompletableFuture<Void> run(Action action) {
        return CompletableFuture.runAsync(() -> {
            try {
                action.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
