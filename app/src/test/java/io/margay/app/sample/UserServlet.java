package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;

/// Says who the user is, and how long the content is.
public final class UserServlet extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Principal user = request.getUserPrincipal();
        response.setContentType("text/plain");
        response.getWriter()
                .print(
                        request.getRemoteUser()
                                + " "
                                + (user == null ? null : user.getName())
                                + " "
                                + request.getAuthType()
                                + " "
                                + request.getInputStream().readAllBytes().length);
    }
}
