package io.margay.transport;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/// How a transport works, apart from its listeners. Immutable.
///
/// @param loops event loops of the nio and native transports, 1 to 1024; one per processor is best
/// @param tlsThreads threads for the expensive steps of TLS handshakes on the non-blocking
///   transports, 1 to 256
/// @param tlsQueue handshake steps that may wait for such a thread; further handshakes are refused
/// @param certificateCheck how often certificate files are looked at for changes
/// @param onFatal what is done when a thread dies that connections cannot do without
@RecordBuilder
public record TransportConfig(
        int loops, int tlsThreads, int tlsQueue, Duration certificateCheck, FatalHandler onFatal)
        implements TransportConfigBuilder.With {
    public TransportConfig {
        if (loops < 1 || loops > 1024) {
            throw new IllegalArgumentException("loops must be 1 to 1024: " + loops);
        }
        if (tlsThreads < 1 || tlsThreads > 256) {
            throw new IllegalArgumentException("tlsThreads must be 1 to 256: " + tlsThreads);
        }
        if (tlsQueue < 1) {
            throw new IllegalArgumentException("tlsQueue must be at least 1: " + tlsQueue);
        }
        if (certificateCheck.isNegative() || certificateCheck.isZero()) {
            throw new IllegalArgumentException("certificateCheck must be positive");
        }
    }

    /// A loop and a handshake thread per processor, 10 000 waiting handshakes, files looked at
    /// every 2 s; the process goes on when a thread dies.
    public static TransportConfig defaults() {
        int processors = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 1024);
        return new TransportConfig(
                processors, Math.min(processors, 256), 10_000, Duration.ofSeconds(2), _ -> {});
    }
}
