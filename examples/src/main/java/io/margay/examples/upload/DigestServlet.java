package io.margay.examples.upload;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Answers a PUT or POST of any length with the size and digest of its body. Stateless.
@WebServlet("/digest")
public final class DigestServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        BodyDigest body = BodyDigest.of(request.getInputStream());
        response.setContentType("text/plain; charset=UTF-8");
        response.getWriter().write("bytes=" + body.bytes() + " sha256=" + body.sha256() + "\n");
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        doPut(request, response);
    }
}
