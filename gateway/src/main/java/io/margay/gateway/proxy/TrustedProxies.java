package io.margay.gateway.proxy;

import io.margay.server.forwarded.Networks;
import java.net.SocketAddress;
import java.util.List;

/// Whose `X-Forwarded-*` and `Forwarded` fields are believed: networks of other front ends.
/// Immutable; nobody unless listed.
public final class TrustedProxies {
    /// Nobody is believed.
    public static final TrustedProxies NONE = new TrustedProxies(Networks.of(List.of()));

    private final Networks networks;

    private TrustedProxies(Networks networks) {
        this.networks = networks;
    }

    /// Reads addresses and networks such as `10.0.0.0/8` and `::1`.
    ///
    /// @throws IllegalArgumentException for what is neither
    public static TrustedProxies of(List<String> texts) {
        return texts.isEmpty() ? NONE : new TrustedProxies(Networks.of(texts));
    }

    /// Whether what comes from that address is believed.
    public boolean includes(SocketAddress remote) {
        return networks.includes(remote);
    }
}
