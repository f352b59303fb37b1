package io.margay.servlet.naming;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Connections by a driver that is held itself, and not looked up in `DriverManager`, which would
/// not show the pool a driver of an application. Thread-safe as its driver.
final class DriverConnections extends PlainConnections {
    private final Driver driver;
    private final DataSourceSettings settings;

    private DriverConnections(Driver driver, DataSourceSettings settings) {
        this.driver = driver;
        this.settings = settings;
    }

    /// @param driver null = the first that takes the URL
    static DriverConnections of(
            @Nullable Driver driver, DataSourceSettings settings, List<ClassLoader> loaders)
            throws SQLException {
        return new DriverConnections(driver == null ? find(settings, loaders) : driver, settings);
    }

    private static Driver find(DataSourceSettings settings, List<ClassLoader> loaders)
            throws SQLException {
        for (ClassLoader loader : loaders) {
            var drivers = ServiceLoader.load(Driver.class, loader).iterator();
            while (true) {
                try {
                    if (!drivers.hasNext()) {
                        break;
                    }
                    Driver driver = drivers.next();
                    if (driver.acceptsURL(settings.url())) {
                        return driver;
                    }
                } catch (ServiceConfigurationError e) {
                    throw new SQLException("a JDBC driver cannot be used: " + e.getMessage(), e);
                }
            }
        }
        throw new SQLException(
                "no JDBC driver takes "
                        + settings.shownUrl()
                        + "; put the driver's JAR into WEB-INF/lib, or into the folder of shared"
                        + " libraries (deploy: libraries)");
    }

    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(settings.user(), settings.password());
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password)
            throws SQLException {
        Properties properties = new Properties();
        properties.putAll(settings.properties());
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        Connection connection = driver.connect(settings.url(), properties);
        if (connection == null) {
            throw new SQLException(
                    "driver "
                            + driver.getClass().getName()
                            + " does not take "
                            + settings.shownUrl());
        }
        return connection;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return driver.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(driver)) {
            return type.cast(driver);
        }
        throw new SQLException("wraps no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(driver);
    }
}
