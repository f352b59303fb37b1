package io.margay.server;

import java.util.List;
import java.util.stream.Stream;

/// How the bytes of a test travel: one transport, plain or TLS.
record Wire(String transport, boolean tls) {
    /// What the same tests run over.
    static Stream<Wire> all() {
        return transports().stream()
                .flatMap(name -> Stream.of(new Wire(name, false), new Wire(name, true)));
    }

    /// Names for a test that needs each transport only once.
    static List<String> transports() {
        return List.of("nio", "blocking", "native");
    }

    @Override
    public String toString() {
        return transport + (tls ? "+tls" : "");
    }
}
