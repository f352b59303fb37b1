package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.Archives;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What applications get of libraries that all of them share, seen through a page.
class SharedLibrariesTest {
    private static final String INITIALIZER =
            """
            package api;
            import jakarta.servlet.*;
            @jakarta.servlet.annotation.HandlesTypes(Plugin.class)
            public class Init implements ServletContainerInitializer {
                public void onStartup(java.util.Set<Class<?>> found, ServletContext context) {
                    var usable = found.stream().filter(Plugin.class::isAssignableFrom).toList();
                    context.setAttribute("plugins", usable.toString());
                }
            }
            """;

    @TempDir Path temp;

    /// A framework that looks for what an application brings for it.
    private Archives framework() {
        return Archives.in(temp)
                .classes(
                        "",
                        List.of(),
                        "api.Plugin",
                        "package api; public interface Plugin {}",
                        "api.Init",
                        INITIALIZER)
                .text("META-INF/services/jakarta.servlet.ServletContainerInitializer", "api.Init");
    }

    private Archives application(Path framework) {
        return Archives.in(temp)
                .classes(
                        "WEB-INF/classes/",
                        List.of(framework),
                        "p.Mine",
                        "package p; public class Mine implements api.Plugin {}")
                .text("page.jsp", "${applicationScope.plugins}");
    }

    /// What a page of an application answers, with a library that all applications share.
    private String page(Archives application, Path shared) throws Exception {
        try (SharedLibraries libraries =
                        new SharedLibraries(
                                List.of(shared),
                                getClass().getClassLoader(),
                                VendorDescriptors.NONE);
                AppServer server =
                        AppServer.start(
                                application.toFolder(temp.resolve("app")),
                                "/app",
                                temp.resolve("work"),
                                deploy -> deploy.withContainer(libraries))) {
            HttpResponse<String> response = server.get("/page.jsp");
            assertEquals(200, response.statusCode(), response::body);
            return response.body().strip();
        }
    }

    @Test
    void initializer_ofASharedLibrary_getsTheClassesOfTheApplication() throws Exception {
        Path shared = framework().to(temp.resolve("shared.jar"));
        assertEquals("[class p.Mine]", page(application(shared), shared));
    }

    @Test
    void initializer_thatTheApplicationBringsToo_isTheApplicationsOwn() throws Exception {
        Path shared = framework().to(temp.resolve("shared.jar"));
        Archives application =
                application(shared).bytes("WEB-INF/lib/own.jar", framework().toBytes());
        assertEquals("[class p.Mine]", page(application, shared));
    }

    @Test
    void tagLibrary_ofASharedLibrary_isFound() throws Exception {
        Path shared =
                Archives.in(temp)
                        .classes(
                                "",
                                List.of(),
                                "tags.Text",
                                "package tags; public class Text {"
                                        + " public static String text() { return \"shared\"; } }")
                        .text(
                                "META-INF/text.tld",
                                """
                                <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="3.0">
                                <tlib-version>1</tlib-version><uri>urn:text</uri>
                                <function><name>text</name>
                                <function-class>tags.Text</function-class>
                                <function-signature>java.lang.String text()</function-signature>
                                </function></taglib>
                                """)
                        .to(temp.resolve("shared.jar"));
        Archives application =
                Archives.in(temp)
                        .text("page.jsp", "<%@ taglib uri=\"urn:text\" prefix=\"t\" %>${t:text()}");
        assertEquals("shared", page(application, shared));
    }
}
