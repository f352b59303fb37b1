package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Leaves attributes in the request, and below every path but `/none` in a session.
public final class RememberingServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        request.setAttribute("who", "ada");
        if (!"/none".equals(request.getPathInfo())) {
            request.getSession().setAttribute("cart", "3 books");
        }
        response.getWriter().print("ok");
    }
}
