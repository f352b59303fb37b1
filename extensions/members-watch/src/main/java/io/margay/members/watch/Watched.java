package io.margay.members.watch;

import io.margay.gateway.config.PeerConfig;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// What is known of the members in an API, and how it is asked. Used by one thread.
interface Watched extends AutoCloseable {
    /// Reads all that there is, in place of what was known.
    void readAll() throws IOException, InterruptedException;

    /// Begins to be told what changes after that.
    ///
    /// @throws ExpiredException when it is too old to go on from there
    EventLines watch() throws IOException, InterruptedException;

    /// Takes over what a line of [#watch] says.
    ///
    /// @return whether something may have changed
    /// @throws ExpiredException when it is too old to go on from there
    boolean take(Map<String, Object> event) throws IOException;

    /// The members, as they are known now.
    ///
    /// @throws IOException when they cannot be told; its message says why
    List<PeerConfig> members() throws IOException;

    /// Something has failed: it may be another server's turn.
    void failed();

    @Override
    void close();
}
