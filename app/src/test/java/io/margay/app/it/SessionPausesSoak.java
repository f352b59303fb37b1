package io.margay.app.it;

import io.margay.app.MariaDb;
import io.margay.app.PostgreSql;
import io.margay.testkit.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three containers behind two gateways, one of which stands still for some seconds again and
/// again, with their sessions in each store that there is, by `make pauses`: no session is lost,
/// and no update that was answered. There are `-Dmargay.pauses` pauses with each of the stores that
/// `-Dmargay.pauses.stores` names. Gateways ask by `-Dmargay.pauses.scheme`, and wait so many
/// seconds for an answer as `-Dmargay.pauses.reply` says. The result are the tables of
/// `docs/measurements/cluster-data.txt`.
final class SessionPausesSoak {
    private static final int CLIENTS = 12;
    private static final int CONTAINERS = 3;
    private static final int GATEWAYS = 2;
    private static final long STEP = 300;

    private final int pauses = Integer.getInteger("margay.pauses", 40);
    private final int reply = Integer.getInteger("margay.pauses.reply", 20);
    private final String scheme = System.getProperty("margay.pauses.scheme", "http");

    @TempDir Path folder;

    @Test
    void containers_thatPause_loseNothing() throws Exception {
        String stores = System.getProperty("margay.pauses.stores", "redis,postgresql,mariadb");
        for (String store : stores.split(",")) {
            Path own = Files.createDirectory(folder.resolve(store));
            switch (store) {
                case "redis", "valkey" -> {
                    try (RedisProcess redis = RedisProcess.startOf(store + "-server")) {
                        String url = "redis://127.0.0.1:" + redis.port();
                        pause(store, own, url, (_, _) -> "");
                    }
                }
                case "postgresql" -> {
                    try (PostgreSql database = PostgreSql.start()) {
                        String url =
                                "%s?user=%s&password=%s&socketTimeout=5"
                                        .formatted(
                                                database.url(),
                                                PostgreSql.USER,
                                                PostgreSql.PASSWORD);
                        pause(store, own, url, jdbc(own, org.postgresql.Driver.class));
                    }
                }
                case "mariadb" -> {
                    try (MariaDb database = MariaDb.start()) {
                        Class<?> driver = org.mariadb.jdbc.Driver.class;
                        pause(store, own, database.url(), jdbc(own, driver));
                    }
                }
                default -> throw new IllegalArgumentException("no store " + store);
            }
        }
    }

    private static ClusterFaults.Options jdbc(Path own, Class<?> driver) throws IOException {
        Path libraries = Files.createDirectories(own.resolve("libraries"));
        Path jar = Path.of(driver.getProtectionDomain().getCodeSource().getLocation().getPath());
        Files.copy(jar, libraries.resolve("driver.jar"));
        return new ClusterFaults.Options() {
            @Override
            public String of(int container, Path folder) {
                return "";
            }

            @Override
            public String store() {
                return "jdbc";
            }

            @Override
            public String more() {
                return "deploy: {libraries: \"" + libraries + "\"}";
            }
        };
    }

    private void pause(String store, Path own, String url, ClusterFaults.Options options)
            throws Exception {
        try (ClusterFaults cluster =
                ClusterFaults.margay(
                        own,
                        url,
                        options,
                        null,
                        null,
                        new ClusterFaults.Shape(CONTAINERS, GATEWAYS, scheme, reply, false))) {
            cluster.begin(CLIENTS);
            ClusterRow row = cluster.suffer(ClusterFault.PAUSE, pauses, Duration.ZERO, STEP);
            System.getLogger("pauses")
                    .log(
                            System.Logger.Level.INFO,
                            store + " " + row.json() + "\n" + cluster.failures());
            cluster.end();
            String how = (scheme.equals("http") ? "" : "-" + scheme) + (reply < 20 ? "-soon" : "");
            ClusterPages.PUBLISHED.write("pauses-" + store + how, List.of(row));
            cluster.judge(row);
        }
    }
}
