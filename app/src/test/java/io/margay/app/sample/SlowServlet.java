package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/// Waits, before it answers, until the file named by the parameter `until` exists.
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
        response.getWriter().print("slow but sure");
    }
}
