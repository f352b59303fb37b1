package io.margay.testkit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A cluster of three primaries of `redis-server`, each with a replica if wanted. Used by one
/// thread; everything waits within a bound.
public final class RedisCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> SLOTS = List.of("0 5460", "5461 10922", "10923 16383");

    private final List<RedisProcess> servers = new ArrayList<>();
    private final List<Integer> busPorts = new ArrayList<>();

    private RedisCluster() {}

    /// Starts one, and waits until it serves.
    ///
    /// @param replicas whether each primary has one, which takes over within about two seconds
    public static RedisCluster start(boolean replicas) throws IOException {
        return start(replicas, List.of());
    }

    /// The same, whose clients are sent to a name in place of the loopback's address.
    public static RedisCluster startNamed(String host) throws IOException {
        return start(
                true,
                List.of(
                        "--cluster-announce-hostname",
                        host,
                        "--cluster-preferred-endpoint-type",
                        "hostname"));
    }

    private static RedisCluster start(boolean replicas, List<String> options) throws IOException {
        RedisCluster cluster = new RedisCluster();
        boolean started = false;
        try {
            cluster.run(replicas, options);
            started = true;
            return cluster;
        } finally {
            if (!started) {
                cluster.close();
            }
        }
    }

    private void run(boolean replicas, List<String> options) throws IOException {
        for (int i = 0; i < (replicas ? 6 : 3); i++) {
            int bus = FreePort.next();
            busPorts.add(bus);
            List<String> all =
                    new ArrayList<>(
                            List.of(
                                    "--cluster-enabled",
                                    "yes",
                                    "--cluster-port",
                                    String.valueOf(bus),
                                    "--cluster-node-timeout",
                                    "1000"));
            all.addAll(options);
            servers.add(RedisProcess.start(all.toArray(String[]::new)));
        }
        for (int i = 0; i < servers.size(); i++) {
            RedisProcess one = servers.get(i);
            if (i < 3) {
                one.command("CLUSTER ADDSLOTSRANGE " + SLOTS.get(i));
            }
            one.command("CLUSTER SET-CONFIG-EPOCH " + (i + 1));
            one.command(
                    "CLUSTER MEET 127.0.0.1 "
                            + servers.getFirst().port()
                            + " "
                            + busPorts.getFirst());
        }
        awaitWhole();
        for (int i = 3; i < servers.size(); i++) {
            RedisProcess replica = servers.get(i);
            String primary = id(servers.get(i - 3));
            Eventually.holds(
                    "it is a replica",
                    PATIENCE,
                    () -> answers(replica, "CLUSTER REPLICATE " + primary, "+OK"));
            Eventually.holds(
                    "it has what its primary has",
                    PATIENCE,
                    () -> answers(replica, "INFO replication", "master_link_status:up"));
        }
    }

    private static String id(RedisProcess server) throws IOException {
        return server.command("CLUSTER MYID").lines().skip(1).findFirst().orElseThrow();
    }

    /// Waits until each server says that all slots are served.
    public void awaitWhole() {
        for (RedisProcess one : servers) {
            Eventually.holds(
                    "the cluster is whole",
                    PATIENCE,
                    () ->
                            answers(one, "CLUSTER INFO", "cluster_state:ok")
                                    && answers(
                                            one,
                                            "CLUSTER INFO",
                                            "cluster_known_nodes:" + servers.size()));
        }
    }

    private static boolean answers(RedisProcess server, String command, String text) {
        try {
            return server.command(command).contains(text);
        } catch (IOException e) {
            return false;
        }
    }

    /// The servers: the first three were primaries at first, the others their replicas.
    public List<RedisProcess> servers() {
        return List.copyOf(servers);
    }

    public List<Integer> ports() {
        return servers.stream().map(RedisProcess::port).toList();
    }

    /// The number of a server that is a primary now.
    public int primary() {
        for (int i = 0; i < servers.size(); i++) {
            if (answers(servers.get(i), "ROLE", "master")) {
                return i;
            }
        }
        throw new AssertionError("there is no primary");
    }

    /// Kills a server that is a primary now, waits until its replica serves its slots, and starts
    /// it again, as the replica of that.
    ///
    /// @param takenOver what is done when the replica serves
    public void failOver(Runnable takenOver) throws IOException {
        RedisProcess one = servers.get(primary());
        String id = id(one);
        one.stop();
        RedisProcess other = servers.get(servers.getFirst() == one ? 1 : 0);
        Eventually.holds("another has its slots", PATIENCE, () -> areServedWithout(other, id));
        takenOver.run();
        one.run();
        Eventually.holds(
                "it is a replica now",
                PATIENCE,
                () -> answers(one, "INFO replication", "master_link_status:up"));
        awaitWhole();
    }

    /// Has all of it end at once and start again, without data.
    public void restart() throws IOException {
        servers.forEach(RedisProcess::stop);
        for (RedisProcess one : servers) {
            one.run();
        }
        awaitWhole();
    }

    /// Whether three primaries have slots, and this is none of them.
    private static boolean areServedWithout(RedisProcess asked, String id) {
        try {
            return asked.command("CLUSTER NODES")
                            .lines()
                            .map(line -> line.split(" "))
                            .filter(words -> words.length > 8 && words[2].contains("master"))
                            .filter(words -> !words[0].equals(id) && !words[2].contains("fail"))
                            .count()
                    == 3;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        servers.forEach(RedisProcess::close);
    }
}
