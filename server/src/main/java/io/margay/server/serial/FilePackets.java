package io.margay.server.serial;

import java.io.IOException;
import java.nio.channels.FileChannel;

/// How a file becomes packets. Stateless.
public interface FilePackets {
    /// Content bytes of the next packet.
    ///
    /// @param room bytes of the array it is encoded into
    int contentOfNext(int room, long remaining);

    /// Encodes a packet at the start of `target`.
    ///
    /// @return the offset after it
    /// @throws IOException when the file cannot be read, or has become shorter
    int encode(FileChannel file, long position, int length, byte[] target) throws IOException;
}
