package io.margay.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.embed.EmbeddedServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MargayExtensionTest {
    @RegisterExtension
    static final MargayExtension SERVER =
            MargayExtension.serving(builder -> builder.servlet("/hello", new Hello()));

    private static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.getWriter().write("hello");
        }
    }

    @Test
    void server_answers_atItsAddress() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(SERVER.uri("/hello")).build();
            assertEquals("hello", client.send(request, BodyHandlers.ofString()).body());
        }
    }

    @Test
    void parameters_areServerAndRoot(EmbeddedServer server, URI root) {
        assertEquals(SERVER.server(), server);
        assertEquals(server.port(), root.getPort());
    }

    @Test
    void server_beforeItsClass_isRefused() {
        MargayExtension other = MargayExtension.serving(builder -> {});
        assertThrows(IllegalStateException.class, other::server);
    }
}
