package io.margay.spring.boot;

import static io.margay.spring.boot.BootRun.port;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/// The programs of the page on Spring Boot do what the page says.
@Tag("slow")
final class SpringBootPageTest {
    private static final Pattern PROGRAM =
            Pattern.compile("```java\n(package shop;.*?)```", Pattern.DOTALL);

    @TempDir Path folder;

    @Test
    void gateway_withinAnApplication_passesOnByAjp() throws Exception {
        Path page =
                Path.of(System.getProperty("margay.root", ".."))
                        .resolve("docs/guide/spring-boot.md");
        Matcher found = PROGRAM.matcher(Files.readString(page));
        assertTrue(found.find(), "no program in the page");
        Path source = Files.writeString(folder.resolve("Shop.java"), found.group(1));
        StringWriter said = new StringWriter();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled =
                    compiler.getTask(
                                    said,
                                    files,
                                    null,
                                    List.of("-d", folder.toString(), "-proc:none", "-parameters"),
                                    null,
                                    files.getJavaFileObjects(source))
                            .call();
            assertTrue(compiled, said.toString());
        }
        try (URLClassLoader loader =
                        new URLClassLoader(new java.net.URL[] {folder.toUri().toURL()});
                var before =
                        BootRun.run(
                                TestApplication.class,
                                WebApplicationType.SERVLET,
                                "server.margay.ajp.port=0");
                HttpClient client = HttpClient.newHttpClient()) {
            MargayWebServer peer =
                    (MargayWebServer) ((WebServerApplicationContext) before).getWebServer();
            assertEquals(List.of("http", "ajp"), peer.server().schemes());
            SpringApplication shop =
                    new SpringApplication(
                            new DefaultResourceLoader(loader), loader.loadClass("shop.Shop"));
            try (var context =
                    BootRun.run(
                            shop,
                            WebApplicationType.SERVLET,
                            "shop.legacy=ajp://127.0.0.1:" + peer.server().ports().getLast())) {
                String root = "http://127.0.0.1:" + port(context);
                assertEquals("from Spring", BootRun.get(client, root + "/new").body());
                assertEquals("hello", BootRun.get(client, root + "/hello").body());
                assertEquals(404, BootRun.get(client, root + "/where").statusCode());
            }
        }
    }
}
