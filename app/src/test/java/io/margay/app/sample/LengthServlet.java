package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;

/// Tells by which protocol it was asked, and how long and of which sum the content is.
public final class LengthServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        CRC32 sum = new CRC32();
        byte[] piece = new byte[8_192];
        long length = 0;
        InputStream in = request.getInputStream();
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
            sum.update(piece, 0, count);
            length += count;
        }
        response.setContentType("text/plain");
        response.getWriter()
                .println(
                        request.getProtocol()
                                + " "
                                + request.getServletConnection().getProtocol()
                                + " "
                                + request.isSecure()
                                + " "
                                + length
                                + " "
                                + sum.getValue());
    }
}
