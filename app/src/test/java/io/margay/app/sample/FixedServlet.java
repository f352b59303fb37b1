package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Answers with the same few bytes, and makes no garbage itself.
public final class FixedServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final byte[] ANSWER = {'o', 'k'};

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.getOutputStream().write(ANSWER, 0, ANSWER.length);
    }
}
