package io.margay.app.site;

import io.margay.app.admin.ManagedServer;
import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.app.config.StartException;
import io.margay.app.deploy.SiteContext;
import io.margay.gateway.limit.LimitReading;
import io.margay.gateway.limit.LimiterLimits;
import io.margay.gateway.limit.RequestLimit;
import io.margay.gateway.limit.RequestLimiters;
import io.margay.gateway.limit.TrafficRules;
import io.margay.gateway.rules.HostChanges;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The limits of hosts on requests and responses. What a reload does not change goes on counting.
/// Immutable.
final class HostLimiters {
    static final HostLimiters NONE = new HostLimiters(Map.of());

    private final Map<Of, Made> all;

    private HostLimiters(Map<Of, Made> all) {
        this.all = all;
    }

    /// Those of one host.
    ///
    /// @param requests how many it takes; null = any number
    /// @param traffic how large they may be, and how fast they are answered; null = nothing is said
    record Made(@Nullable RequestLimiters requests, @Nullable TrafficRules traffic) {
        static final Made NONE = new Made(null, null);

        /// Whether a request goes on at once; otherwise it has been answered, or waits.
        boolean admits(Exchange exchange, Runnable then) throws IOException {
            return (traffic == null || traffic.admits(exchange))
                    && (requests == null || requests.admits(exchange, then));
        }

        /// The same for what depends on the user.
        boolean admitsUser(Exchange exchange, Runnable then) throws IOException {
            return requests == null || requests.admitsUser(exchange, then);
        }

        /// The exchange that is to be answered in place of the client's.
        Exchange apply(Exchange exchange) {
            return traffic != null && exchange instanceof DialingExchange dialing
                    ? traffic.apply(dialing)
                    : exchange;
        }

        private List<LimitReading> read() {
            List<LimitReading> read = new ArrayList<>();
            if (requests != null) {
                read.addAll(requests.read());
            }
            if (traffic != null) {
                read.addAll(traffic.read());
            }
            return read;
        }
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
    /// @param context memory for responses that are held, and what counts with other gateways
    /// @throws StartException when one cannot be used
    static HostLimiters of(List<HostSettings> hosts, HostLimiters before, SiteContext context) {
        Map<Of, Made> made = new LinkedHashMap<>();
        for (HostSettings host : hosts) {
            Of of = new Of(host);
            Made known = before.all.get(of);
            Made limiters = known != null ? known : limiters(of, context);
            if (!limiters.equals(Made.NONE)) {
                made.put(of, limiters);
            }
        }
        return made.isEmpty() ? NONE : new HostLimiters(made);
    }

    private static Made limiters(Of of, SiteContext context) {
        LimiterLimits bounds = LimiterLimits.defaults();
        try {
            RequestLimiters requests =
                    of.limits().isEmpty()
                            ? null
                            : RequestLimiters.of(
                                    of.limits(),
                                    of.name(),
                                    of.changes(),
                                    bounds,
                                    System::nanoTime,
                                    new SecureRandom(),
                                    context.shared().counters());
            return new Made(
                    requests,
                    TrafficRules.of(of.changes(), bounds, context.memory(), System::nanoTime));
        } catch (IllegalArgumentException e) {
            throw new StartException(
                    "the limits of the host " + of.name() + " cannot be used: " + e.getMessage(),
                    e);
        }
    }

    /// Those of a host.
    Made of(HostSettings host) {
        return all.getOrDefault(new Of(host), Made.NONE);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /// What they have done so far.
    List<ManagedServer.HostLimit> read() {
        List<ManagedServer.HostLimit> read = new ArrayList<>();
        all.forEach((of, made) ->
                made.read().forEach(one -> read.add(new ManagedServer.HostLimit(of.name(), one))));
        return read;
    }
}
