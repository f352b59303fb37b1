package io.margay.compat.httpd.plan;

import io.margay.compat.account.AccountLine;
import io.margay.compat.account.Meeting;
import io.margay.compat.account.ToldAccount;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.plan.HostPlan;
import io.margay.gateway.plan.ListenerPlan;
import io.margay.server.acme.AcmeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What configuration files of httpd and mod_jk amount to. Immutable.
///
/// @param listeners empty when the files name none
/// @param hosts in the order of the files; of those with one place and no name the first counts
/// @param upstreams that the rules name
/// @param watched files whose change replaces the rules without a restart
/// @param acme the certificates that are ordered from authorities
/// @param clients how long they may take, and how much they may send
/// @param told what has become of each directive
public record GatewayPlan(
        List<ListenerPlan> listeners,
        List<HostPlan> hosts,
        List<UpstreamConfig> upstreams,
        List<WatchedFile> watched,
        AcmeConfig acme,
        ClientLimits clients,
        ToldAccount told) {
    public GatewayPlan {
        listeners = List.copyOf(listeners);
        hosts = List.copyOf(hosts);
        upstreams = List.copyOf(upstreams);
        watched = List.copyOf(watched);
    }

    /// One line or more for each directive.
    public List<AccountLine> account() {
        return told.lines();
    }

    /// Which of these lines requests meet.
    public Meeting meeting() {
        return told.meeting();
    }

    /// A file that is looked at again.
    public record WatchedFile(Path file, Duration every) {}

    /// Whether something is malformed, so that nothing must be served.
    public boolean isWrong() {
        return account().stream().anyMatch(l -> l.verdict() == AccountLine.Verdict.WRONG);
    }

    /// The lines for which `check` fails.
    public List<AccountLine> failures() {
        return account().stream().filter(AccountLine::isFailure).toList();
    }
}
