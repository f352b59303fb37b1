package io.margay.app.admin;

import io.margay.gateway.balance.Ejection;
import io.margay.gateway.canary.CanaryReading;
import io.margay.gateway.discovery.DiscoveryReading;
import io.margay.gateway.mirror.MirrorReading;
import io.margay.gateway.retry.HedgeReading;
import io.margay.gateway.status.SharedChanges;
import io.margay.server.meter.Meter;
import io.margay.server.meter.MeterTable;
import io.margay.server.meter.TrafficCounts;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// An upstream and its members, as those see them who run the server. Immutable.
///
/// @param sources where further members are named
/// @param divided what others get of its requests
/// @param changes by hand at gateways that share them, by setting
public record UpstreamReading(
        String name,
        List<Member> members,
        List<DiscoveryReading> sources,
        Divided divided,
        Map<String, SharedChanges.Changed> changes) {
    public UpstreamReading {
        members = List.copyOf(members);
        sources = List.copyOf(sources);
        changes = Map.copyOf(changes);
    }

    /// What others get of its requests. Immutable.
    ///
    /// @param canaries new versions that get a part of them
    /// @param mirrors who gets copies
    /// @param hedges routes whose requests a second member may get, too
    public record Divided(
            List<CanaryReading> canaries, List<MirrorReading> mirrors, List<HedgeReading> hedges) {
        public Divided {
            canaries = List.copyOf(canaries);
            mirrors = List.copyOf(mirrors);
            hedges = List.copyOf(hedges);
        }
    }

    /// A member.
    ///
    /// @param origin how it has come: `configured`, `discovered`, `added`
    /// @param activation what it is used for: `active`, `disabled`, `stopped`
    /// @param state what is known of it from requests, as mod_jk's words
    /// @param healthy whether active checks have it well, or there are none
    /// @param ejection whether it is left out because it answers worse than the others
    /// @param usable whether it may be given a request
    /// @param load what it is doing now
    /// @param requests attempts so far
    /// @param errors attempts that failed through its fault
    /// @param traffic how long attempts took, and their phases
    /// @param statuses answers by class of status, from 1xx to 5xx
    /// @param changes by hand at gateways that share them, by setting
    @RecordBuilder
    public record Member(
            String name,
            String url,
            String route,
            String origin,
            double weight,
            String activation,
            String state,
            boolean healthy,
            Ejection ejection,
            boolean usable,
            Load load,
            long requests,
            long errors,
            long bytesSent,
            long bytesReceived,
            TrafficCounts traffic,
            List<Long> statuses,
            Map<String, SharedChanges.Changed> changes) {
        /// What it is doing now.
        ///
        /// @param active requests that are on it
        /// @param connections open ones
        /// @param limit requests at one time at most; 0 = no limit
        public record Load(int active, int connections, int limit) {}

        private static final MeterTable<Member> METERS =
                new MeterTable<Member>("margay_member_")
                        .gauge("usable", "1 while it is usable.", one -> one.usable ? 1 : 0)
                        .gauge(
                                "requests_active",
                                "Requests that are on it.",
                                one -> one.load.active)
                        .gauge(
                                "requests_active_max",
                                "Requests that it may have at one time; 0 = no limit.",
                                one -> one.load.limit)
                        .gauge(
                                "connections_open",
                                "Open connections to it.",
                                one -> one.load.connections)
                        .counter("requests", "Attempts on it.", Member::requests)
                        .counter("errors", "Failed attempts.", Member::errors)
                        .counter(
                                "ejections",
                                "How often it was left out for answering worse than the others.",
                                one -> one.ejection.ejections())
                        .statuses("responses", "Responses by class of status.", Member::statuses)
                        .counter("sent_bytes", "Content sent to it.", Member::bytesSent)
                        .counter(
                                "received_bytes",
                                "Content received from it.",
                                Member::bytesReceived);

        /// Time of the attempts that were answered.
        public long nanos() {
            return traffic.nanos();
        }

        /// Why it gets no requests: what its checks say, or its answers, or its state.
        String trouble() {
            Ejection.Cause cause = ejection.cause();
            return !healthy ? "fails its checks" : cause == null ? "in error" : cause.says();
        }

        private List<Meter> meters() {
            List<Meter> all = METERS.of(this);
            all.addAll(traffic.meters("margay_member_", "attempts on a member"));
            return Meter.with(all, "member", name);
        }
    }

    /// The numbers of it and of its members and sources.
    public List<Meter> meters() {
        List<Meter> all = new ArrayList<>();
        all.add(
                Meter.gauge(
                        "margay_upstream_members_usable",
                        "Members that can take a request.",
                        () -> members.stream().filter(Member::usable).count()));
        members.forEach(one -> all.addAll(one.meters()));
        sources.forEach(one -> all.addAll(one.meters()));
        divided.canaries.forEach(one -> all.addAll(one.meters()));
        divided.mirrors.forEach(one -> all.addAll(one.meters()));
        divided.hedges.forEach(one -> all.addAll(one.meters()));
        return Meter.with(all, "upstream", name);
    }

    /// Whether no member can take a request.
    boolean isDown() {
        return members.stream().noneMatch(Member::usable);
    }
}
