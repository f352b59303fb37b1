package io.margay.server.shared;

import java.time.Duration;

/// Bounds of what servers share. Immutable.
///
/// @param entriesMax entries of a table: the whole of it is read and written at once; 13 settings
///   of 300 members
/// @param tableBytesMax bytes of a table in the engine; as many entries with who has changed them
/// @param writesMax tries to change a table that others are changing, too; more servers than change
///   one thing at once
/// @param serversMax servers of a group that are told of; more than a group of gateways has
/// @param every pause between two looks at what others have changed; an operator waits no longer
///   for the others
/// @param presence after which a server is gone that says nothing; some looks may fail
/// @param timeout how long a connection to the engine, or an answer of it, may take; no request
///   waits for it
/// @param connectionsMax connections to the engine; few threads ask
/// @param failuresMax failures in a row after which nobody waits for the engine any more; one
///   failure may be a restart
/// @param awayFirst pause before it is asked for a sign of life; it doubles each time; a restart
///   takes as long
/// @param awayMax the longest such pause; it is back that soon
public record SharedLimits(
        int entriesMax,
        int tableBytesMax,
        int writesMax,
        int serversMax,
        Duration every,
        Duration presence,
        Duration timeout,
        int connectionsMax,
        int failuresMax,
        Duration awayFirst,
        Duration awayMax) {
    /// More than a nonce and a tag add to what is encrypted.
    private static final int SEALED_EXTRA = 64;

    /// Bytes of a document in the engine, at most.
    public int sealedBytesMax() {
        return tableBytesMax + SEALED_EXTRA;
    }

    public static SharedLimits defaults() {
        return new SharedLimits(
                4_096,
                1 << 20,
                100,
                256,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                4,
                3,
                Duration.ofMillis(500),
                Duration.ofSeconds(5));
    }
}
