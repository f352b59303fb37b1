package io.margay.compat.nginx.plan;

import io.margay.compat.account.AccountLine;
import io.margay.compat.account.Meeting;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.plan.HostPlan;
import io.margay.gateway.plan.ListenerPlan;
import java.util.List;

/// What configuration files of nginx amount to. Immutable.
///
/// @param listeners empty where something is wrong
/// @param hosts in the order of the files
/// @param upstreams that the rules name
/// @param account one line or more for each directive
/// @param meeting which of these lines requests meet
public record NginxPlan(
        List<ListenerPlan> listeners,
        List<HostPlan> hosts,
        List<UpstreamConfig> upstreams,
        List<AccountLine> account,
        Meeting meeting) {
    public NginxPlan {
        listeners = List.copyOf(listeners);
        hosts = List.copyOf(hosts);
        upstreams = List.copyOf(upstreams);
        account = List.copyOf(account);
    }

    /// Whether something is malformed, so that nothing must be served.
    public boolean isWrong() {
        return account.stream().anyMatch(l -> l.verdict() == AccountLine.Verdict.WRONG);
    }

    /// The lines for which `check` fails.
    public List<AccountLine> failures() {
        return account.stream().filter(AccountLine::isFailure).toList();
    }
}
