package io.margay.app.site;

import io.margay.app.deploy.SiteContext;
import io.margay.server.handover.TravellingState;
import java.util.ArrayList;
import java.util.List;

/// What a site knows of members and has counted of clients and requests, which another process goes
/// on with that follows this one. Immutable but for what it is about.
public final class SiteState {
    private final Gateways gateways;
    private final HostLimiters limits;
    private final SiteContext context;

    SiteState(Gateways gateways, HostLimiters limits, SiteContext context) {
        this.gateways = gateways;
        this.limits = limits;
        this.context = context;
    }

    /// All of it, in the order in which it is taken over.
    public List<TravellingState> all() {
        List<TravellingState> states = new ArrayList<>(gateways.states());
        states.addAll(limits.states());
        states.add(context.lockOuts());
        states.add(context.sight());
        return states;
    }
}
