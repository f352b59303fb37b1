package hello;

import io.margay.embed.EmbeddedServer;
import io.margay.embed.Margay;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Answers each request with a greeting.
public final class Hello extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.getWriter().println("hello");
    }

    /// A server at a port of this machine; 0 lets the system choose.
    static EmbeddedServer start(int port) {
        return Margay.builder().http(port).servlet("/", new Hello()).start();
    }

    public static void main(String[] args) throws InterruptedException {
        start(8080).await();
    }
}
