package io.margay.gateway.mirror;

import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// One request that two servers answer, from the client's response to the end of comparing. Answers
/// come from any thread; what takes long is done by a thread of its own.
///
/// ```
/// FRESH AWAITED --> COMPARED --> over
///                       \--> REPEATED --> over
///                                \--> a second later: REPEATED --> over
/// ```
final class Comparison {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final int IDLE_SECONDS = 10;

    /// After which a clock that is shown has gone on.
    private static final int LATER_SECONDS = 1;

    private static final AtomicBoolean TOLD = new AtomicBoolean();

    /// One thread for all, which ends when it is not needed: as many pairs wait for it as copies
    /// may be under way.
    private static final ScheduledThreadPoolExecutor COMPARING =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("margay-shadow").factory());

    static {
        COMPARING.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        COMPARING.allowCoreThreadTimeOut(true);
    }

    private final Shadow.Pairing pairing;
    private final SeenAnswer old;
    private final Runnable ended;
    private final Consumer<Consumer<SeenAnswer>> repeat;

    /// @param old what the client has got
    /// @param ended run once, when nothing more comes
    /// @param repeat asks the old server once more
    Comparison(
            Shadow.Pairing pairing,
            SeenAnswer old,
            Runnable ended,
            Consumer<Consumer<SeenAnswer>> repeat) {
        this.pairing = pairing;
        this.old = old;
        this.ended = ended;
        this.repeat = repeat;
    }

    /// The copy's answer has ended.
    void fresh(SeenAnswer answer) {
        later(
                () -> {
                    if (pairing.compare(old, answer)) {
                        repeat.accept(this::repeated);
                    } else {
                        ended.run();
                    }
                },
                () -> pairing.answered(old, answer));
    }

    private void repeated(SeenAnswer repeated) {
        later(
                () -> {
                    if (pairing.again(old, repeated)) {
                        var _ =
                                COMPARING.schedule(
                                        () -> guarded(() -> repeat.accept(this::repeated)),
                                        LATER_SECONDS,
                                        TimeUnit.SECONDS);
                    } else {
                        ended.run();
                    }
                },
                () -> {});
    }

    /// Whatever fails here, the client has not felt it, and the count of copies is right.
    private void later(Runnable task, Runnable now) {
        try {
            now.run();
            COMPARING.execute(() -> guarded(task));
        } catch (RejectedExecutionException e) {
            ended.run();
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /// A server could have it said for each request, so it is said once.
    private void failed(Throwable e) {
        Level level = TOLD.compareAndSet(false, true) ? Level.WARNING : Level.DEBUG;
        LOG.log(level, "two answers could not be compared", e);
        ended.run();
    }
}
