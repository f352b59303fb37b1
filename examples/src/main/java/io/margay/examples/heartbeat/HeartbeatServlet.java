package io.margay.examples.heartbeat;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Date;

/// The twin of `heartbeat.jsp`: writes the same page without a JSP. Stateless.
@WebServlet("/servlet")
public final class HeartbeatServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @SuppressWarnings("JavaUtilDate") // the same expression as in the JSP, so that both cost alike
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/html; charset=UTF-8");
        PrintWriter out = response.getWriter();
        out.write(
                """
                <!DOCTYPE html>
                <html lang="en">
                <head><title>Heartbeat</title></head>
                <body>
                <h1>Heartbeat</h1>
                <p>\
                """);
        out.print(new Date());
        out.write(
                """
                </p>
                </body>
                </html>
                """);
    }
}
