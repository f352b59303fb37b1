package io.margay.frameworks.cdi;

import jakarta.annotation.PostConstruct;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Greets by a bean, which is there before `@PostConstruct`.
@WebServlet("/greet")
public class GreetingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Inject private transient Greeter greeter;
    private boolean thereBefore;

    @PostConstruct
    void begin() {
        thereBefore = greeter != null;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.getWriter()
                .print(
                        greeter.greet(request.getParameter("name"))
                                + " "
                                + thereBefore
                                + " "
                                + getServletContext().getAttribute("listener")
                                + " "
                                + request.getAttribute("request"));
    }
}
