package io.margay.app.sample;

import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Asks for a field of a form that may have parts. They are kept in memory: the default would put
/// them into files.
@MultipartConfig(fileSizeThreshold = 4 << 20)
public class PartFieldServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String value = request.getParameter("x");
        response.getWriter().print(value == null ? -1 : value.length());
    }
}
