package io.margay.app.it;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.Collections;

/// `GET large/N/MIB` sets N attributes of so many MiB, `GET count` counts requests, and any other
/// says how many attributes the session has.
public final class LargeSessionServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String[] words = request.getPathInfo().split("/");
        HttpSession session = request.getSession();
        switch (words[1]) {
            case "large" -> {
                for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                    session.setAttribute("large-" + i, new LargeValue(Integer.parseInt(words[3])));
                }
            }
            case "count" -> {
                Object before = session.getAttribute("count");
                int count = before instanceof Integer number ? number + 1 : 1;
                session.setAttribute("count", count);
                response.getWriter().print(count);
            }
            default ->
                    response.getWriter()
                            .print(Collections.list(session.getAttributeNames()).size());
        }
    }
}
