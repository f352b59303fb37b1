package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.LibraryScan.Names;
import io.margay.testkit.Archives;
import io.margay.testkit.LoggedLines;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a library declares that is skipped when libraries are looked through, seen by a client.
class SkippedLibrariesTest {
    private static final String TLD =
            """
            <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="3.1">
              <tlib-version>1</tlib-version><short-name>l</short-name><uri>urn:lib</uri>
              <function><name>say</name><function-class>lib.Types</function-class>
                <function-signature>java.lang.String say()</function-signature></function>
            </taglib>
            """;
    private static final String INITIALIZER =
            """
            package lib;
            import jakarta.servlet.*;
            @jakarta.servlet.annotation.HandlesTypes(Types.class)
            public class Init implements ServletContainerInitializer {
                public void onStartup(java.util.Set<Class<?>> found, ServletContext context) {
                    context.setAttribute("handled", String.valueOf(found));
                }
            }
            """;
    private static final String SERVLET =
            """
            package lib;
            import jakarta.servlet.http.*;
            @jakarta.servlet.annotation.WebServlet("/annotated")
            @jakarta.servlet.annotation.MultipartConfig
            public class Annotated extends HttpServlet {
                protected void service(HttpServletRequest q, HttpServletResponse s)
                        throws java.io.IOException {
                    try {
                        s.getWriter().print("parts " + q.getParts().size());
                    } catch (jakarta.servlet.ServletException e) {
                        s.getWriter().print("no multipart body");
                    }
                }
            }
            """;

    @TempDir Path temp;

    private Archives library() {
        return Archives.in(temp)
                .classes(
                        "",
                        List.of(),
                        "lib.Types",
                        "package lib; public class Types {"
                                + " public static String say() { return \"said\"; } }",
                        "lib.Below",
                        "package lib; public class Below extends Types {}",
                        "lib.Init",
                        INITIALIZER,
                        "lib.Annotated",
                        SERVLET)
                .text("META-INF/services/jakarta.servlet.ServletContainerInitializer", "lib.Init")
                .text("META-INF/l.tld", TLD)
                .text("META-INF/resources/static.txt", "static");
    }

    private static String fragment(String more) {
        return "<web-fragment xmlns='https://jakarta.ee/xml/ns/jakartaee' version='6.0'><name>f"
                + "</name>"
                + more
                + "<context-param><param-name>a</param-name><param-value>of the fragment"
                + "</param-value></context-param></web-fragment>";
    }

    private Archives application(Archives library, String webXml) {
        return Archives.in(temp)
                .bytes("WEB-INF/lib/lib-1.jar", library.toBytes())
                .text(
                        "WEB-INF/web.xml",
                        "<web-app xmlns='https://jakarta.ee/xml/ns/jakartaee' version='6.0'>"
                                + webXml
                                + "</web-app>")
                .text("param.jsp", "${initParam.a}")
                .text("handled.jsp", "${applicationScope.handled}")
                .text("class.jsp", "<%@ page import='lib.Types' %><%= Types.say() %>")
                .text("tag.jsp", "<%@ taglib prefix='l' uri='urn:lib' %>${l:say()}");
    }

    private String answers(Archives application, LibraryScan scan, String... paths)
            throws Exception {
        Path folder = application.toFolder(temp.resolve("app"));
        try (AppServer server =
                AppServer.start(
                        folder,
                        "/app",
                        temp.resolve("work"),
                        settings -> settings.withLibraryScan(scan))) {
            StringBuilder answers = new StringBuilder();
            for (String path : paths) {
                var answer = server.get(path);
                answers.append(path).append(' ').append(answer.statusCode());
                if (answer.statusCode() == 200) {
                    answers.append(' ').append(answer.body());
                }
                answers.append('\n');
            }
            return answers.toString();
        }
    }

    /// What is told of fragments, by the check and when the application is deployed.
    private void assertFragmentsLeftOut(Archives application, LibraryScan scan, String... told) {
        Path folder = application.toFolder(temp.resolve("told"));
        Deployer deployer =
                new Deployer(DeploySettings.in(temp.resolve("work")).withLibraryScan(scan));
        assertEquals(List.of(told), deployer.check(folder).notes());
        try (LoggedLines log = LoggedLines.of(Deployer.class.getName())) {
            deployer.deploy(folder, "/told").undeploy();
            assertEquals(told.length, log.count("INFO " + folder + ": WEB-INF/lib/"));
            for (String line : told) {
                assertEquals(1, log.count("INFO " + folder + ": " + line));
            }
        }
    }

    @Test
    void fragment_thatIsLeftOut_isTold() {
        LibraryScan without = without("lib-?.jar");
        Archives library = library().text("META-INF/web-fragment.xml", fragment(""));
        assertFragmentsLeftOut(
                application(library, ""),
                without,
                "WEB-INF/lib/lib-1.jar: META-INF/web-fragment.xml is not read: the library is"
                        + " skipped by a JarScanFilter, jarsToSkip of catalina.properties, or"
                        + " library-scan");
        assertFragmentsLeftOut(application(library, ""), without("other*.jar"));
    }

    @Test
    void fragment_isNotTold_whereThereIsNone() {
        assertFragmentsLeftOut(application(library(), ""), without("lib-?.jar"));
    }

    @Test
    void fragment_thatACompleteWebXmlLeavesOut_isNotTold() {
        Archives library = library().text("META-INF/web-fragment.xml", fragment(""));
        Archives complete =
                application(library, "")
                        .text(
                                "WEB-INF/web.xml",
                                "<web-app version='6.0' metadata-complete='true'/>");
        assertFragmentsLeftOut(complete, without("lib-?.jar"));
    }

    private static final String[] ALL = {
        "/annotated", "/static.txt", "/param.jsp", "/handled.jsp", "/class.jsp", "/tag.jsp"
    };

    private static LibraryScan without(String pattern) {
        return LibraryScan.of(new Names(List.of(pattern), List.of(), true));
    }

    @Test
    void library_isLookedThrough() throws Exception {
        Archives library = library().text("META-INF/web-fragment.xml", fragment(""));
        assertEquals(
                """
                /annotated 200 no multipart body
                /static.txt 200 static
                /param.jsp 200 of the fragment
                /handled.jsp 200 [class lib.Below]
                /class.jsp 200 said
                /tag.jsp 200 said
                """,
                answers(application(library, ""), without("other*.jar"), ALL));
    }

    @Test
    void library_thatIsSkipped_declaresNothing_butItsClassesAndItsInitializerAreThere()
            throws Exception {
        Archives library = library().text("META-INF/web-fragment.xml", fragment(""));
        assertEquals(
                """
                /annotated 404
                /static.txt 404
                /param.jsp 200\s
                /handled.jsp 200 null
                /class.jsp 200 said
                /tag.jsp 500
                """,
                answers(application(library, ""), without("lib-?.jar"), ALL));
    }

    @Test
    void initializer_ofALibraryThatIsSkipped_doesNotRun_whereFragmentsAreInAnOrder()
            throws Exception {
        assertEquals(
                "/handled.jsp 200 \n",
                answers(
                        application(library(), "<absolute-ordering><others/></absolute-ordering>"),
                        without("lib-?.jar"),
                        "/handled.jsp"));
    }

    @Test
    void kindsOfScans_haveListsOfTheirOwn() throws Exception {
        Archives application = application(library(), "");
        Names none = new Names(List.of(), List.of(), false);
        LibraryScan tags = new LibraryScan(none, Names.ALL, true, true);
        assertEquals(
                "/annotated 404\n/tag.jsp 200 said\n",
                answers(application, tags, "/annotated", "/tag.jsp"));
        LibraryScan features = new LibraryScan(Names.ALL, none, true, true);
        assertEquals(
                "/annotated 200 no multipart body\n/tag.jsp 500\n",
                answers(application, features, "/annotated", "/tag.jsp"));
    }

    @Test
    void servlet_ofALibraryThatIsSkipped_hasTheAnnotationsOfItsClass() throws Exception {
        String declared =
                "<servlet><servlet-name>s</servlet-name><servlet-class>lib.Annotated"
                        + "</servlet-class></servlet><servlet-mapping><servlet-name>s"
                        + "</servlet-name><url-pattern>/declared</url-pattern></servlet-mapping>";
        Path folder = application(library(), declared).toFolder(temp.resolve("app"));
        try (AppServer server =
                AppServer.start(
                        folder,
                        "/app",
                        temp.resolve("work"),
                        settings -> settings.withLibraryScan(without("*")))) {
            assertEquals("no multipart body", server.get("/declared").body());
        }
    }

    @Test
    void sharedLibrary_thatIsSkipped_hasNeitherTagsNorFiles() throws Exception {
        Path shared = library().to(temp.resolve("lib-9.jar"));
        Path folder = application(Archives.in(temp), "").toFolder(temp.resolve("app"));
        Names skipped = new Names(List.of("lib-9.jar"), List.of(), true);
        int work = 0;
        for (LibraryScan scan :
                List.of(
                        LibraryScan.ALL,
                        new LibraryScan(skipped, skipped, true, true),
                        new LibraryScan(Names.ALL, Names.ALL, false, true))) {
            try (SharedLibraries libraries =
                            new SharedLibraries(
                                    List.of(shared),
                                    getClass().getClassLoader(),
                                    VendorDescriptors.NONE);
                    AppServer server =
                            AppServer.start(
                                    folder,
                                    "/app",
                                    temp.resolve("work-" + work++),
                                    settings ->
                                            settings.withContainer(libraries)
                                                    .withLibraryScan(scan))) {
                assertEquals(
                        scan.equals(LibraryScan.ALL) ? 200 : 500,
                        server.get("/tag.jsp").statusCode());
                assertEquals(
                        scan.equals(LibraryScan.ALL) ? 200 : 404,
                        server.get("/static.txt").statusCode());
            }
        }
    }
}
