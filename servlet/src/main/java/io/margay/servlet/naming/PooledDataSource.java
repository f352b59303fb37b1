package io.margay.servlet.naming;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.margay.server.steps.Steps;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// The data source that applications get: HikariCP's, without a way to close it, for it may be
/// shared. Thread-safe.
final class PooledDataSource implements DataSource {
    private final HikariDataSource pool;
    private final PoolMeter meter;

    /// What the database is.
    private final String system;

    private PooledDataSource(HikariDataSource pool, PoolMeter meter, String system) {
        this.pool = pool;
        this.meter = meter;
        this.system = system;
    }

    /// Opens a pool; the database is not asked before somebody wants a connection.
    ///
    /// @param loaders where the driver is looked for; the pool's threads have the first as context
    static PooledDataSource open(
            String name, DataSourceSettings settings, List<ClassLoader> loaders)
            throws SQLException, ReflectiveOperationException {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(source(settings, loaders));
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.setThreadFactory(threads(name, loaders.getFirst()));
        config.setRegisterMbeans(false);
        PoolMeter meter = new PoolMeter();
        config.setMetricsTrackerFactory((_, stats) -> meter.of(stats));
        // A database that is down keeps no application from starting.
        config.setInitializationFailTimeout(-1);
        limits(config, settings.limits());
        session(config, settings.session());
        String system = FollowedConnection.system(settings.url(), settings.className());
        return new PooledDataSource(new HikariDataSource(config), meter, system);
    }

    private static void limits(HikariConfig config, PoolLimits limits) {
        config.setMaximumPoolSize(limits.sizeMax());
        config.setMinimumIdle(limits.idleMin());
        config.setConnectionTimeout(limits.waitMax().toMillis());
        config.setIdleTimeout(limits.idleTimeout().toMillis());
        config.setMaxLifetime(limits.ageMax().toMillis());
        config.setValidationTimeout(
                limits.waitMax().isZero()
                        ? limits.testTimeout().toMillis()
                        : Math.min(limits.testTimeout().toMillis(), limits.waitMax().toMillis()));
        config.setLeakDetectionThreshold(limits.leakAfter().toMillis());
    }

    private static void session(HikariConfig config, DataSourceSettings.Session session) {
        if (session.testQuery() != null) {
            config.setConnectionTestQuery(session.testQuery());
        }
        if (session.initSql() != null) {
            config.setConnectionInitSql(session.initSql());
        }
        if (session.autoCommit() != null) {
            config.setAutoCommit(session.autoCommit());
        }
        if (session.readOnly() != null) {
            config.setReadOnly(session.readOnly());
        }
        String isolation = session.isolation();
        if (isolation != null) {
            String bare =
                    isolation.startsWith("TRANSACTION_") ? isolation.substring(12) : isolation;
            boolean number = bare.chars().allMatch(c -> c >= '0' && c <= '9');
            config.setTransactionIsolation(number ? bare : "TRANSACTION_" + bare);
        }
        config.setCatalog(session.catalog());
        config.setSchema(session.schema());
    }

    private static DataSource source(DataSourceSettings settings, List<ClassLoader> loaders)
            throws SQLException, ReflectiveOperationException {
        String className = settings.className();
        if (className == null) {
            return DriverConnections.of(null, settings, loaders);
        }
        Object made = ResourceMaker.instance(className, loaders);
        if (made instanceof Driver driver) {
            if (settings.url() == null) {
                throw new SQLException("a driver needs a URL: " + className);
            }
            return DriverConnections.of(driver, settings, loaders);
        }
        DataSource source = WholeConnections.of(made);
        if (source == null) {
            throw new SQLException(className + " is neither a driver nor a data source");
        }
        if (settings.url() != null && !BeanProperty.setIfThere(made, "url", settings.url())) {
            BeanProperty.set(made, "URL", settings.url());
        }
        boolean _ = BeanProperty.setIfThere(made, "user", settings.user());
        boolean _ = BeanProperty.setIfThere(made, "password", settings.password());
        for (Map.Entry<String, String> property : settings.properties().entrySet()) {
            BeanProperty.set(made, property.getKey(), property.getValue());
        }
        return source;
    }

    /// Threads of the pool, which keep no hold on whoever happened to ask for a connection.
    private static ThreadFactory threads(String name, ClassLoader context) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread =
                    Thread.ofPlatform()
                            .daemon()
                            .inheritInheritableThreadLocals(false)
                            .name("margay-pool-" + name + "-" + number.incrementAndGet())
                            .unstarted(task);
            thread.setContextClassLoader(context);
            return thread;
        };
    }

    /// What the pool has and had to do.
    PoolReading read() {
        return meter.read(pool.getPoolName());
    }

    /// Closes all connections.
    void end() {
        pool.close();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = pool.getConnection();
        return Steps.areTold()
                ? FollowedConnection.of(connection, pool.getPoolName(), system)
                : connection;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException(
                "all connections of a pool are of the user that its declaration names");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return pool.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("drivers log by themselves");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("the wait is bounded where the pool is declared");
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("drivers log by themselves");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return pool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return pool.isWrapperFor(type);
    }

    @Override
    public String toString() {
        return "data source " + pool.getPoolName();
    }
}
