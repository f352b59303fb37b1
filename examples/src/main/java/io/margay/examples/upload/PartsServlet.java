package io.margay.examples.upload;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/// Answers a `multipart/form-data` POST with one line per part: name, file name, type, size,
/// digest.
///
/// Stateless. Parts above 64 KiB pass through the container's temporary file, which is deleted.
@WebServlet("/parts")
@MultipartConfig(
        fileSizeThreshold = 64 * 1024,
        maxFileSize = 1L << 30,
        maxRequestSize = (1L << 30) + (1L << 20))
public final class PartsServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        response.setContentType("text/plain; charset=UTF-8");
        response.setHeader("X-Content-Type-Options", "nosniff");
        PrintWriter out = response.getWriter();
        for (Part part : request.getParts()) {
            try (InputStream in = part.getInputStream()) {
                BodyDigest body = BodyDigest.of(in);
                out.write("part=" + oneLine(part.getName()));
                out.write(" file=" + oneLine(part.getSubmittedFileName()));
                out.write(" type=" + oneLine(part.getContentType()));
                out.write(" bytes=" + body.bytes() + " sha256=" + body.sha256() + "\n");
            } finally {
                part.delete();
            }
        }
    }

    /// What the client called something, without the control characters that would forge lines.
    private static String oneLine(@Nullable String text) {
        return text == null ? "-" : text.replaceAll("\\p{Cntrl}", "?");
    }
}
