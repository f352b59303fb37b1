package io.margay.app.sample;

import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Asks for a field of a form that may have parts, with the bounds that the container has.
@MultipartConfig
public class PartFieldServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String value = request.getParameter("x");
        response.getWriter().print(value == null ? -1 : value.length());
    }
}
