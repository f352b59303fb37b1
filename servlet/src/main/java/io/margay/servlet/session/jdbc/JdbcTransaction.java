package io.margay.servlet.session.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/// Statements of one transaction, each within a time. Used by one thread.
///
/// @param seconds that each may take
record JdbcTransaction(Connection connection, int seconds) {
    /// A statement with its parameters, to be closed by who asked for it.
    PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        boolean ready = false;
        try {
            statement.setQueryTimeout(seconds);
            for (int i = 0; i < parameters.length; i++) {
                set(statement, i + 1, parameters[i]);
            }
            ready = true;
            return statement;
        } finally {
            if (!ready) {
                statement.close();
            }
        }
    }

    private static void set(PreparedStatement statement, int at, @Nullable Object value)
            throws SQLException {
        switch (value) {
            case Long number -> statement.setLong(at, number);
            case byte[] bytes -> statement.setBytes(at, bytes);
            case String text -> statement.setString(at, text);
            case null -> statement.setNull(at, Types.VARBINARY);
            default -> throw new IllegalArgumentException("no parameter: " + value.getClass());
        }
    }

    void update(String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(sql, parameters)) {
            statement.executeUpdate();
        }
    }
}
