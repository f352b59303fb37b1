package io.margay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.jasper.servlet.JspServlet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.web.server.MimeMappings;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.servlet.AbstractServletWebServerFactoryTests;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;
import org.springframework.test.util.ReflectionTestUtils;

/// Spring Boot's tests of a server for servlets.
class MargayServletFactoryTests extends AbstractServletWebServerFactoryTests {
    /// Whether the test is about pages, which Margay serves only where there are files.
    private boolean pages;

    @BeforeEach
    void look(TestInfo test) {
        pages = test.getTestMethod().orElseThrow().getName().startsWith("jspServlet");
    }

    @Override
    protected ConfigurableServletWebServerFactory getFactory() {
        MargayServletWebServerFactory factory = new MargayServletWebServerFactory(0);
        factory.addBuilderCustomizers(Adapter.transport());
        if (pages) {
            factory.setDocumentRoot(tempDir);
        }
        return factory;
    }

    @Override
    protected void addConnector(int port, ConfigurableServletWebServerFactory factory) {
        ((MargayServletWebServerFactory) factory)
                .addBuilderCustomizers(builder -> builder.http("*", port));
    }

    @Override
    protected void handleExceptionCausedByBlockedPortOnPrimaryConnector(
            RuntimeException failure, int port) {
        assertThat(failure).isInstanceOf(PortInUseException.class);
        assertThat(((PortInUseException) failure).getPort()).isEqualTo(port);
    }

    @Override
    protected void handleExceptionCausedByBlockedPortOnSecondaryConnector(
            RuntimeException failure, int port) {
        handleExceptionCausedByBlockedPortOnPrimaryConnector(failure, port);
    }

    /// The types of the extensions that the tests name; a server has no list of them.
    @Override
    protected Map<String, String> getActualMimeMappings() {
        ServletContext context = ((MargayWebServer) webServer).server().contexts().getFirst();
        Map<String, String> types = new HashMap<>();
        for (MimeMappings.Mapping one : MimeMappings.DEFAULT) {
            types.put(one.getExtension(), context.getMimeType("file." + one.getExtension()));
        }
        for (String extension : List.of("a", "b")) {
            String type = context.getMimeType("file." + extension);
            if (!"application/octet-stream".equals(type) && type != null) {
                types.put(extension, type);
            }
        }
        return types;
    }

    /// No API tells the encoding of a locale.
    @Override
    protected @Nullable Charset getCharset(Locale locale) {
        ServletContext context = ((MargayWebServer) webServer).server().contexts().getFirst();
        Object app = ReflectionTestUtils.getField(context, "app");
        String name = ReflectionTestUtils.invokeMethod(app, "encodingOf", locale);
        return name == null ? null : Charset.forName(name);
    }

    @Override
    protected @Nullable JspServlet getJspServlet() throws Exception {
        ServletContext context = ((MargayWebServer) webServer).server().contexts().getFirst();
        ServletRegistration pages = context.getServletRegistration("jsp");
        return pages == null ? null : ReflectionTestUtils.invokeMethod(pages, "servlet");
    }

    @Test
    @Override
    @Disabled("as Jetty, Margay does not track sessions by TLS")
    protected void sslSessionTracking() {}

    @Override
    protected String startedLogMessage() {
        return Adapter.startedMessage(webServer);
    }
}
