package shop;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Counts the visits of a session, which outlive a change of this class.
@WebServlet("/visits")
public final class Visits extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        @Nullable Object before = request.getSession().getAttribute("visits");
        int visits = before == null ? 1 : (Integer) before + 1;
        request.getSession().setAttribute("visits", visits);
        response.getWriter().println("visit " + visits);
    }
}
