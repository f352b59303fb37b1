package io.margay.gateway.status;

import io.margay.gateway.balance.Ejection;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedTable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Members that gateways of a group leave out because they answer worse than others: a gateway that
/// has seen too few answers to judge a member does as the others do. Each writes down those that it
/// has judged itself. Thread-safe; runs on the thread of the group.
public final class SharedEjections implements SharedGroup.Task {
    /// Where they are in the engine.
    public static final String TABLE = "ejections";

    /// Of all gateways; what is above it is not shared.
    private static final int ENTRIES_MAX = 1_000;

    /// Ends of one ejection that are no further apart are the same.
    private static final long SAME_MILLIS = 2_500;

    /// None lasts longer; what says so is not believed.
    private static final long LASTS_MAX_MILLIS = 86_400_000;

    private static final int PARTS = 3;

    private final SharedTable table;
    private final String node;
    private final InstantSource clock;
    private volatile Collection<Upstream> here = List.of();

    public SharedEjections(SharedGroup group, InstantSource clock) {
        table = group.table(TABLE);
        node = group.instance(); // two servers of one machine may have one name
        this.clock = clock;
    }

    /// These upstreams are in force now; the engine is not asked where none judges its members.
    public void follow(Collection<Upstream> now) {
        here = now.stream().filter(each -> each.config().outliers() != null).toList();
    }

    @Override
    public void run() throws IOException {
        if (here.isEmpty()) {
            return;
        }
        long now = clock.millis();
        Map<String, String> own = own(now);
        Map<String, String> there = table.refresh();
        if (!changed(there, own, now).equals(there)) {
            there = table.update(newest -> changed(newest, own, now));
        }
        there.forEach((key, text) -> adopt(key, text, now));
    }

    private Map<String, String> own(long now) {
        Map<String, String> own = new TreeMap<>();
        for (Upstream upstream : here) {
            for (Peer peer : upstream.peers()) {
                Ejection ejection = peer.ejection();
                Ejection.Cause cause = ejection.cause();
                if (cause != null && !ejection.ofOthers()) {
                    own.put(
                            String.join(
                                    "\n",
                                    upstream.config().name(),
                                    peer.config().nameAndAddress(),
                                    node),
                            cause.name()
                                    + " "
                                    + (now + Math.min(ejection.millisLeft(), LASTS_MAX_MILLIS)));
                }
            }
        }
        return own;
    }

    private Map<String, String> changed(
            Map<String, String> all, Map<String, String> own, long now) {
        Map<String, String> after = new TreeMap<>(all);
        after.entrySet().removeIf(one -> isMine(one.getKey()) || isOver(one.getValue(), now));
        own.forEach((key, text) -> {
            String before = all.get(key);
            boolean same = before != null && Math.abs(until(before) - until(text)) <= SAME_MILLIS;
            if (same || after.size() < ENTRIES_MAX) {
                after.put(key, same ? before : text);
            }
        });
        return after;
    }

    private boolean isMine(String key) {
        return key.endsWith("\n" + node);
    }

    /// Whether an ejection has ended, or ends later than any does.
    private static boolean isOver(String text, long now) {
        long until = until(text);
        return until < now || until - now > LASTS_MAX_MILLIS + SAME_MILLIS;
    }

    /// When an ejection ends; 0 = it cannot be understood.
    private static long until(String text) {
        int blank = text.indexOf(' ');
        String number = text.substring(blank + 1);
        return blank >= 0 && number.matches("[0-9]{1,15}") ? Long.parseLong(number) : 0;
    }

    private void adopt(String key, String text, long now) {
        String[] parts = key.split("\n", PARTS);
        long left = until(text) - now;
        if (parts.length < PARTS || isMine(key) || left < SAME_MILLIS || isOver(text, now)) {
            return;
        }
        Ejection.Cause cause = Ejection.Cause.named(text.substring(0, text.indexOf(' ')));
        for (Upstream upstream : here) {
            if (upstream.config().name().equals(parts[0])) {
                upstream.answers().leaveOut(parts[1], new Ejection(cause, left, 0, true));
            }
        }
    }
}
