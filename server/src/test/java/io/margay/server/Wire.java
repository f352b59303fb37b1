package io.margay.server;

import java.util.List;
import java.util.stream.Stream;

/// How the bytes of a test travel: one transport, plain or TLS; and whether dispatched tasks are
/// run on the loop.
record Wire(String transport, boolean tls, boolean inline) {
    Wire(String transport, boolean tls) {
        this(transport, tls, false);
    }

    /// What the same tests run over.
    static Stream<Wire> all() {
        return transports().stream()
                .flatMap(name -> Stream.of(new Wire(name, false), new Wire(name, true)));
    }

    /// Those of the `inline` policy.
    static List<Wire> inlines() {
        return List.of(new Wire("nio", true, true), new Wire("native", false, true));
    }

    /// All of them.
    static Stream<Wire> withInlines() {
        return Stream.concat(all(), inlines().stream());
    }

    /// Names for a test that needs each transport only once.
    static List<String> transports() {
        return List.of("nio", "blocking", "native");
    }

    @Override
    public String toString() {
        return transport + (tls ? "+tls" : "") + (inline ? "+inline" : "");
    }
}
