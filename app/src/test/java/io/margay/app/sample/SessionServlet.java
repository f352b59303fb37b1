package io.margay.app.sample;

import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Does with its session what the query says.
@WebListener
public final class SessionServlet extends HttpServlet implements HttpSessionListener {
    private static final AtomicInteger ENDED = new AtomicInteger();

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        ENDED.incrementAndGet();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String what = request.getQueryString();
        if (what.equals("ended")) {
            response.getWriter().print("ended " + ENDED.get());
            return;
        }
        HttpSession session = request.getSession();
        switch (what) {
            case "grow" -> response.getWriter().print("grown to " + grown(session));
            case "redirect" -> {
                session.setAttribute("sent", "on");
                response.sendRedirect("?sent");
            }
            case "sent" -> response.getWriter().print("sent " + session.getAttribute("sent"));
            case "rename" -> request.changeSessionId();
            case "end" -> session.invalidate();
            case "short" -> session.setMaxInactiveInterval(1);
            default -> response.sendError(400);
        }
    }

    /// A list that is changed in place, and set only once.
    @SuppressWarnings("unchecked")
    private static int grown(HttpSession session) {
        List<String> list = (List<String>) session.getAttribute("list");
        if (list == null) {
            list = new ArrayList<>();
            session.setAttribute("list", list);
        }
        list.add("item");
        return list.size();
    }
}
