package io.margay.app.it;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The application behind the gateway in [GatewayFaults]: `GET bytes/N` answers N bytes, with their
/// length if N is even, `POST run/ID` writes ID into a file, by one write that a kill cannot undo,
/// and answers it.
public class FaultsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String path = request.getPathInfo();
        byte[] bytes = content(Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)));
        if (bytes.length % 2 == 0) {
            response.setContentLength(bytes.length);
        } else {
            response.flushBuffer();
        }
        response.getOutputStream().write(bytes);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String path = request.getPathInfo();
        String id = path.substring(path.lastIndexOf('/') + 1);
        Files.writeString(
                Path.of(getServletContext().getInitParameter("log")),
                id + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        response.getOutputStream().write(id.getBytes(StandardCharsets.US_ASCII));
    }

    /// Bytes whose place can be told by their value.
    static byte[] content(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        return bytes;
    }
}
