package io.margay.servlet.session.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The tables, made by the first server that needs them, and brought up to date by the first one of
/// a newer version: `margay_session_schema` has the number of the steps that were done.
/// Thread-safe; `making` is held while the tables are made.
final class JdbcSchema {
    /// Bytes of an attribute's name: what every database takes into a primary key together with
    /// application and identifier. PostgreSQL has no such bound in the type of its column.
    static final int NAME_BYTES_MAX = 255;

    /// Each step of a released version stays as it is; what changes is a further step. MariaDB
    /// makes tables outside of transactions, so a step that was cut short must be able to run
    /// again. `BYTES` is the database's word for bytes without a limit worth naming, `NAME` for
    /// those of a name, and `WORDS` for text that is compared character by character.
    private static final List<List<String>> STEPS =
            List.of(
                    List.of(
                            "CREATE TABLE IF NOT EXISTS margay_session ("
                                    + " application WORDS(250) NOT NULL,"
                                    + " id WORDS(100) NOT NULL, version BIGINT NOT NULL,"
                                    + " accessed BIGINT NOT NULL, idle_max BIGINT NOT NULL,"
                                    + " due BIGINT NOT NULL, head BYTES,"
                                    + " PRIMARY KEY (application, id))",
                            "CREATE INDEX IF NOT EXISTS margay_session_due"
                                    + " ON margay_session (application, due)",
                            "CREATE TABLE IF NOT EXISTS margay_session_attribute ("
                                    + " application WORDS(250) NOT NULL,"
                                    + " id WORDS(100) NOT NULL, name NAME NOT NULL,"
                                    + " content BYTES NOT NULL,"
                                    + " PRIMARY KEY (application, id, name))"),
                    List.of(
                            "ALTER TABLE margay_session_attribute"
                                    + " ADD COLUMN IF NOT EXISTS mark WORDS(60)"
                                    + " DEFAULT '' NOT NULL"));

    private final ReentrantLock making = new ReentrantLock();
    private volatile boolean ready;
    private volatile Product product = Product.H2;

    /// Attributes' names are kept as bytes, which no database compares in ways of its own.
    static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    static String name(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// The statement that adds an attribute or replaces it: application, identifier, name, content,
    /// mark. There is one as soon as it [was prepared][#prepare].
    String put() {
        return put(product);
    }

    /// The statement that counts a change of a session that is there, with its new version for its
    /// result: time of the use, interval, time of the end, the head unless that stays, application,
    /// identifier. Null where the database has none.
    @Nullable String changed(boolean head) {
        String update =
                "UPDATE margay_session SET version = version + 1, accessed = ?, idle_max = ?,"
                        + " due = ?"
                        + (head ? ", head = ?" : "")
                        + " WHERE application = ? AND id = ? AND head IS NOT NULL";
        return switch (product) {
            case POSTGRESQL -> update + " RETURNING version";
            case MARIADB -> null;
            case H2 -> "SELECT version FROM FINAL TABLE (" + update + ")";
        };
    }

    void prepare(Connection connection) throws SQLException {
        if (ready) {
            return;
        }
        making.lock();
        try {
            if (!ready) {
                make(connection);
                product = Product.of(connection);
                ready = true;
            }
        } finally {
            making.unlock();
        }
    }

    /// Whose words it understands.
    private enum Product {
        POSTGRESQL,
        MARIADB,
        H2;

        static Product of(Connection connection) throws SQLException {
            String name =
                    connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
            if (name.contains("postgresql")) {
                return POSTGRESQL;
            }
            return name.contains("mariadb") || name.contains("mysql") ? MARIADB : H2;
        }
    }

    private static String put(Product product) {
        String columns = "margay_session_attribute (application, id, name, content, mark)";
        String insert = "INSERT INTO " + columns + " VALUES (?, ?, ?, ?, ?)";
        return switch (product) {
            case POSTGRESQL ->
                    insert
                            + " ON CONFLICT (application, id, name)"
                            + " DO UPDATE SET content = EXCLUDED.content,"
                            + " mark = EXCLUDED.mark";
            case MARIADB ->
                    insert
                            + " ON DUPLICATE KEY UPDATE content = VALUES(content),"
                            + " mark = VALUES(mark)";
            case H2 ->
                    "MERGE INTO " + columns + " KEY (application, id, name) VALUES (?, ?, ?, ?, ?)";
        };
    }

    private static void make(Connection connection) throws SQLException {
        int done = done(connection);
        if (done > STEPS.size()) {
            throw new SQLException("the tables of sessions are those of a newer Margay");
        }
        for (int step = done; step < STEPS.size(); step++) {
            try {
                make(connection, step);
            } catch (SQLException e) {
                // Another server may have made it at the same time.
                if (done(connection) <= step) {
                    throw e;
                }
            }
        }
    }

    private static void make(Connection connection, int step) throws SQLException {
        Product product = Product.of(connection);
        boolean postgres = product == Product.POSTGRESQL;
        boolean maria = product == Product.MARIADB;
        String bytes = postgres ? "BYTEA" : maria ? "LONGBLOB" : "BLOB";
        String name = postgres ? "BYTEA" : "VARBINARY(" + NAME_BYTES_MAX + ")";
        String words = maria ? "VARCHAR$1 CHARACTER SET utf8mb4 COLLATE utf8mb4_bin" : "VARCHAR$1";
        boolean auto = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            for (String sql : STEPS.get(step)) {
                statement.execute(
                        sql.replace("BYTES", bytes)
                                .replace("NAME", name)
                                .replaceAll("WORDS(\\(\\d+\\))", words));
            }
            if (step == 0) {
                statement.execute(
                        "CREATE TABLE IF NOT EXISTS margay_session_schema"
                                + " (steps INTEGER NOT NULL)");
                statement.execute("INSERT INTO margay_session_schema (steps) VALUES (1)");
            } else {
                statement.execute("UPDATE margay_session_schema SET steps = " + (step + 1));
            }
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(auto);
        }
    }

    /// How many steps were done.
    private static int done(Connection connection) throws SQLException {
        for (String name : List.of("margay_session_schema", "MARGAY_SESSION_SCHEMA")) {
            try (ResultSet tables =
                    connection
                            .getMetaData()
                            .getTables(
                                    connection.getCatalog(),
                                    connection.getSchema(),
                                    name,
                                    new String[] {"TABLE", "BASE TABLE"})) {
                if (tables.next()) {
                    return steps(connection);
                }
            }
        }
        return 0;
    }

    private static int steps(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found =
                        statement.executeQuery("SELECT steps FROM margay_session_schema")) {
            return found.next() ? found.getInt(1) : 0;
        }
    }
}
