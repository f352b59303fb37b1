package io.margay.transport;

import io.margay.transport.blocking.BlockingTransport;
import io.margay.transport.nio.NioTransport;
import java.io.IOException;
import java.util.List;

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
            default ->
                    throw new IllegalArgumentException(
                            "no transport '" + name + "'; there are " + names());
        };
    }

    /// Makes the best transport of this machine.
    public static Choice best(TransportConfig config) throws IOException {
        return new Choice(new NioTransport(config), "nio");
    }
}
