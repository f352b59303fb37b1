package io.margay.app.sample;

import jakarta.annotation.Resource;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/// Puts an order into a table of the data source `jdbc/shop`, or takes it back, and tells how many
/// there are.
public final class OrdersServlet extends HttpServlet {
    @Resource(name = "jdbc/shop")
    private transient DataSource shop;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        try (Connection connection = shop.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table if not exists orders (what text)");
            }
            try (PreparedStatement insert =
                    connection.prepareStatement("insert into orders values (?)")) {
                insert.setString(1, request.getParameter("what"));
                insert.execute();
            }
            if (request.getParameter("undo") == null) {
                connection.commit();
            } else {
                connection.rollback();
            }
            try (Statement statement = connection.createStatement();
                    ResultSet count = statement.executeQuery("select count(*) from orders")) {
                count.next();
                response.getWriter().print(count.getInt(1));
            }
            connection.commit();
        } catch (SQLException e) {
            throw new ServletException(e);
        }
    }
}
