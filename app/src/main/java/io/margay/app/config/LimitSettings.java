package io.margay.app.config;

import io.margay.gateway.peer.PeerLimits;
import io.margay.server.HttpLimits;
import io.margay.servlet.settings.ServletLimits;
import java.util.Objects;

/// The limits of all modules, each in its module's own record. Immutable.
///
/// @param http of messages and connections
/// @param servlet of the container
/// @param peers of what is exchanged with the peers of a gateway
public record LimitSettings(HttpLimits http, ServletLimits servlet, PeerLimits peers) {
    public LimitSettings {
        Objects.requireNonNull(http, "http");
        Objects.requireNonNull(servlet, "servlet");
        Objects.requireNonNull(peers, "peers");
    }

    /// Those of peers as they are by default.
    public LimitSettings(HttpLimits http, ServletLimits servlet) {
        this(http, servlet, PeerLimits.defaults());
    }

    /// Every module's defaults.
    public static LimitSettings defaults() {
        return new LimitSettings(HttpLimits.defaults(), ServletLimits.defaults());
    }
}
