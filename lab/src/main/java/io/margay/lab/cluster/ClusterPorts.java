package io.margay.lab.cluster;

import io.margay.lab.servers.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/// The ports of a cluster, all of 127.0.0.1: ten for each kind of process from a first one on, or
/// whichever are free. Used by one thread.
final class ClusterPorts {
    private static final int KIND = 10;

    private final int first;

    /// Held until all have been chosen, so that none is chosen twice.
    private final List<ServerSocket> held = new ArrayList<>();

    /// @param first 0 = the system chooses
    ClusterPorts(int first) {
        this.first = first;
    }

    int gateway(int number) throws IOException {
        return port(number);
    }

    int console(int number) throws IOException {
        return port(KIND + number);
    }

    int container(int number) throws IOException {
        return port(2 * KIND + number);
    }

    int engine() throws IOException {
        return port(3 * KIND);
    }

    private int port(int offset) throws IOException {
        if (first == 0) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            held.add(socket);
            return socket.getLocalPort();
        }
        int port = first + offset;
        if (!RunningServer.isFree(port)) {
            throw new IOException("port " + port + " is in use; --port chooses others");
        }
        return port;
    }

    /// All have been chosen.
    void release() throws IOException {
        for (ServerSocket socket : held) {
            socket.close();
        }
        held.clear();
    }
}
