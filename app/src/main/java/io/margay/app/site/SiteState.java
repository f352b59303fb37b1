package io.margay.app.site;

import io.margay.server.handover.TravellingState;
import java.util.ArrayList;
import java.util.List;

/// What a site knows of members and has counted of clients, which another process goes on with that
/// follows this one. Immutable but for what it is about.
public final class SiteState {
    private final Gateways gateways;
    private final HostLimiters limits;

    SiteState(Gateways gateways, HostLimiters limits) {
        this.gateways = gateways;
        this.limits = limits;
    }

    /// All of it, in the order in which it is taken over.
    public List<TravellingState> all() {
        List<TravellingState> states = new ArrayList<>(gateways.states());
        states.addAll(limits.states());
        return states;
    }

    /// Waits for the members without which nobody serves requests: of upstreams where members
    /// register, and nobody has yet.
    public void awaitRegistered() {
        gateways.awaitRegistered();
    }
}
