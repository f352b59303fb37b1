package io.margay.benchmarks;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Selection;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.server.config.RequestProtocol;
import io.margay.server.config.ServerStats;
import io.margay.server.connection.ExchangeNumbers;
import io.margay.server.meter.InFlight;
import io.margay.transport.BufferPool;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What each request writes that other threads write, too. With `-t 1` each is alone, with `-t 2`
/// two threads do it at the same time: what then takes longer has one memory place for all, and
/// takes longer yet where there are more processors. [#counter] is one counter for all, beside
/// which the others are seen.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class SharedWrites {
    private static final long TOOK_NANOS = 40_000;
    private static final int BYTES = 300;

    private final AtomicLong counter = new AtomicLong();
    private final ExchangeNumbers numbers =
            new ExchangeNumbers(Runtime.getRuntime().availableProcessors());
    private final ServerStats stats = new ServerStats();
    private final InFlight requests = new InFlight();
    private final BufferPool<byte[]> buffers = new BufferPool<>(256, () -> new byte[BYTES]);
    private final Upstream upstream =
            new Upstream(
                    UpstreamConfig.of(
                            "one",
                            List.of(
                                    PeerConfig.of(
                                            "one",
                                            PeerAddress.of(PeerScheme.HTTP, "127.0.0.1", 1)))));

    @Benchmark
    public long counter() {
        return counter.incrementAndGet();
    }

    @Benchmark
    public long numberOfARequest() {
        return numbers.next();
    }

    @Benchmark
    public void countersOfTheServer() {
        stats.requestStarted(RequestProtocol.HTTP_1_1);
        stats.requestEnded(200, false, BYTES, BYTES, TOOK_NANOS);
    }

    @Benchmark
    public void countersOfAnApplication() {
        requests.begin();
        requests.end();
    }

    @Benchmark
    public byte[] buffer() {
        byte[] buffer = buffers.take();
        buffers.give(buffer);
        return buffer;
    }

    @Benchmark
    public Selection.@Nullable Choice choiceOfAMember() {
        Selection.Choice choice = upstream.choose(Selection.FIRST);
        if (choice != null) {
            choice.peer().begin();
            choice.peer().end(Outcome.OK, BYTES, BYTES);
        }
        return choice;
    }
}
