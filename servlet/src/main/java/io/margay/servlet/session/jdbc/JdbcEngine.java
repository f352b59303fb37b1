package io.margay.servlet.session.jdbc;

import io.margay.servlet.session.engine.EngineFullException;
import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionChange;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionKey;
import io.margay.servlet.session.engine.StoredSession;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Sessions in a database: a row for each, and one for each attribute. Each change is a transaction
/// that begins with a lock of the session's row, so that one comes after the other; a look at a
/// session is one query, and once a second an update that holds only for a session that is still
/// there. Times are those of the servers, whose clocks must agree to the second.
///
/// A session that was removed is a row without a head, until the time that its `due` says.
///
/// Thread-safe; the tables are made, or brought up to date, by the first call.
final class JdbcEngine implements SessionEngine {
    /// Of two transactions that are in each other's way one goes on; so of this many at once.
    private static final int ATTEMPTS_MAX = 5;

    /// How exactly the database knows when a session was used last; also to a sixtieth of the time
    /// after which it ends.
    private static final long USES_MILLIS = 1000;

    /// The state of SQL that says so.
    private static final String ANOTHER_WAS_FIRST = "40001";

    private final EngineSettings settings;
    private final Supplier<DataSource> database;
    private final JdbcSchema schema = new JdbcSchema();
    private final Semaphore slots;

    JdbcEngine(EngineSettings settings, Supplier<DataSource> database) {
        this.slots = new Semaphore(settings.connectionsMax());
        this.settings = settings;
        this.database = database;
    }

    /// What is done in one transaction.
    @FunctionalInterface
    private interface Work<T> {
        T in(JdbcTransaction transaction) throws SQLException;
    }

    /// Does it on a thread of its own, for whatever holds up a pool, a driver or a database, the
    /// caller waits no longer than the settings say, for a slot and an answer together. Who is left
    /// behind holds one of the slots, so that there are no more of them than connections.
    private <T> T transact(Work<T> work) throws IOException {
        return call(work, true);
    }

    /// The same, each statement by itself.
    private <T> T ask(Work<T> work) throws IOException {
        return call(work, false);
    }

    private <T> T call(Work<T> work, boolean together) throws IOException {
        long wait = settings.connectTimeout().plus(settings.timeout()).toNanos();
        long begin = System.nanoTime();
        FutureTask<T> task = new FutureTask<>(() -> done(work, together));
        try {
            if (!slots.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
                throw late("all calls of the database are waiting", null);
            }
            Runnable call =
                    () -> {
                        try {
                            task.run();
                        } finally {
                            slots.release();
                        }
                    };
            Thread.ofVirtual().name("margay-sessions-jdbc").start(call);
            return task.get(wait - (System.nanoTime() - begin), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the database was asked", e);
        } catch (TimeoutException e) {
            task.cancel(true);
            throw new IOException("the database does not answer in time", e);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            if (cause instanceof SQLException failure && isFull(failure)) {
                throw new EngineFullException(String.valueOf(failure.getMessage()), failure);
            }
            boolean waited = System.nanoTime() - begin >= settings.timeout().toNanos();
            if (cause instanceof SQLException failure
                    && (isLate(failure) || (waited && isOfConnection(failure)))) {
                throw late(String.valueOf(failure.getMessage()), failure);
            }
            throw new IOException(cause.getMessage(), cause);
        }
    }

    /// It has taken too long, which is no refusal.
    private static IOException late(String why, @Nullable SQLException cause) {
        TimeoutException late = new TimeoutException(why);
        if (cause != null) {
            late.initCause(cause);
        }
        return new IOException(why, late);
    }

    private <T> T done(Work<T> work, boolean together) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return doneOnce(work, together);
            } catch (SQLException e) {
                if (attempt == ATTEMPTS_MAX || !isOfTwoAtOnce(e)) {
                    throw e;
                }
            }
        }
    }

    /// Whether another transaction was in the way, which is over now: the database has rolled this
    /// one back (class 40 of SQL states), or both have inserted the same row (class 23).
    private static boolean isOfTwoAtOnce(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && (state.startsWith("40") || state.startsWith("23"));
    }

    private <T> T doneOnce(Work<T> work, boolean together) throws SQLException {
        try (Connection connection = database.get().getConnection()) {
            schema.prepare(connection);
            int seconds = Math.max(1, (int) settings.timeout().toSeconds());
            JdbcTransaction transaction = new JdbcTransaction(connection, seconds);
            if (!together) {
                if (!connection.getAutoCommit()) {
                    connection.setAutoCommit(true);
                }
                return work.in(transaction);
            }
            connection.setAutoCommit(false);
            T result;
            try {
                result = work.in(transaction);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                undo(connection, e);
                throw e;
            }
            connection.setAutoCommit(true);
            return result;
        }
    }

    /// A connection that has ended undoes by itself, and what it says then is not why it failed.
    private static void undo(Connection connection, Exception cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    private long now() {
        return settings.clock().millis();
    }

    // Reading

    /// A row of the table of sessions.
    @SuppressWarnings("ArrayRecordComponent") // bytes on their way, never compared
    private record Row(
            long version, long accessedMillis, long intervalMillis, byte @Nullable [] head) {
        boolean isDue(long now) {
            return intervalMillis > 0 && now - accessedMillis >= intervalMillis;
        }

        /// Whether it is to be written down that it is used.
        boolean isUsed(long now) {
            long exact =
                    intervalMillis > 0 ? Math.min(USES_MILLIS, intervalMillis / 60) : USES_MILLIS;
            return now - accessedMillis > exact;
        }

        static long due(long accessedMillis, long intervalMillis) {
            return intervalMillis > 0 ? accessedMillis + intervalMillis : Long.MAX_VALUE;
        }
    }

    /// A session's row, which nobody else changes until the end of the transaction.
    private static @Nullable Row row(JdbcTransaction in, SessionKey key) throws SQLException {
        try (PreparedStatement query =
                        in.prepare(
                                "SELECT version, accessed, idle_max, head FROM margay_session"
                                        + " WHERE application = ? AND id = ? FOR UPDATE",
                                key.application(),
                                key.id());
                ResultSet found = query.executeQuery()) {
            return found.next() ? row(found) : null;
        }
    }

    private static Row row(ResultSet found) throws SQLException {
        return new Row(found.getLong(1), found.getLong(2), found.getLong(3), found.getBytes(4));
    }

    private StoredSession stored(JdbcTransaction in, SessionKey key, Row row, byte[] head)
            throws SQLException {
        return new Seen(row, attributes(in, key).read()).stored(key, head);
    }

    private JdbcAttributes attributes(JdbcTransaction in, SessionKey key) {
        return new JdbcAttributes(in, key, schema.put());
    }

    /// A session as one query has found it.
    ///
    /// @param attributes none of the version that is known
    private record Seen(Row row, JdbcAttributes.Found attributes) {
        StoredSession stored(SessionKey key, byte[] head) {
            return new StoredSession(
                    key.id(),
                    row.version(),
                    row.accessedMillis(),
                    head,
                    attributes.contents(),
                    attributes.marks());
        }
    }

    private static @Nullable Seen seen(JdbcTransaction in, SessionKey key, long knownVersion)
            throws SQLException {
        try (PreparedStatement query =
                        in.prepare(
                                "SELECT s.version, s.accessed, s.idle_max, s.head,"
                                        + " a.name, a.content, a.mark"
                                        + " FROM margay_session s"
                                        + " LEFT JOIN margay_session_attribute a"
                                        + " ON a.application = s.application AND a.id = s.id"
                                        + " AND s.version <> ?"
                                        + " WHERE s.application = ? AND s.id = ?",
                                knownVersion,
                                key.application(),
                                key.id());
                ResultSet found = query.executeQuery()) {
            Seen seen = null;
            while (found.next()) {
                if (seen == null) {
                    seen = new Seen(row(found), new JdbcAttributes.Found());
                }
                byte[] name = found.getBytes(5);
                if (name != null) {
                    seen.attributes().add(name, found.getBytes(6), found.getString(7));
                }
            }
            return seen;
        }
    }

    @Override
    public Lookup use(SessionKey key, long knownVersion) throws IOException {
        return ask(in -> {
            long now = now();
            Seen seen = seen(in, key, knownVersion);
            if (seen == null) {
                return new Lookup.Absent();
            }
            Row row = seen.row();
            byte[] head = row.head();
            if (head == null) {
                return new Lookup.Removed();
            }
            if (row.isDue(now)) {
                return new Lookup.Absent();
            }
            if (row.isUsed(now)) {
                used(in, key, row, now);
            }
            return row.version() == knownVersion
                    ? new Lookup.Unchanged(row.accessedMillis())
                    : new Lookup.Found(seen.stored(key, head));
        });
    }

    /// Counts it as a use of a session, unless that has been removed or taken as timed out since it
    /// was seen. A database without room counts none, is read still, and is asked again with the
    /// next use.
    private static void used(JdbcTransaction in, SessionKey key, Row row, long now)
            throws SQLException {
        long interval = row.intervalMillis();
        int there;
        try {
            there =
                    in.update(
                            "UPDATE margay_session SET accessed = ?, due = ?"
                                    + " WHERE application = ? AND id = ?"
                                    + " AND head IS NOT NULL AND idle_max = ? AND accessed > ?",
                            now,
                            Row.due(now, interval),
                            key.application(),
                            key.id(),
                            interval,
                            interval > 0 ? now - interval : Long.MIN_VALUE);
        } catch (SQLException e) {
            if (isFull(e)) {
                return;
            }
            throw e;
        }
        if (there == 0) {
            throw new SQLException("the session is another one by now", ANOTHER_WAS_FIRST);
        }
    }

    // Writing

    @Override
    public Saved save(SessionKey key, SessionChange change) throws IOException {
        return transact(in -> {
            long now = now();
            Long changed = change.whole() ? null : changed(in, key, change, now);
            Row row = changed == null ? row(in, key) : null;
            if (row != null && row.head() == null) {
                return new Saved.Removed();
            }
            boolean isNew = changed == null && row == null;
            if (isNew && !change.whole()) {
                return new Saved.Absent();
            }
            long version = changed != null ? changed : row == null ? now : row.version() + 1;
            byte[] head = change.head() != null ? change.head() : row == null ? null : row.head();
            long due = Row.due(now, change.intervalMillis());
            if (isNew) {
                in.update(
                        "INSERT INTO margay_session"
                                + " (version, accessed, idle_max, due, head, application, id)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?)",
                        version,
                        now,
                        change.intervalMillis(),
                        due,
                        head,
                        key.application(),
                        key.id());
            } else if (row != null) {
                in.update(
                        "UPDATE margay_session"
                                + " SET version = ?, accessed = ?, idle_max = ?, due = ?, head = ?"
                                + " WHERE application = ? AND id = ?",
                        version,
                        now,
                        change.intervalMillis(),
                        due,
                        head,
                        key.application(),
                        key.id());
            }
            return new Saved.As(version, attributes(in, key).write(change, version, isNew));
        });
    }

    /// Counts a change of a session that is there, in one statement, and locks its row by that.
    ///
    /// @return its version now; null where it is not there, or the database cannot say so at once
    private @Nullable Long changed(
            JdbcTransaction in, SessionKey key, SessionChange change, long now)
            throws SQLException {
        byte[] head = change.head();
        String sql = schema.changed(head != null);
        if (sql == null) {
            return null;
        }
        List<Object> parameters = new ArrayList<>();
        parameters.add(now);
        parameters.add(change.intervalMillis());
        parameters.add(Row.due(now, change.intervalMillis()));
        if (head != null) {
            parameters.add(head);
        }
        parameters.add(key.application());
        parameters.add(key.id());
        return in.number(sql, parameters.toArray());
    }

    @Override
    public boolean remove(SessionKey key) throws IOException {
        return transact(in -> {
            Row row = row(in, key);
            if (row != null && row.head() == null) {
                return false;
            }
            removed(in, key, row != null);
            return true;
        });
    }

    /// Leaves nothing of a session but that there was one.
    private void removed(JdbcTransaction in, SessionKey key, boolean there) throws SQLException {
        long until = now() + settings.removedFor().toMillis();
        if (there) {
            in.update(
                    "UPDATE margay_session SET due = ?, head = NULL"
                            + " WHERE application = ? AND id = ?",
                    until,
                    key.application(),
                    key.id());
            in.update(
                    "DELETE FROM margay_session_attribute WHERE application = ? AND id = ?",
                    key.application(),
                    key.id());
        } else {
            in.update(
                    "INSERT INTO margay_session"
                            + " (version, accessed, idle_max, due, application, id)"
                            + " VALUES (0, 0, 0, ?, ?, ?)",
                    until,
                    key.application(),
                    key.id());
        }
    }

    @Override
    public List<StoredSession> takeExpired(String application, int max) throws IOException {
        List<String> due = transact(in -> due(in, application, max));
        List<StoredSession> taken = new ArrayList<>();
        for (String id : due) {
            SessionKey key = new SessionKey(application, id);
            transact(in -> Optional.ofNullable(taken(in, key))).ifPresent(taken::add);
        }
        return taken;
    }

    private List<String> due(JdbcTransaction in, String application, int max) throws SQLException {
        in.update(
                "DELETE FROM margay_session WHERE application = ? AND due < ? AND head IS NULL",
                application,
                now());
        List<String> due = new ArrayList<>();
        try (PreparedStatement query =
                in.prepare(
                        "SELECT id FROM margay_session"
                                + " WHERE application = ? AND due <= ? AND head IS NOT NULL",
                        application,
                        now())) {
            query.setMaxRows(max);
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    due.add(found.getString(1));
                }
            }
        }
        return due;
    }

    private @Nullable StoredSession taken(JdbcTransaction in, SessionKey key) throws SQLException {
        Row row = row(in, key);
        byte[] head = row == null ? null : row.head();
        if (row == null || head == null || !row.isDue(now())) {
            return null;
        }
        StoredSession stored = stored(in, key, row, head);
        removed(in, key, true);
        return stored;
    }

    @Override
    public int attributeNameBytesMax() {
        return JdbcSchema.NAME_BYTES_MAX;
    }

    @Override
    public void check() throws IOException {
        // What only reads, as a replica does, or has no room, refuses a row; none is ever seen.
        Object[] row = {"", UUID.randomUUID().toString()};
        int _ =
                call(
                        in -> {
                            in.update(
                                    "INSERT INTO margay_session (version, accessed, idle_max,"
                                            + " due, application, id)"
                                            + " VALUES (0, 0, 0, 0, ?, ?)",
                                    row);
                            return in.update(
                                    "DELETE FROM margay_session"
                                            + " WHERE application = ? AND id = ?",
                                    row);
                        },
                        true);
    }

    /// PostgreSQL's `disk_full`; MariaDB's `ER_DISK_FULL` and `ER_RECORD_FILE_FULL`.
    private static boolean isFull(SQLException failure) {
        return "53100".equals(failure.getSQLState())
                || failure.getErrorCode() == 1021
                || failure.getErrorCode() == 1114;
    }

    /// Whether a statement was ended for its time, or since a row was locked for too long, as by a
    /// server that stands still within a transaction: 57014 and 55P03 of PostgreSQL, 1205, 1317 and
    /// 1969 of MariaDB. A connection that has ended (class 08) may have waited, too: the driver of
    /// MariaDB ends one whose time is over.
    private static boolean isLate(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return failure instanceof SQLTimeoutException
                || state.equals("57014")
                || state.equals("55P03")
                || Set.of(1205, 1317, 1969).contains(failure.getErrorCode());
    }

    /// A driver that finds its time over may end the connection, and tell of that.
    private static boolean isOfConnection(SQLException failure) {
        return String.valueOf(failure.getSQLState()).startsWith("08");
    }

    /// The connections are the data source's.
    @Override
    public void close() {}
}
