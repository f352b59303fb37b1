package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;

/// Counts the requests of a session.
public final class CountServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpSession session = request.getSession();
        Object before = session.getAttribute("count");
        int count = before instanceof Integer number ? number + 1 : 1;
        session.setAttribute("count", count);
        response.setContentType("text/plain");
        response.getWriter().print("count " + count);
    }
}
