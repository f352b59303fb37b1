package io.margay.lab.cluster;

/// What a cluster consists of. Immutable.
///
/// @param port of the first gateway; the others follow ([ClusterPorts]). 0 = the system chooses all
public record ClusterSizes(int gateways, int containers, int port, Sessions sessions) {
    /// Machines of one kind at most: more would be no easier to understand, and their ports would
    /// meet.
    public static final int COUNT_MAX = 9;

    /// Where sessions are kept.
    public enum Sessions {
        /// In the first of these that this machine has.
        AUTO,
        /// In `valkey-server` or `redis-server`.
        VALKEY,
        /// In a database, H2, in a file that the containers share.
        JDBC,
        /// In each container, which takes its sessions along.
        MEMORY
    }
}
