package io.margay.app.shared;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.cache.SharedPurges;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.SharedRegistrations;
import io.margay.gateway.limit.SharedCounterLimits;
import io.margay.gateway.limit.SharedCounters;
import io.margay.gateway.shield.SharedNonces;
import io.margay.gateway.status.SharedChanges;
import io.margay.gateway.status.SharedEjections;
import io.margay.server.Extensions;
import io.margay.server.shared.SharedDataException;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedLimits;
import io.margay.server.shared.SharedStore;
import io.margay.server.shared.SharedStoreProvider;
import io.margay.transport.TlsConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// What this server shares with others of its group, from its start to its end. Thread-safe once
/// the thread that starts the server has called [#start].
public final class SharedState implements AutoCloseable {
    private final @Nullable SharedSettings settings;
    private volatile @Nullable SharedGroup group;
    private volatile @Nullable SharedChanges changes;
    private volatile @Nullable SharedRegistrations registrations;
    private volatile @Nullable SharedEjections ejections;
    private volatile @Nullable SharedCounters counters;
    private volatile @Nullable SharedTickets tickets;
    private volatile @Nullable SharedPurges purges;
    private volatile @Nullable SharedNonces nonces;

    /// @param settings null = nothing is shared
    public SharedState(@Nullable SharedSettings settings) {
        this.settings = settings;
    }

    /// Joins the group, if it has not yet, and waits for a first answer of the engine for no longer
    /// than that may take.
    ///
    /// @throws IllegalArgumentException when there is no such engine, or the URL makes no sense
    public SharedState start() {
        if (settings != null && group == null) {
            begin(settings);
        }
        return this;
    }

    private void begin(SharedSettings settings) {
        SharedGroup made = group(settings);
        group = made;
        if (settings.changes()) {
            SharedChanges all = new SharedChanges(made, InstantSource.system());
            changes = all;
            made.every(all);
        }
        if (settings.tickets()) {
            SharedTickets secrets =
                    new SharedTickets(
                            made, InstantSource.system(), System::nanoTime, new SecureRandom());
            tickets = secrets;
            made.every(secrets);
        }
        SharedPurges removed = new SharedPurges(made, InstantSource.system(), System::nanoTime);
        purges = removed;
        made.every(removed);
        SharedRegistrations members = new SharedRegistrations(made, DiscoveryLimits.defaults());
        registrations = members;
        made.every(members);
        SharedEjections leftOut = new SharedEjections(made, InstantSource.system());
        ejections = leftOut;
        made.every(leftOut);
        made.start();
        if (settings.limits()) {
            SharedCounters counted = new SharedCounters(made, SharedCounterLimits.defaults());
            counters = counted;
            counted.start();
        }
    }

    private static SharedGroup group(SharedSettings settings) {
        SharedLimits limits = SharedLimits.defaults();
        return new SharedGroup(
                store(settings, limits),
                settings.key(),
                settings.group(),
                settings.node().isEmpty() ? machine() : settings.node(),
                limits,
                new SecureRandom(),
                System::nanoTime);
    }

    private static SharedStore store(SharedSettings settings, SharedLimits limits) {
        for (SharedStoreProvider one :
                ServiceLoader.load(SharedStoreProvider.class, Extensions.loader())) {
            return one.open(settings.url(), settings.group(), limits);
        }
        throw new IllegalArgumentException("margay-valkey is not on the class path");
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /// Whether the engine of a configuration answers, and has what its key opens. Nothing is
    /// written.
    ///
    /// @return why not; null = it does
    public static @Nullable String unreachable(SharedSettings settings) {
        try (SharedGroup asked = group(settings)) {
            for (String table : List.of(SharedChanges.TABLE, SharedTickets.TABLE)) {
                Map<String, String> _ = asked.table(table).refresh();
            }
            return null;
        } catch (SharedDataException | IllegalArgumentException e) {
            return e.getMessage();
        } catch (IOException e) {
            return "the engine does not answer: " + e.getMessage();
        }
    }

    /// The changes of members by hand; null = they are this server's own.
    public @Nullable SharedChanges changes() {
        return changes;
    }

    /// What the group's gateways remove from their caches; null = nothing is shared.
    public @Nullable SharedPurges purges() {
        return purges;
    }

    /// Nonces of bots that the group's gateways have seen, from the first time that it is asked
    /// for; null = nothing is shared.
    public synchronized @Nullable SharedNonces nonces() {
        SharedGroup joined = group;
        SharedNonces seen = nonces;
        if (seen == null && joined != null) {
            seen = new SharedNonces(joined, InstantSource.system());
            nonces = seen;
            joined.every(seen);
            joined.wake(); // signed requests wait for its first reading
        }
        return seen;
    }

    /// Who is registered at the group's gateways; null = nothing is shared.
    public @Nullable SharedRegistrations registrations() {
        return registrations;
    }

    /// These upstreams are in force now: members that the group's gateways leave out are left out
    /// here, too.
    public void follow(Collection<Upstream> upstreams) {
        SharedEjections known = ejections;
        if (known != null) {
            known.follow(upstreams);
        }
    }

    /// What limits of the group's gateways count together; null = each counts by itself.
    public @Nullable SharedCounters counters() {
        return counters;
    }

    /// The servers that have the certificates in common that authorities issue; null = each has its
    /// own.
    public @Nullable SharedGroup certificates() {
        return settings != null && settings.certificates() ? group : null;
    }

    /// What the group's servers make the keys of session tickets from; null = each has its own.
    public TlsConfig.@Nullable TicketSecrets tickets() {
        return tickets;
    }

    /// How it does; null = nothing is shared.
    public @Nullable SharedStatus read() {
        SharedGroup joined = group;
        SharedChanges all = changes;
        SharedCounters counted = counters;
        return joined == null
                ? null
                : new SharedStatus(
                        joined.read(),
                        all == null ? 0 : all.pending(),
                        counted == null ? 0 : counted.settled(),
                        counted == null ? 0 : counted.unsettled());
    }

    @Override
    public void close() {
        SharedCounters counted = counters;
        if (counted != null) {
            counted.close();
        }
        SharedGroup joined = group;
        if (joined != null) {
            joined.close();
        }
    }
}
