package io.margay.app.it;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// The application of [ClusterFaults]: what [FaultsServlet] does, and sessions, each with a number.
/// `GET see/NONCE` answers nonce and number, or `-` without a session; `PUT set/NUMBER/NONCE` sets
/// the number, in a new session if there is none.
public final class ClusterServlet extends FaultsServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String[] path = request.getPathInfo().split("/");
        if (!path[1].equals("see")) {
            super.doGet(request, response);
            return;
        }
        HttpSession session = request.getSession(false);
        Object number = session == null ? null : session.getAttribute("number");
        answer(response, path[2] + " " + (number == null ? "-" : number));
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String[] path = request.getPathInfo().split("/");
        request.getSession().setAttribute("number", Long.valueOf(path[2]));
        answer(response, path[3] + " " + path[2]);
    }

    private static void answer(HttpServletResponse response, String text) throws IOException {
        response.setContentType("text/plain");
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
