package io.margay.telemetry.otel;

import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What calls of a collector have in common, whatever they speak: each has a thread of its own, and
/// is made again where it fails for a reason that may pass, as the SDK's policy says, until its
/// time is over. Stateless.
final class CollectorCalls {
    /// How long a call takes at most, also where the SDK has no limit.
    private static final Duration CALL_MAX = Duration.ofMinutes(1);

    private CollectorCalls() {}

    /// What is made again.
    interface Call<R> {
        /// @param nanos within which
        R make(long nanos) throws IOException, InterruptedException;

        /// What is said of a response that may be another one the next time, or null.
        @Nullable String passing(R response);

        /// Whether the same call may succeed the next time.
        default boolean mayPass(IOException why) {
            return true;
        }

        /// How long a response has the next call wait; 0 = it says nothing.
        default Duration pause(R response) {
            return Duration.ZERO;
        }
    }

    /// When a call that begins now is over, as [System#nanoTime].
    ///
    /// @param timeout 0 = the SDK has no limit
    static long endNanos(Duration timeout) {
        boolean limited = timeout.isPositive() && timeout.compareTo(CALL_MAX) < 0;
        return System.nanoTime() + (limited ? timeout : CALL_MAX).toNanos();
    }

    /// What a call comes to, with what it waits for.
    @FunctionalInterface
    interface Work<R> {
        R done() throws IOException, InterruptedException;
    }

    /// Makes a call on a virtual thread of its own, which tells what it came to.
    static <R> void start(Work<R> call, Consumer<? super R> answered, Consumer<Throwable> failed) {
        Thread.ofVirtual()
                .name("margay-otlp")
                .start(() -> {
                    R response;
                    try {
                        response = call.done();
                    } catch (IOException | RuntimeException e) {
                        failed.accept(e);
                        return;
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        failed.accept(e);
                        return;
                    }
                    answered.accept(response);
                });
    }

    /// Writes what is sent, compressed where the SDK says so.
    static void write(
            MessageWriter message, @Nullable Compressor compressor, ByteArrayOutputStream content)
            throws IOException {
        if (compressor == null) {
            message.writeMessage(content);
            return;
        }
        try (OutputStream compressed = compressor.compress(content)) {
            message.writeMessage(compressed);
        }
    }

    static <R> R made(
            Call<R> call, long endNanos, @Nullable RetryPolicy policy, BooleanSupplier closed)
            throws IOException, InterruptedException {
        int most = policy == null ? 1 : policy.getMaxAttempts();
        long pause = policy == null ? 0 : policy.getInitialBackoff().toNanos();
        for (int attempt = 1; ; attempt++) {
            long left = endNanos - System.nanoTime();
            boolean last = attempt >= most || closed.getAsBoolean() || left <= 0;
            IOException why;
            long wait = ThreadLocalRandom.current().nextLong(pause + 1);
            try {
                R response = call.make(Math.max(1, left));
                String passing = last ? null : call.passing(response);
                if (passing == null) {
                    return response;
                }
                why = new IOException(passing);
                wait = Math.max(wait, call.pause(response).toNanos());
            } catch (IOException e) {
                if (last || !call.mayPass(e)) {
                    throw e;
                }
                why = e;
            }
            if (policy == null || wait >= endNanos - System.nanoTime()) {
                throw why;
            }
            Thread.sleep(Duration.ofNanos(wait));
            pause =
                    Math.min(
                            (long) (pause * policy.getBackoffMultiplier()),
                            policy.getMaxBackoff().toNanos());
        }
    }
}
