import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// A filter as applications have many: it looks at the request, notes something, and passes it on.
public final class PassFilter extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getHeader("X-Pass") == null) {
            request.setAttribute(getFilterName(), request.getRequestURI());
        }
        chain.doFilter(request, response);
    }
}
