package io.margay.app.it;

import java.io.IOException;
import java.util.List;

/// A container of a cluster, with [ClusterServlet] at `/app`, on ports that stay the same when it
/// is started again. Used by one thread, but for its name and port.
interface ClusterContainer extends AutoCloseable {
    /// Its name, which is also the route of its sessions.
    String name();

    /// Where it listens for HTTP.
    int httpPort();

    /// Where it listens for `http` or, if it does, for `ajp`.
    default int port(String scheme) {
        if (!scheme.equals("http")) {
            throw new IllegalArgumentException("no port for " + scheme);
        }
        return httpPort();
    }

    /// The ids of all POST requests that it has run.
    List<String> runs() throws IOException;

    /// Waits until it serves.
    void await();

    /// SIGKILL.
    void kill();

    /// A new process on the same ports.
    void start() throws IOException;

    /// SIGTERM, the end in good order, and a new process on the same ports.
    void restart() throws IOException, InterruptedException;

    /// Sends a signal, such as STOP.
    void signal(String signal) throws IOException, InterruptedException;

    @Override
    void close();
}
