package io.margay.benchmarks;

import io.margay.protocol.http1.Http1BodyDecoder;
import io.margay.protocol.http1.Http1Limits;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Three ways for a decoder to tell what it found, over the same decoder: accessors, a record per
/// event, and a callback. The body has 64 chunks of 32 bytes, so that events dominate. The consumer
/// is not inlined, as one in another layer would not be.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ResultStyle {
    private static final int CHUNKS = 64;
    private static final int CHUNK_BYTES = 32;
    private static final Http1Limits LIMITS = Http1Limits.defaults();

    /// An event as a value.
    sealed interface Event {
        record Data(int from, int to) implements Event {}

        record End() implements Event {}
    }

    /// An event as a call.
    interface Sink {
        void data(byte[] buffer, int from, int to);

        void end();
    }

    private final byte[] body = chunks();
    private int sum;

    private final Sink sink =
            new Sink() {
                @Override
                @CompilerControl(CompilerControl.Mode.DONT_INLINE)
                public void data(byte[] buffer, int from, int to) {
                    sum += buffer[from] + to;
                }

                @Override
                @CompilerControl(CompilerControl.Mode.DONT_INLINE)
                public void end() {
                    sum++;
                }
            };

    private static byte[] chunks() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < CHUNKS; i++) {
            String chunk = Integer.toHexString(CHUNK_BYTES) + "\r\n" + "x".repeat(CHUNK_BYTES);
            bytes.writeBytes((chunk + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }
        bytes.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        return bytes.toByteArray();
    }

    /// Results by enum and accessor, as the codecs have it.
    @Benchmark
    public int accessors() {
        Http1BodyDecoder decoder = Http1BodyDecoder.chunked(LIMITS);
        int p = 0;
        while (decoder.decode(body, p, body.length) == Http1BodyDecoder.Result.DATA) {
            take(body, decoder.dataFrom(), decoder.dataTo());
            p = decoder.consumed();
        }
        return sum;
    }

    /// A record for each event.
    @Benchmark
    public int records() {
        Http1BodyDecoder decoder = Http1BodyDecoder.chunked(LIMITS);
        while (true) {
            switch (next(decoder)) {
                case Event.Data data -> take(body, data.from(), data.to());
                case Event.End _ -> {
                    return sum;
                }
            }
        }
    }

    /// A call for each event.
    @Benchmark
    public int callbacks() {
        push(Http1BodyDecoder.chunked(LIMITS), sink);
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private void take(byte[] buffer, int from, int to) {
        sum += buffer[from] + to;
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private Event next(Http1BodyDecoder decoder) {
        return decoder.decode(body, decoder.consumed(), body.length) == Http1BodyDecoder.Result.DATA
                ? new Event.Data(decoder.dataFrom(), decoder.dataTo())
                : new Event.End();
    }

    private void push(Http1BodyDecoder decoder, Sink to) {
        int p = 0;
        while (decoder.decode(body, p, body.length) == Http1BodyDecoder.Result.DATA) {
            to.data(body, decoder.dataFrom(), decoder.dataTo());
            p = decoder.consumed();
        }
        to.end();
    }
}
