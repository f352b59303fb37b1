package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collections;

/// Shows the fields of the request, a line each; answers with the `status`, the `location` and the
/// `cookie` of its parameters.
public final class FieldsServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String status = request.getParameter("status");
        if (status != null) {
            response.setStatus(Integer.parseInt(status));
        }
        String location = request.getParameter("location");
        if (location != null) {
            response.setHeader("Location", location);
        }
        String cookie = request.getParameter("cookie");
        if (cookie != null) {
            response.setHeader("Set-Cookie", cookie);
        }
        response.setContentType("text/plain");
        PrintWriter out = response.getWriter();
        for (String name : Collections.list(request.getHeaderNames())) {
            for (String value : Collections.list(request.getHeaders(name))) {
                out.println(name + ": " + value);
            }
        }
    }
}
