package io.margay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContext;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.jasper.servlet.JspServlet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.MimeMappings;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.servlet.AbstractServletWebServerFactoryTests;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;

/// Spring Boot's tests of a server for servlets.
class MargayServletFactoryTests extends AbstractServletWebServerFactoryTests {
    @Override
    protected ConfigurableServletWebServerFactory getFactory() {
        MargayServletWebServerFactory factory = new MargayServletWebServerFactory(0);
        factory.addBuilderCustomizers(Adapter.transport());
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

    @Override
    protected Charset getCharset(Locale locale) {
        throw new UnsupportedOperationException("no API tells the encoding of " + locale);
    }

    /// Never there: pages are translated by Margay.
    @Override
    protected @Nullable JspServlet getJspServlet() {
        return null;
    }

    @Override
    protected String startedLogMessage() {
        return Adapter.startedMessage(webServer);
    }
}
