package io.margay.benchmarks;

import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1RequestDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What it costs to decode one request head that arrives whole.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RequestDecoding {
    /// What a load generator sends.
    private static final byte[] SHORT =
            bytes(
                    """
                    GET /heartbeat HTTP/1.1
                    Host: 127.0.0.1:8080
                    Connection: Keep-Alive

                    """);

    /// What a browser sends.
    private static final byte[] BROWSER =
            bytes(
                    """
                    GET /shop/list?page=2&order=name HTTP/1.1
                    Host: shop.example:8080
                    User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 \
                    Firefox/140.0
                    Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
                    Accept-Language: en-GB,en;q=0.5
                    Accept-Encoding: gzip, deflate, br
                    Connection: keep-alive
                    Cookie: JSESSIONID=5A2C9E0B7D3F41868A9B0C1D2E3F4A5B
                    Upgrade-Insecure-Requests: 1

                    """);

    private final Http1RequestDecoder decoder =
            new Http1RequestDecoder(Http1Limits.defaults(), false);

    private static byte[] bytes(String text) {
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    /// The load generator's request, about 80 bytes.
    @Benchmark
    public RequestHead shortRequest() {
        return decode(SHORT);
    }

    /// The browser's request, about 400 bytes.
    @Benchmark
    public RequestHead browserRequest() {
        return decode(BROWSER);
    }

    /// The browser's request and the four fields that a container reads of each.
    @Benchmark
    public int browserRequestAndLookups() {
        RequestHead head = decode(BROWSER);
        int found = 0;
        found += head.fields().contains("cookie") ? 1 : 0;
        found += head.fields().contains("upgrade") ? 1 : 0;
        found += head.fields().contains("content-type") ? 1 : 0;
        found += head.fields().contains("range") ? 1 : 0;
        return found;
    }

    private RequestHead decode(byte[] request) {
        decoder.reset();
        if (decoder.decode(request, 0, request.length) != Http1RequestDecoder.Result.HEAD) {
            throw new IllegalStateException(decoder.error().text());
        }
        return decoder.head();
    }
}
