package io.margay.app.sample;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/// Adds a row to a table of the server's data source and tells how many there are.
@SuppressWarnings("BanJNDI") // As applications do.
public final class RowsServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        try {
            DataSource source = (DataSource) new InitialContext().lookup("java:global/jdbc/rows");
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table if not exists t (n int)");
                statement.execute("insert into t values (1)");
                ResultSet count = statement.executeQuery("select count(*) from t");
                count.next();
                response.getWriter().print(count.getInt(1));
            }
        } catch (NamingException | SQLException e) {
            throw new ServletException(e);
        }
    }
}
