package io.margay.server.sight;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How something did in a minute: at its best and at its worst. Immutable.
public record HealthSpan(MemberHealth best, MemberHealth worst) {
    private static final List<MemberHealth> ALL = List.of(MemberHealth.values());

    /// Of one look.
    static HealthSpan of(MemberHealth health) {
        return new HealthSpan(health, health);
    }

    /// Both together.
    ///
    /// @param other null = nothing is known
    HealthSpan and(@Nullable HealthSpan other) {
        return other == null
                ? this
                : new HealthSpan(
                        best.compareTo(other.best) <= 0 ? best : other.best,
                        worst.compareTo(other.worst) >= 0 ? worst : other.worst);
    }

    /// The places of the best and of the worst state among all, from 0.
    public List<Integer> levels() {
        return List.of(ALL.indexOf(best), ALL.indexOf(worst));
    }

    /// As a number below [#CODES].
    int code() {
        return ALL.indexOf(best) * ALL.size() + ALL.indexOf(worst);
    }

    /// How many numbers there are.
    static final int CODES = ALL.size() * ALL.size();

    /// The one of a number below [#CODES].
    static HealthSpan of(int code) {
        return new HealthSpan(ALL.get(code / ALL.size()), ALL.get(code % ALL.size()));
    }
}
