package io.margay.app.sample;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/// Works on a request for a long time without reading its content, and without a thread.
public class UnreadServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final long MILLIS = 40_000;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext later = request.startAsync();
        later.setTimeout(MILLIS);
    }
}
