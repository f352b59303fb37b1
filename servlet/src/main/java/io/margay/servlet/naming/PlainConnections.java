package io.margay.servlet.naming;

import java.io.PrintWriter;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Where a pool gets its connections: it writes no log of its own. Thread-safe.
abstract class PlainConnections implements DataSource {
    /// The pool bounds the wait itself; it asks for this when it ends.
    private volatile int loginSeconds;

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("drivers log by themselves");
    }

    @Override
    public void setLoginTimeout(int seconds) {
        loginSeconds = seconds;
    }

    @Override
    public int getLoginTimeout() {
        return loginSeconds;
    }
}
