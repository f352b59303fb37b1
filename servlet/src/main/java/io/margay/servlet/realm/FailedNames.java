package io.margay.servlet.realm;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Names whose latest attempts to log in have failed, and how often; bounded. Guarded by itself:
/// [LockOutRealm]s that are made one after the other of the same users share it.
///
/// When there are too many, those with the fewest failures go first, of these the one that failed
/// longest ago: who makes up names does not wash out one that is locked or nearly so.
public final class FailedNames {
    private final LockOutLimits limits;
    private final Map<String, Failures> names = new HashMap<>();

    /// The same names by the number of failures, in the order of the latest ones.
    private final TreeMap<Integer, LinkedHashSet<String>> byCount = new TreeMap<>();

    /// @param count at most the one that locks
    /// @param latestNanos of the clock, when it last failed
    /// @param spelling how the name was spelled each time; null = in several ways
    private record Failures(int count, long latestNanos, @Nullable String spelling) {}

    public FailedNames(LockOutLimits limits) {
        this.limits = limits;
    }

    /// Writes them, those that failed longest ago first: name, count, time since and spelling,
    /// empty = several; then an empty name.
    public synchronized void write(DataOutput out, long now) throws IOException {
        List<Map.Entry<String, Failures>> all = new ArrayList<>(names.entrySet());
        all.sort(Comparator.comparingLong(each -> each.getValue().latestNanos() - now));
        for (Map.Entry<String, Failures> each : all) {
            Failures failures = each.getValue();
            if (isRecent(failures, now) && !each.getKey().isEmpty()) {
                out.writeUTF(each.getKey());
                out.writeInt(failures.count());
                out.writeLong(now - failures.latestNanos());
                out.writeUTF(failures.spelling() == null ? "" : failures.spelling());
            }
        }
        out.writeUTF("");
    }

    /// Takes over what another process has written; names that have failed here are known better.
    ///
    /// @param since nanoseconds since it was written
    public synchronized void read(DataInput in, long since, long now) throws IOException {
        for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
            int count = Math.clamp(in.readInt(), 1, Math.max(1, limits.failuresMax()));
            long latest = now - since - Math.max(0, in.readLong());
            String spelling = in.readUTF();
            Failures failures = new Failures(count, latest, spelling.isEmpty() ? null : spelling);
            if (isRecent(failures, now)
                    && names.size() < limits.namesMax()
                    && names.putIfAbsent(name, failures) == null) {
                byCount.computeIfAbsent(count, _ -> new LinkedHashSet<>()).add(name);
            }
        }
    }

    public LockOutLimits limits() {
        return limits;
    }

    boolean isLocked(String name, long now) {
        Failures failures = names.get(name);
        return failures != null && isLocked(failures, now);
    }

    private boolean isLocked(Failures failures, long now) {
        return failures.count() >= limits.failuresMax() && isRecent(failures, now);
    }

    private boolean isRecent(Failures failures, long now) {
        return now - failures.latestNanos() < limits.lockedFor().toNanos();
    }

    /// Forgets the failures of a name, if each was of this spelling: whoever logs in to an account
    /// whose name is only similar ends no count of another's.
    void succeeded(String name, String spelling) {
        Failures failures = names.get(name);
        if (failures != null && spelling.equals(failures.spelling())) {
            remove(name);
        }
    }

    /// Counts a failure; answers the count, which goes on above the one that locks while it does.
    /// Failures of several spellings, which no right password ends, are forgotten in the time that
    /// a lock takes.
    int failed(String name, String spelling, long now) {
        Failures before = names.get(name);
        boolean ends =
                before == null
                        || before.count() >= limits.failuresMax()
                        || before.spelling() == null;
        boolean anew = before == null || (ends && !isRecent(before, now));
        int count = before == null || anew ? 1 : before.count() + 1;
        boolean same = before == null || anew || spelling.equals(before.spelling());
        remove(name);
        int kept = Math.min(count, limits.failuresMax());
        names.put(name, new Failures(kept, now, same ? spelling : null));
        byCount.computeIfAbsent(kept, key -> new LinkedHashSet<>()).add(name);
        return count;
    }

    /// Forgets a name if there are too many; answers it if it was locked.
    ///
    /// @param except the name that has just failed
    @Nullable String shrink(String except, long now) {
        if (names.size() <= limits.namesMax()) {
            return null;
        }
        String oldestLocked = eldest(limits.failuresMax(), except);
        if (oldestLocked != null && !isLocked(oldestLocked, now)) {
            remove(oldestLocked);
            return null;
        }
        for (int count : byCount.keySet()) {
            String name = eldest(count, except);
            if (name != null) {
                boolean locked = isLocked(name, now);
                remove(name);
                return locked ? name : null;
            }
        }
        return null; // The one name that may be remembered.
    }

    private @Nullable String eldest(int count, String except) {
        LinkedHashSet<String> some = byCount.get(count);
        if (some == null) {
            return null;
        }
        Iterator<String> names = some.iterator();
        String first = names.next();
        return !first.equals(except) ? first : names.hasNext() ? names.next() : null;
    }

    private void remove(String name) {
        Failures failures = names.remove(name);
        if (failures == null) {
            return;
        }
        LinkedHashSet<String> same = byCount.get(failures.count());
        if (same != null && same.remove(name) && same.isEmpty()) {
            byCount.remove(failures.count());
        }
    }
}
