package io.margay.compat.nginx.plan;

import io.margay.compat.account.AccountLine;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.limit.RequestLimit;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.HostChanges;
import io.margay.transport.TlsConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What configuration files of nginx amount to. Immutable.
///
/// @param listeners empty where something is wrong
/// @param hosts in the order of the files
/// @param upstreams that the rules name
/// @param account one line or more for each directive
public record NginxPlan(
        List<ListenerPlan> listeners,
        List<HostPlan> hosts,
        List<UpstreamConfig> upstreams,
        List<AccountLine> account) {
    public NginxPlan {
        listeners = List.copyOf(listeners);
        hosts = List.copyOf(hosts);
        upstreams = List.copyOf(upstreams);
        account = List.copyOf(account);
    }

    /// A place to listen.
    ///
    /// @param host `*` for every address
    /// @param tls how it speaks TLS, or null
    /// @param http2 whether it speaks HTTP/2, too
    public record ListenerPlan(String host, int port, @Nullable TlsConfig tls, boolean http2) {}

    /// A virtual host.
    ///
    /// @param names in lower case; empty = every name that no other host at the same places has
    /// @param at where requests must arrive, `ADDRESS:PORT` or `*:PORT`
    /// @param rules asked in order
    /// @param files folders of which rules lead to files
    /// @param changes what is changed in requests and responses that pass
    /// @param entry which requests it takes
    /// @param logs a line per request in each
    public record HostPlan(
            List<String> names,
            List<String> at,
            List<GatewayRule> rules,
            List<FilesPlan> files,
            HostChanges changes,
            Entry entry,
            List<LogPlan> logs) {
        public HostPlan {
            names = List.copyOf(names);
            at = List.copyOf(at);
            rules = List.copyOf(rules);
            files = List.copyOf(files);
            logs = List.copyOf(logs);
        }
    }

    /// Which requests a host takes.
    ///
    /// @param access who may ask for what
    /// @param limits how many it takes
    public record Entry(HostAccess access, List<RequestLimit> limits) {
        public Entry {
            limits = List.copyOf(limits);
        }
    }

    /// A log of requests.
    ///
    /// @param format as Apache's
    /// @param when what must hold of a request for it to be logged
    public record LogPlan(Path file, String format, List<Condition> when) {
        public LogPlan {
            when = List.copyOf(when);
        }
    }

    /// Static files.
    ///
    /// @param prefix empty for the root, otherwise `/…`
    /// @param folder or a single file
    /// @param precompressed whether `NAME.gz` is sent in place of `NAME`
    public record FilesPlan(String prefix, Path folder, boolean precompressed) {}

    /// Whether something is malformed, so that nothing must be served.
    public boolean isWrong() {
        return account.stream().anyMatch(l -> l.verdict() == AccountLine.Verdict.WRONG);
    }

    /// The lines for which `check` fails.
    public List<AccountLine> failures() {
        return account.stream().filter(AccountLine::isFailure).toList();
    }
}
