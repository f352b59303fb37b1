package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;

/// Puts a kilobyte into each new session, and says whether a session has it.
public final class KilobyteServlet extends HttpServlet {
    private static final int BYTES = 1_024;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpSession session = request.getSession();
        boolean there = session.getAttribute("data") instanceof byte[] data && data.length == BYTES;
        if (!there) {
            session.setAttribute("data", new byte[BYTES]);
        }
        response.setContentType("text/plain");
        response.getWriter().print(there ? "there" : "fresh");
    }
}
