package io.margay.examples.guestbook;

import jakarta.annotation.Resource;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/// Makes the table when the application starts, and lets go of the database, which lives in memory,
/// when it ends: it closes with its last connection. Used by one thread at a time.
@WebListener
public final class Schema implements ServletContextListener {
    @Resource(name = "jdbc/guestbook")
    private DataSource database;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        execute(
                "create table if not exists entry (id bigint generated always as identity primary"
                        + " key, at timestamp default current_timestamp, author varchar(60),"
                        + " words varchar(500))");
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        execute("set db_close_delay 0");
    }

    private void execute(String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("the guestbook's database refuses: " + sql, e);
        }
    }
}
