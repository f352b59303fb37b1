package io.margay.app.sample;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Asks for the parts of a form, which lie in files; with `?by=name`, for a parameter first.
@MultipartConfig
public final class StoredPartServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if ("by=name".equals(request.getQueryString())) {
            String _ = request.getParameter("x");
        }
        response.getWriter().print(request.getPart("f").getSize());
    }
}
