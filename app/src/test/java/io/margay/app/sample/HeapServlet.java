package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Collects what is garbage, and tells how many bytes of the heap are in use.
public class HeapServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        response.getWriter().print(runtime.totalMemory() - runtime.freeMemory());
    }
}
