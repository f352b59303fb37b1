package io.margay.gateway.canary;

import io.margay.gateway.balance.Outcome;
import io.margay.server.handover.TravellingState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A new version at work: which requests it gets now, and whether it is still trusted. One that was
/// taken back stays so, also in the process that follows, until its configuration is another.
/// Thread-safe; `lock` guards the stop rule and is held for a few multiplications.
public final class Canary implements TravellingState {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    /// Above the number of any step.
    private static final int TAKEN_BACK = 1_000_000;

    private final String of;
    private final CanaryConfig config;
    private final CanaryShare share;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable StopRule rule;
    private final Side old = new Side();
    private final Side fresh = new Side();
    private volatile long begunNanos;
    private volatile @Nullable String stopped;

    /// What one version has answered.
    private static final class Side {
        private final LongAdder answers = new LongAdder();
        private final LongAdder failures = new LongAdder();
    }

    /// @param of the upstream of the old version
    /// @param nanos a monotonic clock
    public Canary(String of, CanaryConfig config, LongSupplier nanos) {
        this.of = of;
        this.config = config;
        this.nanos = nanos;
        String secret = config.secret().isEmpty() ? of + " " + config.to() : config.secret();
        share = new CanaryShare(config.steps(), secret);
        CanaryConfig.Stop stop = config.stop();
        rule = stop == null ? null : new StopRule(stop);
        begunNanos = nanos.getAsLong();
    }

    /// As configured.
    public CanaryConfig config() {
        return config;
    }

    /// The part of the requests that the new version gets now, 0 to 1.
    public double share() {
        return stopped != null ? 0 : share.at(elapsed());
    }

    /// Whether it was taken back: then nobody gets it, whatever clients say.
    boolean isTakenBack() {
        return stopped != null;
    }

    /// Whether the new version gets the requests that have this in common.
    boolean takes(String common) {
        double now = share();
        return now == 1 || (now > 0 && share.place(common) < now);
    }

    /// A text that stands for a session in a cookie.
    byte[] token(String session) {
        return share.token(session);
    }

    private long elapsed() {
        return nanos.getAsLong() - begunNanos;
    }

    /// Counts an answer to a request of which the share has decided.
    ///
    /// @param ofNew whether the new version gave it
    /// @param micros how long it took; -1 = not known
    void answered(boolean ofNew, int status, long micros) {
        boolean hasFailed = Outcome.hasFailed(status);
        Side side = ofNew ? fresh : old;
        side.answers.increment();
        if (hasFailed) {
            side.failures.increment();
        }
        StopRule judge = rule;
        if (judge == null || stopped != null || micros < 0) {
            return;
        }
        String why;
        lock.lock();
        try {
            why = stopped == null ? judge.add(ofNew, hasFailed, micros) : null;
            if (why != null) {
                stopped = why;
            }
        } finally {
            lock.unlock();
        }
        if (why != null) {
            LOG.log(
                    Level.WARNING,
                    "canary {0} of {1} is taken back: {2} ({3} answers, {4} failed; of the others"
                            + " {5}, {6} failed)",
                    config.to(),
                    of,
                    why,
                    Long.toString(fresh.answers.sum()),
                    Long.toString(fresh.failures.sum()),
                    Long.toString(old.answers.sum()),
                    Long.toString(old.failures.sum()));
        }
    }

    /// How it does.
    public CanaryReading read() {
        return new CanaryReading(
                config.to(),
                share(),
                share.step(elapsed()),
                stopped,
                new CanaryReading.Answers(fresh.answers.sum(), fresh.failures.sum()),
                new CanaryReading.Answers(old.answers.sum(), old.failures.sum()));
    }

    /// Goes on with the step of another, and stays taken back if that was; by the same clock.
    void follow(Canary before) {
        begunNanos = before.begunNanos;
        stopped = before.stopped;
        old.answers.add(before.old.answers.sum());
        old.failures.add(before.old.failures.sum());
        fresh.answers.add(before.fresh.answers.sum());
        fresh.failures.add(before.fresh.failures.sum());
    }

    // For the process that goes on with it

    @Override
    public String name() {
        return "canary " + of + " " + Integer.toHexString(said().hashCode());
    }

    /// What makes it another canary when it is another; a text, whose hash is the same in all
    /// processes.
    private String said() {
        return config.to()
                + config.steps()
                + config.sticky()
                + config.header()
                + config.cookie()
                + config.networks()
                + config.stop();
    }

    @Override
    public long revision() {
        return 1L + (stopped != null ? TAKEN_BACK : share.step(elapsed()));
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeLong(elapsed());
        String why = stopped;
        out.writeUTF(why == null ? "" : why);
        for (Side side : new Side[] {old, fresh}) {
            out.writeLong(side.answers.sum());
            out.writeLong(side.failures.sum());
        }
        lock.lock();
        try {
            if (rule != null) {
                rule.write(out);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void read(DataInput in, Duration since) throws IOException {
        long before = in.readLong() + since.toNanos();
        String why = in.readUTF();
        boolean first = old.answers.sum() + fresh.answers.sum() == 0;
        for (Side side : new Side[] {old, fresh}) {
            long answers = in.readLong();
            long failures = in.readLong();
            if (first) {
                side.answers.add(answers);
                side.failures.add(failures);
            }
        }
        if (before > elapsed()) {
            begunNanos = nanos.getAsLong() - before;
        }
        lock.lock();
        try {
            if (!why.isEmpty() && stopped == null) {
                stopped = why;
            }
            if (rule != null && first) {
                rule.read(in);
            }
        } finally {
            lock.unlock();
        }
    }
}
