package io.margay.transport.blocking;

import static org.junit.jupiter.api.Assertions.assertSame;

import io.margay.transport.loop.DeadlineWheel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReaperTest {
    @Test
    void deadline_thatFails_isTold() throws Exception {
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        Reaper reaper = new Reaper(told::complete);
        reaper.start();
        OutOfMemoryError failure = new OutOfMemoryError("as if there were none");
        DeadlineWheel.Entry entry =
                new DeadlineWheel.Entry(() -> {
                    throw failure;
                });
        entry.move(System.nanoTime());
        reaper.schedule(entry);
        assertSame(failure, told.get(20, TimeUnit.SECONDS));
        reaper.stop();
    }
}
