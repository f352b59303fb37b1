package io.margay.transport.handover;

import io.margay.transport.libc.Libc;
import java.io.IOException;
import java.util.List;

/// The sockets of a port of UDP, which another process goes on with: from then on that one receives
/// what comes, and gives back what belongs to connections of this one, which sends by the same
/// sockets. The holder owns the descriptors if another process made them.
///
/// @param descriptors of the sockets
/// @param link of a Unix socket, whose other end is in the process that hands over
/// @param state what that process tells of itself, so that connections can be told apart
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DatagramSockets(List<Integer> descriptors, int link, byte[] state) {
    public DatagramSockets {
        descriptors = List.copyOf(descriptors);
    }

    /// Closes them, where nothing else does.
    public void close() throws IOException {
        Libc libc = new Libc();
        for (int each : descriptors) {
            libc.close(each);
        }
        closeLink();
    }

    /// Closes the link, where another process has it.
    public void closeLink() throws IOException {
        new Libc().close(link);
    }
}
