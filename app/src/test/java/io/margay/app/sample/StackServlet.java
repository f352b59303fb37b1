package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Answers with the stack below it: a line for each frame, innermost first.
public final class StackServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/plain;charset=utf-8");
        for (StackTraceElement frame : Thread.currentThread().getStackTrace()) {
            response.getWriter().println(frame.getClassName() + " " + frame.getFileName());
        }
    }
}
