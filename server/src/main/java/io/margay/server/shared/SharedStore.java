package io.margay.server.shared;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// An engine in which a group of servers keeps what they share. What it is given means nothing to
/// it, and it counts time by its own clock. Thread-safe; whoever calls it waits, within the bounds
/// that it was opened with.
public interface SharedStore extends AutoCloseable {
    /// A document. Immutable: nobody changes its bytes.
    final class Document {
        private final long version;
        private final byte[] content;

        /// @param version 0 = there is none
        public Document(long version, byte[] content) {
            this.version = version;
            this.content = content;
        }

        public long version() {
            return version;
        }

        public byte[] content() {
            return content;
        }
    }

    /// A number that belongs to a key of a table of counters.
    record Count(long key, long number) {}

    /// Reads a document.
    ///
    /// @param known its version that the caller has
    /// @return without its content where that still is its version
    Document read(String name, long known) throws IOException;

    /// Replaces a document, if its version is still the one that the caller has.
    ///
    /// @param known 0 = there is none
    /// @param version that it has afterwards
    /// @return whether it was replaced
    boolean write(String name, long known, long version, byte[] content) throws IOException;

    /// Takes a lease, or holds on to it.
    ///
    /// @return whether the holder has it now
    boolean lease(String name, String holder, Duration time) throws IOException;

    /// Says that a server is there.
    ///
    /// @param most servers that are told at most
    /// @return all that have said so within `time`, this one among them
    List<String> present(String server, Duration time, int most) throws IOException;

    /// Says that a server leaves.
    void absent(String server) throws IOException;

    /// Takes tokens out of buckets, whether they are in there or not.
    ///
    /// @param table whose buckets they are
    /// @param intervalNanos after which there is room for one more token
    /// @param taken how many of each bucket
    /// @return the times in nanoseconds after which the buckets are full, in the same order
    long[] take(String table, long intervalNanos, List<Count> taken) throws IOException;

    /// Says how much a server uses, and asks how much others use.
    ///
    /// @param time after which that is forgotten, if it is not said again
    /// @param used by this server, of each key
    /// @return what others use, in the same order
    long[] use(String table, String server, Duration time, List<Count> used) throws IOException;

    @Override
    void close();
}
