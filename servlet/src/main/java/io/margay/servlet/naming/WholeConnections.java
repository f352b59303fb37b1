package io.margay.servlet.naming;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;

/// Makes a plain data source of one whose connections are made to be pooled: closing one closes
/// what is below it, for the pool above decides when. Thread-safe as what it wraps.
final class WholeConnections extends PlainConnections {
    /// Opens what a connection is taken from.
    @FunctionalInterface
    private interface Opening {
        PooledConnection open(@Nullable String user, @Nullable String password) throws SQLException;
    }

    private final Opening opening;

    private WholeConnections(Opening opening) {
        this.opening = opening;
    }

    /// A data source of that kind; null when the object is none.
    static @Nullable DataSource of(Object source) {
        return switch (source) {
            case DataSource plain -> plain;
            case ConnectionPoolDataSource pooled ->
                    new WholeConnections((user, password) ->
                            user == null
                                    ? pooled.getPooledConnection()
                                    : pooled.getPooledConnection(user, password));
            case XADataSource distributed ->
                    new WholeConnections((user, password) ->
                            user == null
                                    ? distributed.getXAConnection()
                                    : distributed.getXAConnection(user, password));
            default -> null;
        };
    }

    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(null, null);
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password)
            throws SQLException {
        PooledConnection below = opening.open(user, password);
        Connection connection = below.getConnection();
        below.addConnectionEventListener(
                new ConnectionEventListener() {
                    @Override
                    public void connectionClosed(ConnectionEvent event) {
                        try {
                            below.close();
                        } catch (SQLException _) {
                            // Nobody uses it any more; the database will notice.
                        }
                    }

                    @Override
                    public void connectionErrorOccurred(ConnectionEvent event) {
                        // The pool tests before it hands on.
                    }
                });
        return connection;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("drivers log by themselves");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
