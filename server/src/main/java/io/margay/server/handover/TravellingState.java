package io.margay.server.handover;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;

/// A part of what a process knows that the process after it goes on with: over the connection by
/// which it takes over, or in a file of the work folder. Its holder writes it and reads it; a new
/// holder is a new class. Thread-safe.
///
/// Times are written as durations from now on, for the clocks of two processes differ.
public interface TravellingState {
    /// Its name, the same in both processes, with what it belongs to: an upstream, a host.
    String name();

    /// The form in which it is written. Another form is not read.
    default int form() {
        return 1;
    }

    /// Writes it as it is now.
    void write(DataOutput out) throws IOException;

    /// Takes over what another process has written. What is known here already stays, and it may be
    /// read more than once.
    ///
    /// @param since how long ago it was written
    /// @throws IOException when it cannot be understood; what was understood until then may hold
    void read(DataInput in, Duration since) throws IOException;

    /// A number, from 0 on, that changes when it is to be written again though the process goes on,
    /// so that not even a crash loses it; -1 = it is written at the end only.
    default long revision() {
        return -1;
    }

    /// Whether it changes until the process that has it ends, and says nothing after that: it is
    /// never in a file, and is read again and again while that process drains, then [#ended].
    default boolean isLive() {
        return false;
    }

    /// The process that wrote it has ended, or does not answer.
    default void ended() {}
}
