package io.margay.telemetry.otel;

import io.margay.server.exchange.LogRate;
import io.margay.server.exchange.OutageLog;
import io.margay.server.meter.Meter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Counts what becomes of spans, log lines or readings that are to be sent, and lets no more wait
/// than may. Thread-safe; never waits.
final class Delivery {
    private static final System.Logger LOG = System.getLogger("io.margay.telemetry");
    private static final Duration TELL_INTERVAL = Duration.ofMinutes(1);

    private final String name;
    private final String words;
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder sent = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LogRate full = new LogRate(TELL_INTERVAL, System::nanoTime);
    private final OutageLog outage;

    /// @param name as in the names of metrics: `spans`
    /// @param words the same as lines of the log say it: `log lines`
    Delivery(String name, String words) {
        this.name = name;
        this.words = words;
        outage =
                new OutageLog(
                        LOG,
                        "the collector",
                        "does not take " + words + ", which are lost",
                        "takes " + words + " again",
                        System::nanoTime);
    }

    /// One more is to wait.
    ///
    /// @param most that may
    /// @return false when so many do: it is lost
    boolean enter(int most) {
        if (waiting.incrementAndGet() <= most) {
            return true;
        }
        waiting.decrementAndGet();
        lost.increment();
        if (full.isDue()) {
            LOG.log(
                    Level.WARNING,
                    "{0} are lost: {1} wait for the collector, which is too slow",
                    words,
                    String.valueOf(most));
        }
        return false;
    }

    /// Whether more than so many wait.
    boolean waits(int count) {
        return waiting.get() > count;
    }

    /// One that was to wait cannot be sent.
    void leave() {
        waiting.decrementAndGet();
        lost.increment();
    }

    /// Sends so many that have waited.
    CompletableResultCode follow(int count, Supplier<CompletableResultCode> exporting) {
        CompletableResultCode sending = begun(exporting);
        waiting.addAndGet(-count);
        return counted(count, sending);
    }

    /// The same of what has not waited.
    CompletableResultCode followUncounted(int count, Supplier<CompletableResultCode> exporting) {
        return counted(count, begun(exporting));
    }

    /// An exporter that throws has failed.
    private static CompletableResultCode begun(Supplier<CompletableResultCode> exporting) {
        try {
            return exporting.get();
        } catch (RuntimeException e) {
            return CompletableResultCode.ofExceptionalFailure(e);
        }
    }

    private CompletableResultCode counted(int count, CompletableResultCode sending) {
        return sending.whenComplete(() -> {
            if (sending.isSuccess()) {
                sent.add(count);
                outage.answered();
            } else {
                lost.add(count);
                outage.failed(reason(sending.getFailureThrowable()));
            }
        });
    }

    private static Throwable reason(@Nullable Throwable why) {
        return why == null ? new IOException("an answer other than 2xx") : why;
    }

    /// What has become of them, and how many wait.
    List<Meter> meters() {
        List<Meter> meters = new ArrayList<>(countsAlone());
        meters.add(
                Meter.gauge(
                        "margay_telemetry_" + name + "_waiting",
                        "How many " + words + " wait for being sent.",
                        waiting::get));
        return meters;
    }

    /// What has become of them.
    List<Meter> countsAlone() {
        return List.of(
                Meter.counter(
                        "margay_telemetry_" + name + "_sent",
                        "How many " + words + " a collector took.",
                        sent::sum),
                Meter.counter(
                        "margay_telemetry_" + name + "_lost",
                        "How many " + words + " none took: it was unreachable, or too slow.",
                        lost::sum));
    }
}
