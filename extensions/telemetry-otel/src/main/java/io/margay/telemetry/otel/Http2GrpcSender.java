package io.margay.telemetry.otel;

import io.margay.protocol.http.FieldList;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Calls one method of a collector by gRPC, each call on a virtual thread of its own, one at a
/// time, on a connection that is kept. What fails for a reason that may pass is sent again, as the
/// SDK's policy says, until the time of the call is over. Thread-safe.
final class Http2GrpcSender implements GrpcSender {
    /// By OTLP's specification of failures.
    private static final Set<GrpcStatusCode> PASSING =
            Set.of(
                    GrpcStatusCode.CANCELLED,
                    GrpcStatusCode.DEADLINE_EXCEEDED,
                    GrpcStatusCode.RESOURCE_EXHAUSTED,
                    GrpcStatusCode.ABORTED,
                    GrpcStatusCode.OUT_OF_RANGE,
                    GrpcStatusCode.UNAVAILABLE,
                    GrpcStatusCode.DATA_LOSS);

    private final GrpcSenderConfig config;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean closed;

    /// Guarded by the lock, but for its closing.
    private volatile @Nullable GrpcConnection kept;

    Http2GrpcSender(GrpcSenderConfig config) {
        this.config = config;
    }

    @Override
    public void send(
            MessageWriter message, Consumer<GrpcResponse> answered, Consumer<Throwable> failed) {
        byte[] bytes;
        try {
            bytes = framed(message);
        } catch (IOException e) {
            failed.accept(e);
            return;
        }
        CollectorCalls.start(() -> sent(bytes), answered, failed);
    }

    /// A message behind its length, as gRPC has it.
    private byte[] framed(MessageWriter message) throws IOException {
        Compressor compressor = config.getCompressor();
        ByteArrayOutputStream content = new ByteArrayOutputStream(message.getContentLength() + 5);
        content.write(compressor == null ? 0 : 1);
        content.writeBytes(new byte[4]);
        CollectorCalls.write(message, compressor, content);
        byte[] bytes = content.toByteArray();
        int length = bytes.length - 5;
        for (int i = 4; i > 0; i--) {
            bytes[i] = (byte) length;
            length >>>= 8;
        }
        return bytes;
    }

    private GrpcResponse sent(byte[] message) throws IOException, InterruptedException {
        long end = CollectorCalls.endNanos(config.getTimeout());
        lock.lockInterruptibly();
        try {
            return CollectorCalls.made(
                    new Sending(message), end, config.getRetryPolicy(), () -> closed);
        } finally {
            lock.unlock();
        }
    }

    private final class Sending implements CollectorCalls.Call<GrpcResponse> {
        private final byte[] message;

        Sending(byte[] message) {
            this.message = message;
        }

        @Override
        public GrpcResponse make(long nanos) throws IOException {
            return call(message, nanos);
        }

        @Override
        public @Nullable String passing(GrpcResponse response) {
            GrpcStatusCode code = response.getStatusCode();
            return PASSING.contains(code) ? code.toString() : null;
        }
    }

    /// One call; a connection that was kept and has ended meanwhile is replaced.
    private GrpcResponse call(byte[] message, long nanos) throws IOException {
        GrpcConnection known = kept;
        kept = null;
        if (known != null) {
            try {
                return called(known, message, nanos);
            } catch (GrpcConnection.UnansweredException e) {
                // It has ended since the last call.
            }
        }
        return called(GrpcConnection.open(config, nanos), message, nanos);
    }

    private GrpcResponse called(GrpcConnection on, byte[] message, long nanos) throws IOException {
        boolean good = false;
        try {
            GrpcResponse response = on.call(head(nanos), message, nanos);
            good = on.isOpen();
            return response;
        } finally {
            if (good) {
                kept = on;
            }
            if (!good || closed) {
                on.close();
            }
        }
    }

    private FieldList head(long nanos) {
        boolean secure = "https".equals(config.getEndpoint().getScheme());
        FieldList head =
                new FieldList()
                        .add(":method", "POST")
                        .add(":scheme", secure ? "https" : "http")
                        .add(":authority", authority())
                        .add(":path", "/" + config.getFullMethodName())
                        .add("te", "trailers")
                        .add("content-type", "application/grpc")
                        .add("grpc-timeout", Duration.ofNanos(nanos).toMillis() + 1 + "m");
        Compressor compressor = config.getCompressor();
        if (compressor != null) {
            head.add("grpc-encoding", compressor.getEncoding());
        }
        Map<String, List<String>> further = config.getHeadersSupplier().get();
        if (further != null) {
            further.forEach((name, values) ->
                    values.forEach(value -> head.add(name.toLowerCase(Locale.ROOT), value)));
        }
        return head;
    }

    private String authority() {
        String authority = config.getEndpoint().getAuthority();
        return authority.substring(authority.indexOf('@') + 1);
    }

    @Override
    public CompletableResultCode shutdown() {
        closed = true;
        GrpcConnection known = kept;
        if (known != null) {
            known.close();
        }
        return CompletableResultCode.ofSuccess();
    }
}
