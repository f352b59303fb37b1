package io.margay.app.deploy;

import java.util.Set;

/// What is to become of the applications that run. Immutable.
public sealed interface AppChange {
    /// Everything is to be as the configuration says: what it names and what has not changed goes
    /// on, the rest is deployed or stopped.
    record ToConfiguration() implements AppChange {}

    /// The named ones alone are deployed anew, or stopped if nothing names them any more; all
    /// others go on as they are.
    record Of(Set<AppName> names) implements AppChange {
        public Of {
            names = Set.copyOf(names);
        }
    }
}
