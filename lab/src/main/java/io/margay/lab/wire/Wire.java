package io.margay.lab.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/// The bytes of one connection to a server, plain or encrypted; it never waits. Confined to the
/// loop.
public sealed interface Wire permits PlainWire, TlsWire {
    /// Goes on connecting; true once requests can be sent.
    boolean advance() throws IOException;

    /// Reads what is there into `target` from `offset`: the number of bytes, 0 for none, -1 at the
    /// end.
    int read(byte[] target, int offset) throws IOException;

    /// Writes what it can; false if something is left, so that [#flush] must follow.
    boolean write(ByteBuffer source) throws IOException;

    /// Writes what is left; true once nothing is.
    boolean flush() throws IOException;

    /// What was agreed on by ALPN; empty for nothing.
    String protocol();

    /// Closes the connection, with a farewell where the protocol has one.
    void close();
}
