package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/// Writes a page of 40 000 bytes to GET, and the length of what was sent to POST; `/done` tells how
/// many pages have been written.
public final class LargePageServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final int LINES = 4_000;

    private final AtomicInteger done = new AtomicInteger();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (request.getRequestURI().endsWith("/done")) {
            response.getWriter().print(done.get());
            return;
        }
        for (int i = 0; i < LINES; i++) {
            response.getOutputStream().print("123456789\n");
        }
        done.incrementAndGet();
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.getWriter().print(request.getInputStream().readAllBytes().length);
    }
}
