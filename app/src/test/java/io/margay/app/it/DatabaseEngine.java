package io.margay.app.it;

import io.margay.app.MariaDb;
import io.margay.app.PostgreSql;
import io.margay.testkit.fault.FaultyLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A database that keeps sessions, and the network between it and all containers. Used by one
/// thread.
final class DatabaseEngine implements ClusterEngine {
    private final AutoCloseable database;
    private final Step stop;
    private final Step run;
    private final FaultyLink link;
    private final String url;
    private final Class<?> driver;

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private DatabaseEngine(
            AutoCloseable database,
            Step stop,
            Step run,
            FaultyLink link,
            String url,
            Class<?> driver) {
        this.database = database;
        this.stop = stop;
        this.run = run;
        this.link = link;
        this.url = url;
        this.driver = driver;
    }

    static DatabaseEngine postgreSql() throws IOException, InterruptedException {
        PostgreSql started = PostgreSql.start();
        FaultyLink link = new FaultyLink(started.port());
        String url =
                "jdbc:postgresql://127.0.0.1:%d/postgres?user=%s&password=%s&socketTimeout=5"
                        .formatted(link.port(), PostgreSql.USER, PostgreSql.PASSWORD);
        return new DatabaseEngine(
                started, started::stop, started::run, link, url, org.postgresql.Driver.class);
    }

    static DatabaseEngine mariaDb() throws IOException, InterruptedException {
        MariaDb started = MariaDb.start();
        FaultyLink link = new FaultyLink(started.port());
        return new DatabaseEngine(
                started,
                started::stop,
                started::run,
                link,
                started.url(link.port()),
                org.mariadb.jdbc.Driver.class);
    }

    String url() {
        return url;
    }

    /// What containers are told, which have the driver among their libraries.
    ClusterFaults.Options options(Path own) throws IOException {
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

    @Override
    public boolean canSuffer(ClusterFault fault) {
        return switch (fault) {
            case ENGINE, PRIMARY_CUT_OFF, ENGINE_DELAY, ENGINE_LOSS -> true;
            default -> false;
        };
    }

    @Override
    public void suffer(ClusterFault fault, int container, Meanwhile meanwhile)
            throws IOException, InterruptedException {
        if (fault == ClusterFault.ENGINE) {
            stop.run();
            run.run();
            return;
        }
        link.set(
                switch (fault) {
                    case PRIMARY_CUT_OFF -> FaultyLink.Fault.STALL;
                    case ENGINE_DELAY -> FaultyLink.Fault.DELAY;
                    case ENGINE_LOSS -> FaultyLink.Fault.LOSS;
                    default -> throw new IllegalArgumentException(fault.words());
                });
        meanwhile.pass();
        link.set(FaultyLink.Fault.NONE);
    }

    @Override
    public void close() throws IOException {
        link.close();
        try {
            database.close();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
