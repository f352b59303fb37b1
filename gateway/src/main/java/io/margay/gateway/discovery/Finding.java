package io.margay.gateway.discovery;

import io.margay.gateway.config.PeerConfig;
import java.time.Duration;
import java.util.List;

/// What a look at a source of members has found. Immutable.
public sealed interface Finding {
    /// When to look again, at the latest.
    Duration again();

    /// These are all members that there are.
    record Members(List<PeerConfig> members, Duration again) implements Finding {
        public Members {
            members = List.copyOf(members);
        }
    }

    /// Nothing has changed since the last look.
    record Same(Duration again) implements Finding {}

    /// The source says for certain that there are none.
    ///
    /// @param why as it says it
    record None(String why, Duration again) implements Finding {}

    /// It is not known what there is: the source does not answer, or cannot be understood.
    record Failed(String why, Duration again) implements Finding {}
}
