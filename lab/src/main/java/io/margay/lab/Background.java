package io.margay.lab;

import io.margay.lab.generator.GeneratorProcess;
import io.margay.lab.load.LoadJob;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Load that goes on beside what is measured, until it is closed; it ends by itself soon after.
/// Made and closed by the lab's thread; a thread of its own speaks to the generator.
final class Background implements AutoCloseable {
    /// No load at all.
    static final Background NONE = new Background(null, new AtomicReference<>());

    private static final long BEGIN_SECONDS_MAX = 30;

    private final @Nullable Thread thread;
    private final AtomicReference<String> failure;

    private Background(@Nullable Thread thread, AtomicReference<String> failure) {
        this.thread = thread;
        this.failure = failure;
    }

    /// Starts it, and returns when its first request is about to be sent.
    static Background of(GeneratorProcess generator, LoadJob job) throws IOException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<String> failure = new AtomicReference<>();
        Thread thread =
                Thread.ofPlatform()
                        .name("margay-lab-beside")
                        .daemon()
                        .start(() -> {
                            try {
                                generator.load(job, begun::countDown, _ -> {}, () -> {});
                            } catch (IOException e) {
                                failure.set(String.valueOf(e.getMessage()));
                            } finally {
                                begun.countDown();
                            }
                        });
        try {
            if (!begun.await(BEGIN_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IOException("the load beside did not begin");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return new Background(thread, failure);
    }

    /// Waits for its end.
    ///
    /// @throws IOException if it failed
    @Override
    public void close() throws IOException {
        if (thread == null) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String failed = failure.get();
        if (failed != null) {
            throw new IOException("the load beside failed: " + failed);
        }
    }
}
