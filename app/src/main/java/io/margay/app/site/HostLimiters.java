package io.margay.app.site;

import io.margay.app.admin.ManagedServer;
import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.app.config.StartException;
import io.margay.gateway.limit.LimiterLimits;
import io.margay.gateway.limit.RequestLimit;
import io.margay.gateway.limit.RequestLimiters;
import io.margay.gateway.rules.HostChanges;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The limits of hosts on requests. What a reload does not change goes on counting. Immutable.
final class HostLimiters {
    static final HostLimiters NONE = new HostLimiters(Map.of());

    private final Map<Of, RequestLimiters> all;

    private HostLimiters(Map<Of, RequestLimiters> all) {
        this.all = all;
    }

    /// What the limits of a host depend on.
    private record Of(
            List<String> names,
            List<HostPlace> at,
            List<RequestLimit> limits,
            HostChanges changes) {
        Of(HostSettings host) {
            this(host.names(), host.at(), host.limits(), host.changes());
        }

        String name() {
            return names.isEmpty() ? "*" : names.getFirst();
        }
    }

    /// Those of all hosts.
    ///
    /// @param before those in force
    /// @throws StartException when one cannot be used
    static HostLimiters of(List<HostSettings> hosts, HostLimiters before) {
        Map<Of, RequestLimiters> made = new LinkedHashMap<>();
        for (HostSettings host : hosts) {
            if (!host.limits().isEmpty()) {
                Of of = new Of(host);
                RequestLimiters known = before.all.get(of);
                made.put(of, known != null ? known : limiters(of));
            }
        }
        return made.isEmpty() ? NONE : new HostLimiters(made);
    }

    private static RequestLimiters limiters(Of of) {
        try {
            return RequestLimiters.of(
                    of.limits(),
                    of.name(),
                    of.changes(),
                    LimiterLimits.defaults(),
                    System::nanoTime,
                    new SecureRandom());
        } catch (IllegalArgumentException e) {
            throw new StartException(
                    "the limits of the host " + of.name() + " cannot be used: " + e.getMessage(),
                    e);
        }
    }

    /// Those of a host, or null.
    @Nullable RequestLimiters of(HostSettings host) {
        return all.get(new Of(host));
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /// What they have done so far.
    List<ManagedServer.HostLimit> read() {
        List<ManagedServer.HostLimit> read = new ArrayList<>();
        all.forEach((of, limiters) ->
                limiters.read()
                        .forEach(one -> read.add(new ManagedServer.HostLimit(of.name(), one))));
        return read;
    }
}
