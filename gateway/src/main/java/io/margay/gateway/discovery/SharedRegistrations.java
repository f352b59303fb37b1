package io.margay.gateway.discovery;

import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Who is registered at the gateways of a group, for one that starts and knows nobody: it takes
/// them for a third of their leases, in which those that live register with it. Each gateway writes
/// down who joins and who leaves, and not when leases are renewed. Thread-safe; what was written
/// last is confined to the thread of the group.
public final class SharedRegistrations implements SharedGroup.Task {
    /// Where they are in the engine.
    public static final String TABLE = "registrations";

    private final SharedTable table;
    private final DiscoveryLimits limits;

    /// By the names of upstreams.
    private volatile Map<String, Registrations> here = Map.of();

    private Set<String> before = Set.of();

    public SharedRegistrations(SharedGroup group, DiscoveryLimits limits) {
        table = group.table(TABLE);
        this.limits = limits;
    }

    /// These are in force now.
    public void follow(Map<String, Registrations> now) {
        here = Map.copyOf(now);
    }

    private static String key(String upstream, String member) {
        return upstream + "\n" + member;
    }

    /// Milliseconds of the lease, then the line.
    private static String text(Registrations.Known known) {
        return known.lease().toMillis() + " " + known.member();
    }

    @Override
    public void run() throws IOException {
        // Of a member that only others have met, it is said that it has gone, and nothing else.
        Map<String, String> met = new TreeMap<>();
        Set<String> all = new HashSet<>();
        here.forEach((upstream, registrations) -> {
            for (Registrations.Known each : registrations.known()) {
                String key = key(upstream, each.name());
                if (each.left().isPositive() && all.add(key) && each.met()) {
                    met.put(key, text(each));
                }
            }
        });
        Set<String> gone = new HashSet<>(before);
        gone.removeAll(all);
        Map<String, String> there = table.refresh();
        if (!changed(there, met, gone).equals(there)) {
            Map<String, String> _ = table.update(newest -> changed(newest, met, gone));
        }
        before = Set.copyOf(all);
    }

    private static Map<String, String> changed(
            Map<String, String> all, Map<String, String> met, Set<String> gone) {
        Map<String, String> after = new TreeMap<>(all);
        after.keySet().removeAll(gone);
        after.putAll(met);
        return after;
    }

    /// Who was registered with an upstream when the engine was asked last. What cannot be
    /// understood is left out.
    List<Registrations.Known> known(String upstream) {
        List<Registrations.Known> all = new ArrayList<>();
        String prefix = key(upstream, "");
        table.entries()
                .forEach((key, text) -> {
                    int blank = text.indexOf(' ');
                    if (key.startsWith(prefix) && text.matches("[0-9]{1,8} .*")) {
                        Duration lease =
                                Duration.ofMillis(Long.parseLong(text.substring(0, blank)));
                        add(all, key.substring(prefix.length()), text.substring(blank + 1), lease);
                    }
                });
        return all;
    }

    private void add(List<Registrations.Known> all, String name, String line, Duration lease) {
        try {
            MemberLine member = MemberLine.parse(line, 2 * limits.lineMax());
            if (lease.isPositive() && lease.compareTo(limits.leaseMax()) <= 0) {
                all.add(new Registrations.Known(name, member, lease, Duration.ZERO));
            }
        } catch (IllegalArgumentException e) {
            System.getLogger("io.margay.gateway")
                    .log(System.Logger.Level.DEBUG, "a registration of the group", e);
        }
    }
}
