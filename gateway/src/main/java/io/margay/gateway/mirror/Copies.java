package io.margay.gateway.mirror;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// How many copies of requests there are, and may be. Thread-safe.
public final class Copies {
    private final MirrorConfig config;
    private final AtomicInteger underWay = new AtomicInteger();
    private final LongAdder sent = new LongAdder();
    private final LongAdder leftOut = new LongAdder();

    public Copies(MirrorConfig config) {
        this.config = config;
    }

    MirrorConfig config() {
        return config;
    }

    /// Whether there may be one more, which is counted until it has [#ended].
    boolean begin() {
        if (underWay.incrementAndGet() > config.concurrency()) {
            underWay.decrementAndGet();
            leftOut.increment();
            return false;
        }
        sent.increment();
        return true;
    }

    void ended() {
        underWay.decrementAndGet();
    }

    /// How they do.
    public MirrorReading read() {
        return new MirrorReading(config.to(), underWay.get(), sent.sum(), leftOut.sum());
    }
}
