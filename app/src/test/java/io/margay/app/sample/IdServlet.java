package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Says what the request is called: by the attribute, by `X-Request-Id`, by `traceparent`. Fails
/// when `fail` is asked for.
public final class IdServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (request.getParameter("fail") != null) {
            throw new IllegalStateException("as it was told to");
        }
        response.setContentType("text/plain");
        response.getWriter()
                .print(
                        request.getAttribute("io.margay.request-id")
                                + " "
                                + request.getHeader("X-Request-Id")
                                + " "
                                + request.getHeader("traceparent"));
    }
}
