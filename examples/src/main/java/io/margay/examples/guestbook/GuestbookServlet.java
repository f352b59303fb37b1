package io.margay.examples.guestbook;

import jakarta.annotation.Resource;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Shows the latest entries and takes new ones. Stateless but for the database.
@WebServlet("")
public final class GuestbookServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    /// Older entries are dropped, so that the memory is bounded.
    private static final int ENTRIES_MAX = 100;

    private static final int AUTHOR_CHARS_MAX = 60;
    private static final int WORDS_CHARS_MAX = 500;

    @Resource(name = "jdbc/guestbook")
    private transient DataSource database;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        StringBuilder entries = new StringBuilder();
        try (Connection connection = database.getConnection();
                PreparedStatement query =
                        connection.prepareStatement(
                                "select at, author, words from entry order by id desc");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                entries.append("<li><b>")
                        .append(escaped(rows.getString("author")))
                        .append("</b> <small>")
                        .append(rows.getTimestamp("at").toInstant())
                        .append("</small><br>")
                        .append(escaped(rows.getString("words")))
                        .append("</li>\n");
            }
        } catch (SQLException e) {
            throw new ServletException("the entries cannot be read", e);
        }
        response.setContentType("text/html; charset=UTF-8");
        PrintWriter out = response.getWriter();
        out.write(
                """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width">
                <meta name="color-scheme" content="light dark">
                <title>Guestbook</title>
                <style>
                body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 40rem;
                  padding: 0 1rem }
                label { display: block }
                li { margin: .75rem 0 }
                </style>
                </head>
                <body>
                <h1>Guestbook</h1>
                <p>Rows of a database in memory, by a data source of
                <code>META-INF/context.xml</code>.</p>
                <form method="post">
                <label>Name <input name="author" maxlength="60" required></label>
                <label>Words <input name="words" maxlength="500" size="40" required></label>
                <button>Write</button>
                </form>
                <ol reversed>
                """);
        out.append(entries).write("</ol>\n</body>\n</html>\n");
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String author = request.getParameter("author");
        String words = request.getParameter("words");
        if (!fits(author, AUTHOR_CHARS_MAX) || !fits(words, WORDS_CHARS_MAX)) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "a name and words, please");
            return;
        }
        try (Connection connection = database.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement(
                                "insert into entry (author, words) values (?, ?)");
                PreparedStatement bound =
                        connection.prepareStatement(
                                "delete from entry where id <= (select max(id) from entry) - ?")) {
            insert.setString(1, author);
            insert.setString(2, words);
            insert.executeUpdate();
            bound.setInt(1, ENTRIES_MAX);
            bound.executeUpdate();
        } catch (SQLException e) {
            throw new ServletException("the entry cannot be written", e);
        }
        // A page that is asked for anew, so that reloading it writes nothing.
        response.sendRedirect(request.getContextPath() + "/");
    }

    private static boolean fits(@Nullable String text, int charsMax) {
        return text != null && !text.isBlank() && text.length() <= charsMax;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
