package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Says whether the user has the roles `in`, `out` and `admins`.
public final class RoleServlet extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/plain");
        response.getWriter()
                .print(
                        request.isUserInRole("in")
                                + " "
                                + request.isUserInRole("out")
                                + " "
                                + request.isUserInRole("admins"));
    }
}
