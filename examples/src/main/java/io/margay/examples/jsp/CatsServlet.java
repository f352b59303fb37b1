package io.margay.examples.jsp;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/// Makes the model and forwards to the page that shows it. Stateless.
@WebServlet("/cats")
public final class CatsServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    /// A row of the table.
    public record Cat(String name, String latin, double kilograms) {}

    private static final List<Cat> CATS =
            List.of(
                    new Cat("Margay", "Leopardus wiedii", 3.2),
                    new Cat("Ocelot", "Leopardus pardalis", 11.5),
                    new Cat("Jaguar", "Panthera onca", 76));

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        request.setAttribute("cats", CATS);
        request.getRequestDispatcher("/WEB-INF/cats.jsp").forward(request, response);
    }
}
