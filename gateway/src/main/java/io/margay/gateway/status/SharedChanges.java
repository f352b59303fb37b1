package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedTable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What is changed by hand at one gateway of a group holds at all: the settings that a state file
/// keeps. Each has the gateway, the user and the time of its last change; of two changes of one
/// setting the later holds, as the engine takes them. While the engine is away changes hold here,
/// and are written when it is back. Thread-safe; `lock` is never held while the engine is asked.
public final class SharedChanges implements SharedGroup.Task {
    private static final System.Logger LOG = System.getLogger(SharedChanges.class.getName());

    /// Where they are in the engine.
    public static final String TABLE = "changes";

    private static final int PARTS = 4;
    private static final String BY_FILE = "by its state file";

    private final SharedGroup group;
    private final SharedTable table;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();

    /// What follows is guarded by `lock`: the upstreams in force.
    private Collection<Upstream> upstreams = List.of();

    /// Is run when something has been changed at another gateway.
    private Runnable changedElsewhere = () -> {};

    /// As far as is known here, with what is changed here.
    private Map<String, Changed> known = Map.of();

    /// What has been changed here, and is not in the engine yet; null = as configured again.
    private final Map<String, @Nullable Changed> pending = new HashMap<>();

    /// Those that have what is known; a member that joins has not.
    private final Map<Object, Boolean> applied = new WeakHashMap<>();

    /// Whether the engine has answered once.
    private boolean met;

    /// A setting that was changed by hand.
    ///
    /// @param value what it is
    /// @param node the gateway at which it was changed
    /// @param by by whom, for people
    /// @param at when, as in RFC 3339
    public record Changed(String value, String node, String by, String at) {
        private String text() {
            return String.join("\n", node, by, at, value);
        }

        private static @Nullable Changed of(String text) {
            String[] parts = text.split("\n", PARTS);
            return parts.length < PARTS
                    ? null
                    : new Changed(parts[3], parts[0], parts[1], parts[2]);
        }

        private String source() {
            return "from " + node + ", " + by + ", at " + at;
        }
    }

    public SharedChanges(SharedGroup group, InstantSource clock) {
        this.group = group;
        this.table = group.table(TABLE);
        this.clock = clock;
    }

    /// New upstreams get what is known, before they are in force.
    public void apply(Collection<Upstream> fresh) {
        lock.lock();
        try {
            applyTo(fresh);
        } finally {
            lock.unlock();
        }
    }

    /// Whether it is known what was changed: then state files are not asked.
    public boolean isKnown() {
        lock.lock();
        try {
            return met && !table.isNew();
        } finally {
            lock.unlock();
        }
    }

    /// These upstreams are in force now.
    ///
    /// @param elsewhere is run when something has been changed at another gateway
    public void follow(Collection<Upstream> now, Runnable elsewhere) {
        lock.lock();
        try {
            upstreams = List.copyOf(now);
            changedElsewhere = elsewhere;
            applyTo(upstreams);
            if (met && table.isNew()) {
                note(BY_FILE);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Members have joined.
    public void joined() {
        lock.lock();
        try {
            applyTo(upstreams);
        } finally {
            lock.unlock();
        }
    }

    /// What is known holds for those that have not got it yet.
    private void applyTo(Collection<Upstream> some) {
        Map<String, String> values = new HashMap<>();
        known.forEach((key, each) -> values.put(key, each.value()));
        for (Upstream upstream : some) {
            if (applied.putIfAbsent(upstream, true) == null) {
                report(StateValues.apply(List.of(upstream), values));
            }
            for (Peer peer : upstream.peers()) {
                if (applied.putIfAbsent(peer, true) == null) {
                    try {
                        StateValues.apply(peer, values);
                    } catch (IllegalArgumentException e) {
                        report(List.of(String.valueOf(e.getMessage())));
                    }
                }
            }
        }
    }

    private static void report(List<String> failures) {
        failures.forEach(each -> LOG.log(Level.WARNING, "shared changes: {0}", each));
    }

    /// Something was changed here.
    ///
    /// @param by by whom, for people
    public void changed(String by) {
        lock.lock();
        try {
            applyTo(upstreams);
            note(by);
        } finally {
            lock.unlock();
        }
        group.wake();
    }

    private void note(String by) {
        Map<String, String> now = StateValues.differing(upstreams);
        Map<String, Changed> all = new TreeMap<>(known);
        String at = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        now.forEach((key, value) -> {
            Changed before = known.get(key);
            if (before == null || !before.value().equals(value)) {
                Changed one = new Changed(value, group.node(), by.replace('\n', ' '), at);
                all.put(key, one);
                pending.put(key, one);
            }
        });
        Set<String> here = StateValues.configured(upstreams).keySet();
        for (String key : known.keySet()) {
            if (here.contains(key) && !now.containsKey(key)) {
                all.remove(key);
                pending.put(key, null);
            }
        }
        known = all;
    }

    /// Takes over what has been changed elsewhere, and writes what has been changed here.
    @Override
    public void run() throws IOException {
        takeOver(table.refresh(), Map.of());
        Map<String, @Nullable Changed> own;
        lock.lock();
        try {
            own = new HashMap<>(pending);
        } finally {
            lock.unlock();
        }
        if (!own.isEmpty()) {
            takeOver(table.update(all -> with(all, own)), own);
        }
    }

    /// @param entries of the engine
    /// @param written changes of this gateway that are among them
    private void takeOver(Map<String, String> entries, Map<String, @Nullable Changed> written) {
        Runnable tell;
        lock.lock();
        try {
            written.forEach((key, each) -> {
                if (Objects.equals(pending.get(key), each)) {
                    pending.remove(key);
                }
            });
            tell = take(entries) ? changedElsewhere : () -> {};
        } finally {
            lock.unlock();
        }
        tell.run();
    }

    private static Map<String, String> with(
            Map<String, String> all, Map<String, @Nullable Changed> own) {
        Map<String, String> after = new TreeMap<>(all);
        own.forEach((key, each) -> {
            if (each == null) {
                after.remove(key);
            } else {
                after.put(key, each.text());
            }
        });
        return after;
    }

    /// Takes over the entries of the engine.
    ///
    /// @return whether something changes here
    private boolean take(Map<String, String> entries) {
        boolean first = !met;
        met = true;
        if (first && table.isNew()) {
            note(BY_FILE);
            return false;
        }
        Map<String, Changed> now = new TreeMap<>();
        entries.forEach((key, text) -> {
            Changed one = Changed.of(text);
            if (one != null) {
                now.put(key, one);
            }
        });
        pending.forEach((key, each) -> {
            if (each == null) {
                now.remove(key);
            } else {
                now.put(key, each);
            }
        });
        if (now.equals(known) && !first) {
            applyTo(upstreams);
            return false;
        }
        Map<String, String> values = new TreeMap<>();
        Map<String, String> configured = StateValues.configured(upstreams);
        Map<String, String> here = new HashMap<>(configured);
        here.putAll(StateValues.differing(upstreams));
        now.forEach((key, each) -> {
            if (!each.value().equals(here.get(key))) {
                values.put(key, each.value());
                tell(key, each.value(), each.source());
            }
        });
        configured.forEach((key, value) -> {
            if (!now.containsKey(key) && !value.equals(here.get(key))) {
                values.put(key, value);
                tell(key, value, "as configured again, by another gateway");
            }
        });
        known = now;
        applyTo(upstreams);
        report(StateValues.apply(upstreams, values));
        return !values.isEmpty();
    }

    private void tell(String key, String value, String source) {
        String upstream = key.contains("/") ? key.substring(0, key.indexOf('/')) : key;
        boolean mine =
                upstreams.stream()
                        .map(each -> each.config().name())
                        .anyMatch(name -> upstream.equals(name) || key.startsWith(name + "."));
        if (mine) {
            LOG.log(Level.INFO, "upstream {0} = {1}, {2}", key, value, source);
        }
    }

    /// What was changed by hand of an upstream, by the names of settings.
    ///
    /// @param member its member; empty = itself
    public Map<String, Changed> of(String upstream, String member) {
        String prefix = (member.isEmpty() ? upstream : upstream + "/" + member) + ".";
        Map<String, Changed> found = new TreeMap<>();
        lock.lock();
        try {
            known.forEach((key, each) -> {
                if (key.startsWith(prefix) && key.indexOf('.', prefix.length()) < 0) {
                    found.put(key.substring(prefix.length()), each);
                }
            });
        } finally {
            lock.unlock();
        }
        return found;
    }

    /// Changes that the engine does not have yet.
    public int pending() {
        lock.lock();
        try {
            return pending.size();
        } finally {
            lock.unlock();
        }
    }
}
