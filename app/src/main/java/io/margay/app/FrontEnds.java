package io.margay.app;

import io.margay.app.config.HostSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.gateway.rules.ClientAddress;
import io.margay.server.forwarded.FrontEndTrust;
import io.margay.server.forwarded.Networks;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/// Who may hold connections for many clients: this machine, and those who are believed when they
/// tell of clients. Immutable.
record FrontEnds(Networks trusted) {
    /// Those that listeners, hosts and routes name.
    static FrontEnds of(MargayConfig config) {
        List<String> named = new ArrayList<>();
        for (ListenerSettings listener : config.listeners()) {
            FrontEndTrust trust = listener.address().forwarded();
            if (trust != null) {
                named.addAll(trust.from());
            }
        }
        for (HostSettings host : config.hosts()) {
            ClientAddress client = host.changes().client();
            if (client != null) {
                named.addAll(client.trusted());
                named.addAll(client.internal());
            }
            for (RouteSettings route : host.routes()) {
                if (route instanceof RouteSettings.Gateway gateway) {
                    named.addAll(gateway.trusted());
                }
            }
        }
        return new FrontEnds(Networks.of(named));
    }

    boolean includes(SocketAddress remote) {
        return trusted.includes(remote)
                || (remote instanceof InetSocketAddress inet
                        && inet.getAddress() != null
                        && inet.getAddress().isLoopbackAddress());
    }
}
