package io.margay.servlet.session.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
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
            if (statement.getQueryTimeout() != seconds) {
                statement.setQueryTimeout(seconds); // H2 asks its server to, and for all of them
            }
            set(statement, parameters);
            ready = true;
            return statement;
        } finally {
            if (!ready) {
                statement.close();
            }
        }
    }

    private static void set(PreparedStatement statement, @Nullable Object[] parameters)
            throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            set(statement, i + 1, parameters[i]);
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

    /// The number that a statement has for its first result; null when there is none.
    @Nullable Long number(String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(sql, parameters);
                ResultSet found = statement.executeQuery()) {
            return found.next() ? found.getLong(1) : null;
        }
    }

    /// How many rows it was.
    int update(String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    /// The same for each of several, at once where the driver can.
    void each(String sql, List<Object[]> all) throws SQLException {
        if (all.isEmpty()) {
            return;
        }
        if (all.size() == 1) {
            update(sql, all.getFirst());
            return;
        }
        try (PreparedStatement statement = prepare(sql)) {
            for (Object[] one : all) {
                set(statement, one);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }
}
