package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// POST writes the order `id` into the file `log`; GET gives `n` bytes that tell their places,
/// `chunked` or with their length.
public final class OrderServlet extends HttpServlet {
    /// The byte at a place.
    public static byte at(int index) {
        return (byte) (index * 31 + (index >> 8));
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Files.writeString(
                Path.of(request.getParameter("log")),
                request.getParameter("id") + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        response.getWriter().print("ordered");
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        int count = Integer.parseInt(request.getParameter("n"));
        if (request.getParameter("chunked") == null) {
            response.setContentLength(count);
        }
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = at(i);
        }
        for (int i = 0; i < count; i += 5000) {
            response.getOutputStream().write(bytes, i, Math.min(5000, count - i));
        }
    }
}
