package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.LibraryScan.Names;
import io.margay.testkit.Archives;
import io.margay.testkit.LoggedLines;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
                    context.setAttribute("all", String.valueOf(found));
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
        return page(application.toFolder(temp.resolve("app")), LibraryScan.ALL, shared);
    }

    private SharedLibraries libraries(Path... shared) {
        return new SharedLibraries(
                List.of(shared), getClass().getClassLoader(), VendorDescriptors.NONE);
    }

    private String page(Path application, LibraryScan scan, Path... shared) throws Exception {
        try (SharedLibraries libraries = libraries(shared);
                AppServer server =
                        AppServer.start(
                                application,
                                "/app",
                                temp.resolve("work"),
                                deploy -> deploy.withContainer(libraries).withLibraryScan(scan))) {
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
    void initializer_ofASharedLibrary_isMadeWhereClassesOfTheApplicationAreFound()
            throws Exception {
        Path shared =
                Archives.in(temp)
                        .classes(
                                "",
                                List.of(),
                                "api.Init",
                                """
                                package api;
                                import jakarta.servlet.*;
                                public class Init implements ServletContainerInitializer {
                                    private final String found;
                                    public Init() throws ClassNotFoundException {
                                        found = Thread.currentThread().getContextClassLoader()
                                                .loadClass("p.Mine").getName();
                                    }
                                    public void onStartup(
                                            java.util.Set<Class<?>> types, ServletContext context) {
                                        context.setAttribute("plugins", found);
                                    }
                                }
                                """)
                        .text(
                                "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                                "api.Init")
                        .to(temp.resolve("shared.jar"));
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Archives application =
                Archives.in(temp)
                        .classes(
                                "WEB-INF/classes/", List.of(), "p.Mine", "package p; class Mine {}")
                        .text("page.jsp", "${applicationScope.plugins}");
        assertEquals("p.Mine", page(application, shared));
        assertSame(before, Thread.currentThread().getContextClassLoader());
    }

    @Test
    void initializer_thatTheApplicationBringsToo_isTheApplicationsOwn() throws Exception {
        Path shared = framework().to(temp.resolve("shared.jar"));
        Archives application =
                application(shared).bytes("WEB-INF/lib/own.jar", framework().toBytes());
        assertEquals("[class p.Mine]", page(application, shared));
    }

    /// What the application's own initializer is handed: a folder with it and with its classes.
    private Path withInitializer(Path framework) {
        return application(framework)
                .classes(
                        "WEB-INF/classes/",
                        List.of(framework),
                        "p.Init",
                        INITIALIZER.replace("package api;", "package p; import api.Plugin;"))
                .text(
                        "WEB-INF/classes/META-INF/services/"
                                + "jakarta.servlet.ServletContainerInitializer",
                        "p.Init")
                .text("page.jsp", "${applicationScope.all}")
                .toFolder(temp.resolve("app"));
    }

    private Path plugin(String name, Path framework) {
        return Archives.in(temp)
                .classes(
                        "",
                        List.of(framework),
                        name + ".Theirs",
                        "package " + name + "; public class Theirs implements api.Plugin {}")
                .to(temp.resolve(name + "-1.jar"));
    }

    @Test
    void handledTypes_ofSharedLibrariesThatAreLookedThrough_areHanded() throws Exception {
        Path api =
                Archives.in(temp)
                        .classes(
                                "",
                                List.of(),
                                "api.Plugin",
                                "package api; public interface Plugin {}")
                        .to(temp.resolve("api.jar"));
        Path folder =
                Archives.in(temp)
                        .classes(
                                "",
                                List.of(api),
                                "loose.Theirs",
                                "package loose; public class Theirs implements api.Plugin {}")
                        .toFolder(temp.resolve("loose"));
        Path[] shared = {api, plugin("one", api), plugin("two", api), folder};
        Path application = withInitializer(api);
        assertEquals(
                "[class loose.Theirs, class one.Theirs, class p.Mine, class two.Theirs]",
                page(application, LibraryScan.ALL, shared));
        LibraryScan some =
                LibraryScan.of(new Names(List.of("one-?.jar", "loose"), List.of(), true));
        assertEquals("[class p.Mine, class two.Theirs]", page(application, some, shared));
        LibraryScan none = new LibraryScan(Names.ALL, Names.ALL, false, true);
        assertEquals("[class p.Mine]", page(application, none, shared));
    }

    @Test
    void handledType_betweenClassesOfASharedLibraryThatIsSkipped_isStillHanded() throws Exception {
        Path api = framework().to(temp.resolve("api.jar"));
        Path one = plugin("one", api);
        Path application =
                Archives.in(temp)
                        .classes(
                                "WEB-INF/classes/",
                                List.of(api, one),
                                "p.Below",
                                "package p; public class Below extends one.Theirs {}")
                        .text("page.jsp", "${applicationScope.all}")
                        .toFolder(temp.resolve("app"));
        LibraryScan some = LibraryScan.of(new Names(List.of("one-?.jar"), List.of(), true));
        assertEquals("[class p.Below]", page(application, some, api, one));
    }

    @Test
    void classThatTheApplicationBringsToo_countsAsTheApplicationHasIt() throws Exception {
        Path api = framework().to(temp.resolve("api.jar"));
        Path application =
                application(api)
                        .classes(
                                "WEB-INF/classes/",
                                List.of(),
                                "one.Theirs",
                                "package one; public class Theirs {}")
                        .text("page.jsp", "${applicationScope.all}")
                        .toFolder(temp.resolve("app"));
        assertEquals("[class p.Mine]", page(application, LibraryScan.ALL, api, plugin("one", api)));
    }

    @Test
    void sharedLibrary_thatIsNoArchive_isTold_andTheOthersAreLookedThrough() throws Exception {
        Path api = framework().to(temp.resolve("api.jar"));
        Path broken = Files.writeString(temp.resolve("broken.jar"), "no archive");
        Path gone = temp.resolve("gone");
        try (LoggedLines log = LoggedLines.of(ClassIndexes.class.getName())) {
            assertEquals(
                    "[class p.Mine]",
                    page(
                            application(api).toFolder(temp.resolve("app")),
                            LibraryScan.ALL,
                            broken,
                            gone,
                            api));
            assertEquals(1, log.count("WARNING " + broken + " is not looked through: "));
            assertEquals(0, log.count("gone"));
        }
    }

    @Test
    void endpoint_ofASharedLibrary_isDeployed() throws Exception {
        Path shared =
                Archives.in(temp)
                        .classes(
                                "",
                                List.of(),
                                "ends.Echo",
                                """
                                package ends;
                                @jakarta.websocket.server.ServerEndpoint("/echo")
                                public class Echo {
                                    @jakarta.websocket.OnMessage
                                    public String echo(String text) { return text; }
                                }
                                """)
                        .to(temp.resolve("ends.jar"));
        Path application = Archives.in(temp).text("index.html", "").toFolder(temp.resolve("app"));
        try (SharedLibraries libraries = libraries(shared);
                AppServer server =
                        AppServer.start(
                                application,
                                "/app",
                                temp.resolve("work"),
                                deploy -> deploy.withContainer(libraries));
                HttpClient client = HttpClient.newHttpClient()) {
            CompletableFuture<String> heard = new CompletableFuture<>();
            WebSocket socket =
                    client.newWebSocketBuilder()
                            .buildAsync(
                                    URI.create(
                                            server.uri().toString().replace("http:", "ws:")
                                                    + "/echo"),
                                    new WebSocket.Listener() {
                                        @Override
                                        public @Nullable CompletionStage<?> onText(
                                                WebSocket from, CharSequence text, boolean last) {
                                            heard.complete(text.toString());
                                            return null;
                                        }
                                    })
                            .get(30, TimeUnit.SECONDS);
            var _ = socket.sendText("said", true);
            assertEquals("said", heard.get(30, TimeUnit.SECONDS));
            socket.abort();
        }
    }

    /// A library that declares a servlet, with the parameter that its web fragment has.
    private Archives declaring() {
        return Archives.in(temp)
                .classes(
                        "",
                        List.of(),
                        "d.Said",
                        """
                        package d;
                        import jakarta.servlet.http.*;
                        @jakarta.servlet.annotation.WebServlet("/page.jsp")
                        public class Said extends HttpServlet {
                            protected void service(HttpServletRequest q, HttpServletResponse s)
                                    throws java.io.IOException {
                                s.getWriter().print(getServletContext().getInitParameter("p"));
                            }
                        }
                        """)
                .text(
                        "META-INF/web-fragment.xml",
                        """
                        <web-fragment xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                          <name>d</name>
                          <context-param><param-name>p</param-name>
                            <param-value>of the fragment</param-value></context-param>
                        </web-fragment>
                        """);
    }

    private String declared(String webXml, LibraryScan scan, Set<Path> declaring) throws Exception {
        Path application =
                Archives.in(temp)
                        .text("page.jsp", "page")
                        .text(
                                "WEB-INF/web.xml",
                                "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\""
                                        + " version=\"6.0\""
                                        + webXml
                                        + "</web-app>")
                        .toFolder(temp.resolve("app"));
        List<Path> all = List.of(temp.resolve("d.jar"), temp.resolve("d"), temp.resolve("bad.jar"));
        try (SharedLibraries libraries =
                        new SharedLibraries(
                                all,
                                declaring,
                                getClass().getClassLoader(),
                                VendorDescriptors.NONE);
                AppServer server =
                        AppServer.start(
                                application,
                                "/app",
                                temp.resolve("work"),
                                deploy -> deploy.withContainer(libraries).withLibraryScan(scan))) {
            return server.get("/page.jsp").body().strip();
        }
    }

    @Test
    void fragmentAndAnnotations_ofASharedLibrary_countWhereItDeclares() throws Exception {
        Path jar = declaring().to(temp.resolve("d.jar"));
        Path loose = declaring().toFolder(temp.resolve("d"));
        Path bad = Files.writeString(temp.resolve("bad.jar"), "no archive");
        String fragment = "of the fragment";
        assertEquals("page", declared(">", LibraryScan.ALL, Set.of()));
        assertEquals(fragment, declared(">", LibraryScan.ALL, Set.of(jar, bad)));
        assertEquals(fragment, declared(">", LibraryScan.ALL, Set.of(loose, bad)));
        String order = "><absolute-ordering>%s</absolute-ordering>";
        assertEquals(
                fragment,
                declared(order.formatted("<name>d</name>"), LibraryScan.ALL, Set.of(jar)));
        assertEquals("page", declared(order.formatted(""), LibraryScan.ALL, Set.of(jar)));
        assertEquals(
                "page", declared(" metadata-complete=\"true\">", LibraryScan.ALL, Set.of(jar)));
        assertEquals(
                "page",
                declared(
                        ">",
                        LibraryScan.of(new Names(List.of("d.jar"), List.of(), true)),
                        Set.of(jar)));
        assertEquals(
                "page",
                declared(">", new LibraryScan(Names.ALL, Names.ALL, false, true), Set.of(jar)));
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
