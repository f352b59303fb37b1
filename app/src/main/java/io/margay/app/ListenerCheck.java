package io.margay.app;

import io.margay.app.config.ListenerSettings;
import io.margay.app.config.TransportChoice;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// Whether listeners could speak TLS as they are told to: keys that belong to their certificates,
/// suites that there are. It is tried, at a free port of this machine. Stateless.
public final class ListenerCheck {
    private ListenerCheck() {}

    /// What is wrong, a line each.
    public static List<String> of(List<ListenerSettings> listeners) {
        List<String> wrong = new ArrayList<>();
        for (ListenerSettings settings : listeners) {
            TlsConfig tls = settings.tls();
            if (tls != null) {
                try {
                    open(settings, tls);
                } catch (IOException | IllegalArgumentException | TlsSetupException e) {
                    wrong.add("the listener https " + settings.endpoint() + ": " + e.getMessage());
                }
            }
        }
        return wrong;
    }

    private static void open(ListenerSettings settings, TlsConfig tls) throws IOException {
        TransportConfig config = TransportConfig.defaults().withLoops(1);
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Transport transport =
                settings.transport() == TransportChoice.AUTO
                        ? Transports.best(config).transport()
                        : Transports.open(settings.transport().word(), config)) {
            transport
                    .listen(
                            ListenerConfig.of(free).withTls(tls),
                            _ -> {
                                throw new IllegalStateException("nobody is served here");
                            })
                    .close();
        }
    }
}
