package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/// Waits, before it answers, until the file named by the parameter `until` exists. A session, if it
/// has one, is told the parameter `note` at the very end.
public final class SlowServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String until = request.getParameter("until");
        if (until != null) {
            Files.writeString(Path.of(until + ".begun"), "");
            long end = System.nanoTime() + 20_000_000_000L;
            while (!Files.exists(Path.of(until)) && System.nanoTime() < end) {
                LockSupport.parkNanos(5_000_000L);
            }
        }
        response.setContentType("text/plain");
        HttpSession session = request.getSession(false);
        response.getWriter()
                .print(session == null ? "slow but sure" : session.getAttribute("note"));
        if (session != null && request.getParameter("note") != null) {
            session.setAttribute("note", request.getParameter("note"));
        }
    }
}
