package io.margay.gateway.discovery;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/// An engine in which members register and gateways look. It counts leases by its own clock, and
/// what it is given means nothing to it. Thread-safe; whoever calls it may wait.
public interface MemberRegistry extends AutoCloseable {
    /// Registers a member, or renews its lease.
    ///
    /// @throws IOException when the engine does not answer, or refuses it: there are too many, or
    ///   another URL, the second word of its line, has the name; the message says which
    void put(String upstream, String name, String line, Duration lease) throws IOException;

    /// Ends the lease of a member.
    void remove(String upstream, String name) throws IOException;

    /// The lines of all members, by their names; one more than there may be where there are more.
    Map<String, String> read(String upstream) throws IOException;

    @Override
    void close();
}
