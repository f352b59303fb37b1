package io.margay.testkit.fault;

import java.io.IOException;

/// A port of the loopback that leads to another one by a network that can fail. Thread-safe.
public interface Link extends AutoCloseable {
    int port();

    /// Has it fail from now on, or no more.
    void set(FaultyLink.Fault next) throws IOException;

    @Override
    void close() throws IOException;
}
