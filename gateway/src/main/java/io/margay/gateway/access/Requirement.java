package io.margay.gateway.access;

import io.margay.gateway.access.match.Methods;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What `Require` and its sections ask for, as mod_authz_core weighs it: what is negated can refuse
/// but not grant. Immutable.
public sealed interface Requirement {
    /// What comes of it for a request.
    enum Verdict {
        GRANTED,
        DENIED,

        /// It depends on who the user is, which is not known yet.
        NO_USER,

        /// It says nothing.
        NEUTRAL
    }

    /// One term.
    ///
    /// @param methods the requests that it is asked of
    record Test(AccessTerm term, boolean not, Methods methods) implements Requirement {}

    /// Several of which all or any must grant.
    ///
    /// @param methods the requests that it is asked of; null = those that one of its parts is
    record Group(boolean all, boolean not, @Nullable Methods methods, List<Requirement> parts)
            implements Requirement {
        public Group {
            parts = List.copyOf(parts);
        }

        private boolean asksOne(String method) {
            boolean one = false;
            for (int i = 0; i < parts.size() && !one; i++) {
                one = parts.get(i).isAsked(method);
            }
            return one;
        }
    }

    /// Those that stand beside one another, of which any must grant.
    static Group any(List<Requirement> parts) {
        return new Group(false, false, null, parts);
    }

    /// Two that must both grant, or one of which must.
    static Group both(boolean all, Requirement first, Requirement second) {
        return new Group(all, false, null, List.of(first, second));
    }

    /// Whether it says the same of every path.
    default boolean isUniform() {
        return switch (this) {
            case Test test -> !test.term.isOfPath();
            case Group group -> group.parts.stream().allMatch(Requirement::isUniform);
        };
    }

    /// What comes of it.
    default Verdict of(AccessRequest request) {
        return verdict(request, true);
    }

    private boolean isAsked(String method) {
        return switch (this) {
            case Test test -> test.methods.has(method);
            case Group group ->
                    group.methods == null ? group.asksOne(method) : group.methods.has(method);
        };
    }

    /// @param inAll whether it is one of several that must all grant
    private Verdict verdict(AccessRequest request, boolean inAll) {
        if (!isAsked(request.method())) {
            return inAll ? Verdict.GRANTED : Verdict.NEUTRAL;
        }
        return switch (this) {
            case Test(AccessTerm term, boolean not, Methods _) -> not(of(term, request), not);
            case Group group -> not(weighed(group, request), group.not);
        };
    }

    private static Verdict of(AccessTerm term, AccessRequest request) {
        if (term.isOfUser() && request.user() == null) {
            return Verdict.NO_USER;
        }
        return term.holds(request) ? Verdict.GRANTED : Verdict.DENIED;
    }

    private static Verdict not(Verdict verdict, boolean not) {
        if (!not) {
            return verdict;
        }
        return verdict == Verdict.GRANTED ? Verdict.DENIED : Verdict.NEUTRAL;
    }

    private static Verdict weighed(Group group, AccessRequest request) {
        Verdict decisive = group.all ? Verdict.DENIED : Verdict.GRANTED;
        Verdict found = Verdict.NEUTRAL;
        for (Requirement part : group.parts) {
            Verdict one = part.verdict(request, group.all);
            if (one == decisive) {
                return one;
            }
            boolean weightier =
                    one == Verdict.NO_USER
                            && found == (group.all ? Verdict.GRANTED : Verdict.DENIED);
            found = found == Verdict.NEUTRAL || weightier ? one : found;
        }
        return found;
    }
}
