package io.margay.transport.handover;

import io.margay.transport.libc.Libc;
import io.margay.transport.libc.OpenDescriptors;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A socket that listens, by the number of its descriptor. Immutable; the holder owns the
/// descriptor if another process made it.
///
/// @param name what it is known by on both sides; may be empty
/// @param datagrams those of UDP at the same address, or null
public record ListeningSocket(
        String name, SocketAddress address, int descriptor, @Nullable DatagramSockets datagrams) {
    /// One without those of UDP.
    public ListeningSocket(String name, SocketAddress address, int descriptor) {
        this(name, address, descriptor, null);
    }

    /// A socket of this process, which its listener owns and keeps open meanwhile.
    ///
    /// @throws IOException when none listens there
    public static ListeningSocket own(String name, SocketAddress address) throws IOException {
        return new ListeningSocket(name, address, OpenDescriptors.listening(address));
    }

    /// One that another process has opened; no process that this one starts gets it.
    ///
    /// @throws IOException when it does not listen
    public static ListeningSocket given(String name, int descriptor) throws IOException {
        SocketAddress address = OpenDescriptors.address(descriptor);
        new Libc().closeOnExec(descriptor);
        return new ListeningSocket(name, address, descriptor);
    }

    /// The same with those of UDP.
    public ListeningSocket with(@Nullable DatagramSockets more) {
        return new ListeningSocket(name, address, descriptor, more);
    }

    /// Whether it listens where something is to listen, where every address of the machine has two
    /// names.
    public boolean isAt(SocketAddress wanted) {
        return OpenDescriptors.isSame(address, wanted);
    }

    /// Closes it, where nothing else does.
    public void close() throws IOException {
        new Libc().close(descriptor);
    }
}
