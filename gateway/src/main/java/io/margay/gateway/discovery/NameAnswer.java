package io.margay.gateway.discovery;

import java.time.Duration;
import java.util.List;

/// What a name service says of a name. Immutable.
public sealed interface NameAnswer {
    /// What stands there.
    ///
    /// @param host an address, or with a service the name of the host that has it
    /// @param port of a service, else 0
    /// @param priority of a service, the lowest is used first, else 0
    /// @param weight of a service among those of its priority, else 0
    record Entry(String host, int port, int priority, int weight) {}

    /// Entries, at least one.
    ///
    /// @param ttl how long they hold
    record Entries(List<Entry> entries, Duration ttl) implements NameAnswer {
        public Entries {
            entries = List.copyOf(entries);
        }
    }

    /// There is no such name, or nothing of what was asked for: the service says so for certain.
    record Absent(String why) implements NameAnswer {}

    /// It is not known: the service has not answered, or has failed itself.
    ///
    /// @param refused whether it has said that it does not answer this (REFUSED, RFC 1035 §4.1.1)
    record Failed(String why, boolean refused) implements NameAnswer {
        /// It may be known later.
        public Failed(String why) {
            this(why, false);
        }
    }
}
