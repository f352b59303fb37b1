package io.margay.gateway.mirror;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// How many copies of requests there are, and may be, and what compares their answers. Thread-safe.
public final class Copies {
    private final MirrorConfig config;
    private final AtomicInteger underWay = new AtomicInteger();
    private final LongAdder sent = new LongAdder();
    private final LongAdder leftOut = new LongAdder();
    private final @Nullable Shadow shadow;

    public Copies(MirrorConfig config) {
        this.config = config;
        CompareConfig compare = config.compare();
        shadow = compare == null ? null : ShadowProvider.first().open(compare);
    }

    /// For another service than the one that is found.
    ///
    /// @param shadow compares the answers
    public Copies(MirrorConfig config, Shadow shadow) {
        this.config = config;
        this.shadow = shadow;
    }

    /// What compares the answers; null = nothing.
    public @Nullable Shadow shadow() {
        return shadow;
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
        return true;
    }

    /// One of them is sent.
    void sent() {
        sent.increment();
    }

    void ended() {
        underWay.decrementAndGet();
    }

    /// How they do.
    public MirrorReading read() {
        return new MirrorReading(config.to(), underWay.get(), sent.sum(), leftOut.sum(), shadow);
    }
}
