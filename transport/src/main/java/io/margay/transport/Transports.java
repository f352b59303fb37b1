package io.margay.transport;

import io.margay.transport.blocking.BlockingTransport;
import io.margay.transport.nativeio.NativeTransport;
import io.margay.transport.nio.NioTransport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Makes transports by name. Immutable and stateless.
public final class Transports {
    /// A transport and why it was taken, for the start-up line.
    public record Choice(Transport transport, String reason) {}

    private Transports() {}

    /// The names that [#open] knows.
    public static List<String> names() {
        return List.of("blocking", "nio", "native");
    }

    /// Makes a transport.
    ///
    /// @throws IllegalArgumentException when there is none of that name, or this machine has it
    ///   not; the message says why and names the others
    public static Transport open(String name, TransportConfig config) throws IOException {
        return switch (name) {
            case "blocking" -> new BlockingTransport(config);
            case "nio" -> new NioTransport(config);
            case "native" -> openNative(config);
            default ->
                    throw new IllegalArgumentException(
                            "no transport '" + name + "'; there are " + names());
        };
    }

    private static Transport openNative(TransportConfig config) throws IOException {
        Optional<String> obstacle = NativeTransport.probe();
        if (obstacle.isPresent()) {
            throw new IllegalArgumentException(obstacle.get() + "; use nio or blocking");
        }
        return new NativeTransport(config);
    }

    /// Makes the best transport of this machine: native where it can be had, else nio.
    public static Choice best(TransportConfig config) throws IOException {
        Optional<String> obstacle = NativeTransport.probe();
        return obstacle.isPresent()
                ? new Choice(new NioTransport(config), "nio, as " + obstacle.get())
                : new Choice(new NativeTransport(config), "native, the fastest here");
    }
}
