package io.margay.app.deploy;

import io.margay.app.shared.SharedState;
import io.margay.gateway.login.OpenIdLogins;
import io.margay.gateway.login.OpenIdProvider;
import io.margay.gateway.status.ServerInfo;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.sight.Sight;
import java.util.function.Supplier;

/// What every site of a server is built with, whatever its configuration. Immutable.
///
/// @param inForce the site that is active when an application asks for another one
/// @param server what status pages tell of the server
/// @param memory what clients may make the server hold
/// @param openId logs users in at providers; they stay logged in when another site is active
/// @param lockOuts wrong passwords, which go on counting, too
/// @param shared what the server shares with others
/// @param sight what it remembers of its requests
public record SiteContext(
        Supplier<? extends ServedApps> inForce,
        ServerInfo server,
        MemoryBudget memory,
        OpenIdLogins openId,
        LockOuts lockOuts,
        SharedState shared,
        Sight sight) {
    public SiteContext(
            Supplier<? extends ServedApps> inForce,
            ServerInfo server,
            MemoryBudget memory,
            SharedState shared,
            Sight sight) {
        this(inForce, server, memory, OpenIdProvider.first(), new LockOuts(), shared, sight);
    }
}
