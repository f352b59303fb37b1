package io.margay.app.deploy;

import io.margay.app.config.SessionSettings;
import io.margay.app.config.StartException;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.servlet.naming.PoolLimits;
import io.margay.servlet.naming.PoolReading;
import io.margay.servlet.naming.ResourceSpec;
import io.margay.servlet.naming.ServerResources;
import io.margay.servlet.session.SharedSessions;
import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionEngineProvider;
import io.margay.servlet.session.engine.SharedSessionLimits;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// The engine that keeps sessions for several servers, found by its name and opened, and the
/// connections to its database if a URL names one. Thread-safe.
///
/// @param pool the pool of a URL of JDBC; empty = none is needed
/// @param database the database; null = the engine is none
record SessionEngines(
        SessionSettings.Shared settings,
        ServerResources pool,
        @Nullable Supplier<DataSource> database,
        SharedSessions sessions)
        implements AutoCloseable {
    /// What a pool of connections to the database of sessions is called in metrics.
    private static final String POOL = "sessions";

    /// The sessions in the engine of a configuration, which is not asked for anything yet.
    ///
    /// @param loaders where engines and drivers are looked for
    /// @throws StartException when there is no such engine, or its settings make no sense
    static SessionEngines open(
            SessionSettings.Shared settings, ServerResources resources, List<ClassLoader> loaders) {
        String url = settings.url();
        boolean jdbc = url != null && url.startsWith("jdbc:");
        ServerResources pool =
                new ServerResources(jdbc ? Map.of(POOL, pool(settings)) : Map.of(), loaders);
        String resource = settings.resource();
        Supplier<DataSource> database =
                jdbc
                        ? () -> database(POOL, pool)
                        : resource == null ? null : () -> database(resource, resources);
        EngineSettings engine =
                new EngineSettings(
                        jdbc ? null : url,
                        database,
                        settings.connectTimeout(),
                        settings.timeout(),
                        settings.connectionsMax(),
                        EngineSettings.REMOVED_DEFAULT,
                        InstantSource.system());
        try {
            return new SessionEngines(
                    settings,
                    pool,
                    database,
                    new SharedSessions(
                            settings.store(),
                            provider(settings.store(), loaders).open(engine),
                            settings.key(),
                            settings.write(),
                            settings.sticky(),
                            SharedSessionLimits.defaults()));
        } catch (IllegalArgumentException e) {
            throw new StartException("sessions, " + settings.store() + ": " + e.getMessage(), e);
        }
    }

    private static ResourceSpec pool(SessionSettings.Shared settings) {
        PoolLimits by = PoolLimits.defaults();
        Duration least = Duration.ofMillis(250); // what the pool accepts
        Duration wait = settings.connectTimeout();
        Duration bounded = wait.compareTo(least) < 0 ? least : wait;
        return new ResourceSpec.Pool(
                new DataSourceSettings(
                        settings.url(),
                        null,
                        null,
                        null,
                        Map.of(),
                        // What MariaDB has by default locks gaps between sessions.
                        new DataSourceSettings.Session(
                                null, null, null, null, "READ_COMMITTED", null, null),
                        new PoolLimits(
                                settings.connectionsMax(),
                                by.idleMin(),
                                bounded,
                                by.idleTimeout(),
                                by.ageMax(),
                                bounded,
                                by.leakAfter())));
    }

    private static DataSource database(String name, ServerResources resources) {
        try {
            return (DataSource) resources.lookup(name);
        } catch (NamingException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (ClassCastException e) {
            throw new IllegalStateException(name + " is not a data source", e);
        }
    }

    private static SessionEngineProvider provider(String store, List<ClassLoader> loaders) {
        TreeSet<String> known = new TreeSet<>(List.of("memory"));
        for (ClassLoader loader : loaders) {
            for (SessionEngineProvider one :
                    ServiceLoader.load(SessionEngineProvider.class, loader)) {
                if (one.names().contains(store)) {
                    return one;
                }
                known.addAll(one.names());
            }
        }
        throw new StartException(
                "sessions: nothing here keeps them in \""
                        + store
                        + "\"; known are "
                        + String.join(", ", known));
    }

    /// What the pool of connections to a database has to do; empty = there is none.
    List<PoolReading> pools() {
        return pool.pools();
    }

    /// What keeps the engine from being used now; null = nothing. No tables are made in a database.
    @Nullable String unreachable() {
        Duration wait = settings.connectTimeout().plus(settings.timeout());
        FutureTask<Boolean> check = new FutureTask<>(this::check);
        Thread.ofVirtual().name("margay-sessions-check").start(check);
        String away = settings.store() + " does not answer";
        try {
            return check.get(wait.toNanos(), TimeUnit.NANOSECONDS) ? null : away;
        } catch (ExecutionException e) {
            return away + ": " + Objects.requireNonNullElse(e.getCause(), e).getMessage();
        } catch (TimeoutException e) {
            return away + " within " + wait.toMillis() + " ms";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return away;
        }
    }

    private boolean check() throws IOException, SQLException {
        if (database == null) {
            sessions.check();
            return true;
        }
        try (Connection connection = database.get().getConnection()) {
            return connection.isValid(Math.max(1, (int) settings.timeout().toSeconds()));
        }
    }

    @Override
    public void close() {
        sessions.close();
        pool.close();
    }
}
