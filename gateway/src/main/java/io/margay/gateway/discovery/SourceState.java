package io.margay.gateway.discovery;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is known of one source of members. Guarded by the lock of its [Discovery].
///
/// A failure changes nothing. Where the source says that there are no members, those it has named
/// stay for `hold`; one that it does not name any more stays for `drain`, for requests of its
/// sessions.
final class SourceState {
    private final MemberSource source;
    private List<PeerConfig> named = List.of();
    private final Map<String, Leaving> leaving = new HashMap<>();
    private boolean denied;
    private long deniedNanos;
    private long looks;
    private long failures;
    private boolean succeeded;
    private long successNanos;
    private @Nullable String failure;

    /// One that is not named any more.
    private record Leaving(PeerConfig member, long untilNanos) {}

    SourceState(MemberSource source) {
        this.source = source;
    }

    MemberSource source() {
        return source;
    }

    /// Takes over what a look has found.
    ///
    /// @return a text for the log: a failure that was not there before, or that it is over; or null
    @Nullable String found(Finding finding, long now) {
        looks++;
        String before = failure;
        switch (finding) {
            case Finding.Members members -> {
                succeed(now);
                replace(members.members(), now);
            }
            case Finding.Same _ -> succeed(now);
            case Finding.None none -> {
                deny(now);
                failure = none.why();
                failures++;
            }
            case Finding.Failed failed -> {
                denied = false;
                failure = failed.why();
                failures++;
            }
        }
        if (failure == null) {
            return before == null ? null : "answers again";
        }
        return failure.equals(before) ? null : failure + "; members that stay: " + named.size();
    }

    private void succeed(long now) {
        succeeded = true;
        successNanos = now;
        failure = null;
        denied = false;
    }

    private void deny(long now) {
        if (!denied) {
            denied = true;
            deniedNanos = now;
        }
        if (now - deniedNanos >= source.hold().toNanos()) {
            replace(List.of(), now);
        }
    }

    private void replace(List<PeerConfig> members, long now) {
        long drain = source.drain().toNanos();
        if (drain > 0) {
            for (PeerConfig each : named) {
                leaving.put(each.name(), new Leaving(disabled(each), now + drain));
            }
        }
        named = members;
        named.forEach(each -> leaving.remove(each.name()));
    }

    private static PeerConfig disabled(PeerConfig member) {
        return member.share().activation() == Activation.ACTIVE
                ? member.withShare(member.share().withActivation(Activation.DISABLED))
                : member;
    }

    /// The members that it has at this moment, those that leave among them.
    List<PeerConfig> members(long now) {
        leaving.values().removeIf(each -> each.untilNanos - now <= 0);
        List<PeerConfig> all = new ArrayList<>(named);
        leaving.values().forEach(each -> all.add(each.member()));
        return all;
    }

    /// How long until one that leaves is gone; `most` when none does so before.
    Duration due(Duration most, long now) {
        long least = most.toNanos();
        for (Leaving each : leaving.values()) {
            least = Math.min(least, each.untilNanos - now);
        }
        if (denied && !named.isEmpty()) {
            least = Math.min(least, deniedNanos + source.hold().toNanos() - now);
        }
        return Duration.ofNanos(Math.max(0, least));
    }

    DiscoveryReading read(long now) {
        return new DiscoveryReading(
                source.place().toString(),
                named.size(),
                looks,
                failures,
                succeeded ? (now - successNanos) / 1_000_000_000L : -1,
                failure);
    }
}
