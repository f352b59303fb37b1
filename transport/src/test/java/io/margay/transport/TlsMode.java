package io.margay.transport;

import io.margay.transport.factory.Transports;
import java.util.Locale;
import java.util.stream.Stream;

/// A transport and whose TLS it uses.
record TlsMode(String transport, TlsConfig.Provider provider) {
    @Override
    public String toString() {
        return transport + "-" + provider.name().toLowerCase(Locale.ROOT);
    }

    /// Every transport with the TLS of each provider.
    static Stream<TlsMode> all() {
        return Transports.names().stream()
                .flatMap(name ->
                        Stream.of(
                                new TlsMode(name, TlsConfig.Provider.JSSE),
                                new TlsMode(name, TlsConfig.Provider.OPENSSL)));
    }
}
