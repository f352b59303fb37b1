package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Instant;
import java.util.UUID;

/// Pages that are never the same twice, though nothing differs; and one fault, where the
/// application has a file that says so.
public final class LivelyServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpSession session = request.getSession();
        if (session.getAttribute("csrf") == null) {
            session.setAttribute("csrf", UUID.randomUUID().toString());
        }
        boolean fault = getServletContext().getResource("/WEB-INF/fault") != null;
        response.setHeader("X-Trace", UUID.randomUUID().toString());
        if (request.getPathInfo() != null && request.getPathInfo().startsWith("/data")) {
            response.setContentType("application/json");
            response.getWriter()
                    .print(
                            "{\"made\": \"%s\", \"price\": %s}"
                                    .formatted(Instant.now(), fault ? "12.51" : "12.50"));
            return;
        }
        response.setContentType("text/html;charset=UTF-8");
        response.getWriter()
                .print(
                        """
                        <!DOCTYPE html><title>%s</title><p id="now">%s</p>
                        <form><input type="hidden" name="_csrf" value="%s"></form>
                        <a href="%s">more</a>
                        """
                                .formatted(
                                        request.getPathInfo(),
                                        Instant.now(),
                                        session.getAttribute("csrf"),
                                        response.encodeURL("/page/more")));
    }
}
