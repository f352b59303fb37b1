package io.margay.app.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostSettings;
import io.margay.app.config.JavaxSettings;
import io.margay.app.config.JavaxSettings.Module;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.StartException;
import io.margay.testkit.Archives;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Applications that use what Java had of Java EE until version 10.
final class JavaEeModulesTest {
    private static final Path ROOT = Path.of(System.getProperty("margay.root", ".."));
    private static final String HOME = "margay.home";

    private static final String SERVLET =
            """
            package shop;
            import jakarta.servlet.http.*;
            @jakarta.servlet.annotation.WebServlet("/%1$s")
            public class Shop%1$s extends HttpServlet {
                @Override
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws java.io.IOException {
                    try {
                        %2$s
                    } catch (Exception | LinkageError e) {
                        r.getWriter().print(e);
                    }
                }
            }
            """;

    private static final String ORDER =
            """
            package shop;
            @javax.xml.bind.annotation.XmlRootElement
            public class Order {
                public int count = 3;
                public javax.activation.DataHandler data =
                        new javax.activation.DataHandler("four", "text/plain");
            }
            """;

    private static final String GREETER =
            """
            package shop;
            @javax.jws.WebService
            public class Greeter {
                public String greet(String name) { return "hello " + name; }
            }
            """;

    private static final String ENDPOINTS =
            """
            <endpoints xmlns="http://java.sun.com/xml/ns/jax-ws/ri/runtime" version="2.0">
              <endpoint name="greeter" implementation="shop.Greeter" url-pattern="/greet"/>
            </endpoints>
            """;

    private static final String CALL =
            """
            <S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>
              <g:greet xmlns:g="http://shop/"><arg0>Ann</arg0></g:greet>
            </S:Body></S:Envelope>
            """;

    @TempDir Path folder;

    private String home;

    @BeforeEach
    void home() {
        home = System.setProperty(HOME, ROOT.toString());
    }

    @AfterEach
    void homeAsBefore() {
        if (home == null) {
            System.clearProperty(HOME);
        } else {
            System.setProperty(HOME, home);
        }
    }

    private static List<Path> libraries() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("compat/java-ee/target/lib"))) {
            return files.toList();
        }
    }

    private static String servlet(String name, String does) {
        return SERVLET.formatted(name, does);
    }

    private Path application() throws IOException {
        return Archives.in(folder)
                .classes(
                        "WEB-INF/classes/",
                        libraries(),
                        "shop.Order",
                        ORDER,
                        "shop.Shopjaxb",
                        servlet(
                                "jaxb",
                                "javax.xml.bind.JAXB.marshal(new Order(), r.getOutputStream());"),
                        "shop.Shopsaaj",
                        servlet(
                                "saaj",
                                "javax.xml.soap.MessageFactory.newInstance().createMessage()"
                                        + ".writeTo(r.getOutputStream());"))
                .to(folder.resolve("shop.war"));
    }

    private MargayConfig config(Path app, Module... modules) {
        JavaxSettings javax = new JavaxSettings(JavaxSettings.Mode.AUTO, List.of(modules));
        return MargayConfig.defaults()
                .withWork(folder.resolve("work"))
                .withListeners(List.of(ListenerSettings.http(new Endpoint(Endpoint.LOOPBACK, 0))))
                .withHosts(
                        List.of(
                                HostSettings.any(
                                        List.of(new RouteSettings.App("", app, Map.of())))))
                .withDeploy(DeployOptions.defaults().withJavax(javax));
    }

    private static String ask(MargayServer server, HttpRequest.Builder request, String path)
            throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.ports().getFirst() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.uri(uri).build(), BodyHandlers.ofString()).body();
        }
    }

    private static String get(MargayServer server, String path) throws Exception {
        return ask(server, HttpRequest.newBuilder(), path);
    }

    @Test
    void modulesOfAConfiguration_areThere_andNoOthers() throws Exception {
        Path app = application();
        try (MargayServer server =
                MargayServer.start(config(app, Module.JAXB), DeployProgress.NONE)) {
            String xml = get(server, "/jaxb");
            assertTrue(xml.contains("<count>3</count>") && xml.contains("<data>"), xml);
            String without = get(server, "/saaj");
            assertTrue(
                    without.startsWith("java.lang.NoClassDefFoundError: javax/xml/soap"), without);
        }
        try (MargayServer server =
                MargayServer.start(config(app, Module.SAAJ), DeployProgress.NONE)) {
            String soap = get(server, "/saaj");
            assertTrue(soap.contains("http://schemas.xmlsoap.org/soap/envelope/"), soap);
        }
    }

    @Test
    void endpointsOfWebServices_areServed() throws Exception {
        Path app =
                Archives.in(folder)
                        .classes("WEB-INF/classes/", libraries(), "shop.Greeter", GREETER)
                        .text("WEB-INF/sun-jaxws.xml", ENDPOINTS)
                        .to(folder.resolve("greeter.war"));
        try (MargayServer server =
                MargayServer.start(config(app, Module.JAX_WS), DeployProgress.NONE)) {
            String description = get(server, "/greet?wsdl");
            assertTrue(description.contains("definitions"), description);
            HttpRequest.Builder call =
                    HttpRequest.newBuilder()
                            .header("Content-Type", "text/xml; charset=utf-8")
                            .header("SOAPAction", "\"\"")
                            .POST(BodyPublishers.ofString(CALL));
            String answer = ask(server, call, "/greet");
            assertTrue(answer.contains("<return>hello Ann</return>"), answer);
        }
    }

    @Test
    void modulesOutsideADistribution_areRefusedWithThePlace() throws Exception {
        System.setProperty(HOME, folder.toString());
        String said =
                assertThrows(
                                StartException.class,
                                () ->
                                        MargayServer.start(
                                                config(application(), Module.JAXB),
                                                DeployProgress.NONE))
                        .getMessage();
        assertEquals(
                "deploy.java-ee-modules: the libraries are in lib/java-ee of the distribution, and"
                        + " there is no folder "
                        + folder.resolve("lib/java-ee"),
                said);
    }
}
