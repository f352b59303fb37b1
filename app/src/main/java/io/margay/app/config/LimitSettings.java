package io.margay.app.config;

import io.margay.app.slow.SlowSettings;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.login.LoginLimits;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.MemoryLimits;
import io.margay.servlet.settings.ServletLimits;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/// The limits of all modules, each in its module's own record. Immutable.
///
/// @param http of messages and connections
/// @param servlet of the container
/// @param memory of what clients make the server hold; read at start
/// @param peers of what is exchanged with the peers of a gateway
/// @param login of clients that log in to hosts
/// @param slow of which requests it is found out why they took long
@RecordBuilder
public record LimitSettings(
        HttpLimits http,
        ServletLimits servlet,
        MemoryLimits memory,
        PeerLimits peers,
        LoginLimits login,
        SlowSettings slow) {
    /// Below what the servers behind a gateway grant, so that a client that pauses is answered
    /// here.
    private static final Duration GATEWAY_BODY_TIMEOUT = Duration.ofSeconds(15);

    /// Those of memory, peers and logins as they are by default.
    public LimitSettings(HttpLimits http, ServletLimits servlet) {
        this(
                http,
                servlet,
                MemoryLimits.defaults(),
                PeerLimits.defaults(),
                LoginLimits.defaults(),
                SlowSettings.NONE);
    }

    /// The same with the body timeout that a gateway has by default.
    public LimitSettings forGateway() {
        HttpLimits other =
                http.withTimeouts(
                        http.headTimeout(),
                        http.idleTimeout(),
                        GATEWAY_BODY_TIMEOUT,
                        http.writeTimeout());
        return LimitSettingsBuilder.builder(this).http(other).build();
    }

    /// Every module's defaults.
    public static LimitSettings defaults() {
        return new LimitSettings(HttpLimits.defaults(), ServletLimits.defaults());
    }
}
