package io.margay.gateway.limit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/// How many requests of each key have come lately, in memory of a fixed size. Thread-safe.
public sealed interface RateTable permits BucketTable, WindowTable {
    /// Counts a request of a key, or one that is to come.
    ///
    /// @param key a hash
    /// @param waitMaxNanos how long the caller would wait
    /// @return how long it has to wait, in nanoseconds; when that is longer than it would, nothing
    ///   has been counted
    long take(long key, long now, long waitMaxNanos);

    /// How many requests may come now.
    int left(long key, long now);

    /// After which time a key is as good as new.
    long untilFull(long key, long now);

    /// How many keys had to be forgotten before that.
    long forgotten();

    /// Writes what is known of keys, for the process that goes on with it.
    void write(DataOutput out, long now) throws IOException;

    /// Takes over what another process has written; nobody has more room here afterwards than
    /// either of both would give.
    ///
    /// @param sinceNanos how long ago
    void read(DataInput in, long now, long sinceNanos) throws IOException;
}
