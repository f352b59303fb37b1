package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.Archives;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Libraries that a `JarScanFilter` or `catalina.properties` has skipped: what they declare is
/// there, or is not there, as in Tomcat.
final class JarScanIT {
    private static final String WEB_XML =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">%s</web-app>
            """;
    private static final String TLD =
            """
            <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="3.1">
              <tlib-version>1</tlib-version><short-name>t</short-name><uri>urn:%s</uri>
              <function><name>say</name><function-class>java.lang.System</function-class>
                <function-signature>java.lang.String lineSeparator()</function-signature>
              </function>
            </taglib>
            """;
    private static final String FRAGMENT =
            """
            <web-fragment xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <name>f</name>
              <context-param><param-name>a</param-name><param-value>of the fragment</param-value>
              </context-param>
            </web-fragment>
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
    private static final String HANDLES_TYPE =
            """
            package own;
            import jakarta.servlet.*;
            @jakarta.servlet.annotation.HandlesTypes(api.Type.class)
            public class Init implements ServletContainerInitializer {
                public void onStartup(java.util.Set<Class<?>> found, ServletContext context) {
                    var names = new java.util.TreeSet<String>();
                    if (found != null) {
                        found.forEach(type -> names.add(type.getName()));
                    }
                    context.setAttribute("handled", names.toString());
                }
            }
            """;
    private static final String SERVLET =
            """
            package lib;
            import jakarta.servlet.http.*;
            @jakarta.servlet.annotation.WebServlet("/annotated")
            public class Annotated extends HttpServlet {
                protected void service(HttpServletRequest q, HttpServletResponse s)
                        throws java.io.IOException {
                    s.getWriter().print("annotated");
                }
            }
            """;

    private static final List<String> PLACES =
            List.of("own", "common", "loose", "server", "shared", "second", "classes");

    private final Path home = Path.of(System.getProperty("margay.tomcat", "tomcat"));
    private final List<String> requests = new ArrayList<>();

    @TempDir Path folder;
    private Path base;
    private byte[] library;

    @BeforeEach
    void base() throws IOException {
        base = folder.toRealPath().resolve("base");
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("lib"));
        Files.writeString(base.resolve("conf/server.xml"), TomcatBeside.ONE_HOST);
        Files.copy(home.resolve("conf/web.xml"), base.resolve("conf/web.xml"));
        library =
                Archives.in(folder)
                        .classes(
                                "",
                                List.of(),
                                "lib.Types",
                                "package lib; public class Types {}",
                                "lib.Below",
                                "package lib; public class Below extends Types {}",
                                "lib.Init",
                                INITIALIZER,
                                "lib.Annotated",
                                SERVLET)
                        .text(
                                "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                                "lib.Init")
                        .text("META-INF/web-fragment.xml", FRAGMENT)
                        .text("META-INF/t.tld", TLD.formatted("lib"))
                        .text("META-INF/resources/static.txt", "static")
                        .toBytes();
    }

    private void application(String name, String jar, String filter, String webXml) {
        Path _ =
                Archives.in(folder)
                        .bytes("WEB-INF/lib/" + jar, library)
                        .text("META-INF/context.xml", "<Context>" + filter + "</Context>")
                        .text("WEB-INF/web.xml", WEB_XML.formatted(webXml))
                        .text("param.jsp", "${initParam.a}")
                        .text("handled.jsp", "${applicationScope.handled}")
                        .text("class.jsp", "<%= new lib.Types().getClass().getName() %>")
                        .text("tag.jsp", page("lib"))
                        .text("shared.jsp", page("shared"))
                        .text("skipped.jsp", page("skipped"))
                        .text("WEB-INF/classes/META-INF/own.tld", TLD.formatted("own"))
                        .text("own.jsp", page("own"))
                        .toFolder(base.resolve("webapps").resolve(name));
        for (String path :
                List.of(
                        "annotated",
                        "static.txt",
                        "param.jsp",
                        "handled.jsp",
                        "class.jsp",
                        "tag.jsp",
                        "shared.jsp",
                        "skipped.jsp",
                        "own.jsp")) {
            requests.add("http://localhost/" + name + "/" + path);
        }
    }

    private static String page(String library) {
        return "<%@ taglib prefix=\"t\" uri=\"urn:" + library + "\" %>tags${t:say()}";
    }

    private static String filter(String attributes) {
        return "<JarScanner><JarScanFilter " + attributes + "/></JarScanner>";
    }

    private void shared(String jar, String name) {
        Path _ =
                Archives.in(folder)
                        .text("META-INF/t.tld", TLD.formatted(name))
                        .to(base.resolve("lib").resolve(jar));
    }

    private void assertAlike() throws Exception {
        TomcatBeside beside = TomcatBeside.of(home, base, folder, List.of(80), requests);
        beside.assertAlike(Map.of());
        assertEquals(List.of(), beside.told());
    }

    @Test
    void libraries_areSkipped_asTomcatSkipsThem() throws Exception {
        Files.copy(
                home.resolve("conf/catalina.properties"), base.resolve("conf/catalina.properties"));
        shared("tags.jar", "shared");
        shared("commons-io-tags.jar", "skipped");
        String order = "<absolute-ordering><name>f</name><others/></absolute-ordering>";
        application("scanned", "shop.jar", "", "");
        application("skipped", "log4j-shop.jar", "", "");
        application("ordered", "log4j-shop.jar", "", order);
        application("exception", "log4j-taglib-shop.jar", "", order);
        application("own", "shop-1.jar", filter("pluggabilitySkip='s*-?.jar' tldSkip='x'"), "");
        application("tags", "shop.jar", filter("tldSkip='shop*'"), "");
        application(
                "none",
                "shop.jar",
                filter("defaultPluggabilityScan='false' defaultTldScan='false'"),
                "");
        application(
                "listed",
                "log4j-shop.jar",
                filter(
                        "defaultPluggabilityScan='false' pluggabilityScan='log4j*' tldSkip=''"
                                + " pluggabilitySkip=''"),
                order);
        application(
                "alone",
                "shop.jar",
                "<JarScanner scanClassPath='false' scanAllDirectories='false'/>",
                "");
        assertAlike();
    }

    /// A class of a type that applications handle, in a library or folder that all of them share.
    private Archives type(Path types, String name) {
        return Archives.in(folder)
                .classes(
                        "",
                        List.of(types),
                        name + ".Below",
                        "package " + name + "; public class Below extends api.Type {}");
    }

    private void handling(Path types, String name, String filter, String webXml) {
        Path _ =
                Archives.in(folder)
                        .bytes(
                                "WEB-INF/lib/init.jar",
                                Archives.in(folder)
                                        .classes(
                                                "",
                                                List.of(types),
                                                "own.Init",
                                                HANDLES_TYPE,
                                                "own.Below",
                                                "package own; public class Below extends"
                                                        + " deep.Below {}")
                                        .text(
                                                "META-INF/services/jakarta.servlet."
                                                        + "ServletContainerInitializer",
                                                "own.Init")
                                        .toBytes())
                        .text("META-INF/context.xml", "<Context>" + filter + "</Context>")
                        .text("WEB-INF/web.xml", WEB_XML.formatted(webXml))
                        .text("handled.jsp", "${applicationScope.handled}")
                        .toFolder(base.resolve("webapps").resolve(name));
        requests.add("http://localhost/" + name + "/handled.jsp");
    }

    @Test
    void sharedLibraries_haveClassesThatInitializersHandle_asInTomcat() throws Exception {
        Files.copy(
                home.resolve("conf/catalina.properties"), base.resolve("conf/catalina.properties"));
        Path types =
                Archives.in(folder)
                        .classes(
                                "",
                                List.of(),
                                "api.Type",
                                "package api; public class Type {}",
                                "deep.Below",
                                "package deep; public class Below extends api.Type {}")
                        .to(base.resolve("lib/types.jar"));
        Path _ = type(types, "plain").to(base.resolve("lib/plain-1.jar"));
        Path _ = type(types, "skipped").to(base.resolve("lib/commons-io-types.jar"));
        Path _ = type(types, "loose").toFolder(base.resolve("lib"));
        handling(types, "all", "", "");
        handling(types, "one", filter("pluggabilitySkip='plain-?.jar'"), "");
        handling(types, "folder", filter("pluggabilitySkip='lib'"), "");
        handling(types, "types", filter("pluggabilitySkip='types.jar'"), "");
        handling(types, "nothing", filter("defaultPluggabilityScan='false'"), "");
        handling(types, "alone", "<JarScanner scanClassPath='false'/>", "");
        handling(types, "ordered", "", "<absolute-ordering><others/></absolute-ordering>");
        handling(types, "none", "", "<absolute-ordering/>");
        assertAlike();
    }

    @Test
    void allLibraries_areSkipped_whateverAnApplicationSays() throws Exception {
        Files.writeString(
                base.resolve("conf/catalina.properties"),
                "tomcat.util.scan.StandardJarScanFilter.jarsToSkip=*.jar\n"
                        + "common.loader=${catalina.base}/lib/*.jar,${catalina.home}/lib/*.jar\n");
        shared("tags.jar", "shared");
        application("all", "shop.jar", "", "");
        application("own", "shop.jar", filter("pluggabilitySkip='' tldSkip=''"), "");
        assertAlike();
    }

    /// A library, or folder of classes, that declares one thing of each kind.
    private Archives declaring(String name) {
        return Archives.in(folder)
                .classes(
                        "",
                        List.of(),
                        name + ".Init",
                        INITIALIZER
                                .replace("package lib;", "package " + name + ";")
                                .replace("Types.class", "Integer.class")
                                .replace("handled", name + ".handled"),
                        name + ".Annotated",
                        SERVLET.replace("package lib;", "package " + name + ";")
                                .replace("/annotated", "/annotated-" + name))
                .text(
                        "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                        name + ".Init")
                .text(
                        "META-INF/web-fragment.xml",
                        FRAGMENT.replace("<name>f", "<name>" + name)
                                .replace("-name>a<", "-name>" + name + "<"))
                .text("META-INF/t.tld", TLD.formatted(name))
                .text("META-INF/resources/static-" + name + ".txt", name);
    }

    private void declared(String name, String scanner, String webXml) throws IOException {
        String attributes = webXml.startsWith(" ") ? webXml : "";
        Path _ =
                Archives.in(folder)
                        .bytes("WEB-INF/lib/own.jar", declaring("own").toBytes())
                        .text("META-INF/context.xml", "<Context>" + scanner + "</Context>")
                        .text(
                                "WEB-INF/web.xml",
                                WEB_XML.replace("\"6.0\"", "\"6.0\"" + attributes)
                                        .formatted(attributes.isEmpty() ? webXml : ""))
                        .text(
                                "params.jsp",
                                PLACES.stream()
                                        .filter(place -> !place.equals("loose"))
                                        .map(place -> place + "=${initParam." + place + "} ")
                                        .collect(Collectors.joining()))
                        .text(
                                "attributes.jsp",
                                """
                                <% for (String name : new java.util.TreeSet<>(java.util.Collections
                                        .list(application.getAttributeNames()))) {
                                    if (name.endsWith(".handled")) { out.println(name); }
                                }
                                var ordered = (java.util.List<?>)
                                        application.getAttribute(ServletContext.ORDERED_LIBS);
                                out.print(ordered == null ? null : ordered.stream()
                                        .filter(name -> !name.equals("")).sorted().toList()); %>
                                """)
                        .toFolder(base.resolve("webapps").resolve(name));
        for (String place : PLACES) {
            Files.writeString(
                    base.resolve("webapps").resolve(name).resolve("tag-" + place + ".jsp"),
                    page(place));
            requests.add("http://localhost/" + name + "/annotated-" + place);
            requests.add("http://localhost/" + name + "/static-" + place + ".txt");
            requests.add("http://localhost/" + name + "/tag-" + place + ".jsp");
        }
        requests.add("http://localhost/" + name + "/params.jsp");
        requests.add("http://localhost/" + name + "/attributes.jsp");
    }

    @Test
    void sharedLoader_isLookedThroughAsTheApplicationsOwn_asInTomcat() throws Exception {
        Files.writeString(
                base.resolve("conf/catalina.properties"),
                """
                common.loader=${catalina.base}/lib,${catalina.base}/lib/*.jar,\
                ${catalina.home}/lib/*.jar
                server.loader=${catalina.base}/server/*.jar
                shared.loader=${catalina.base}/shared/classes,${catalina.base}/shared/*.jar
                """);
        Path _ = declaring("common").to(base.resolve("lib/common.jar"));
        Path _ = declaring("loose").toFolder(base.resolve("lib"));
        Path _ = declaring("server").to(base.resolve("server/server.jar"));
        Path _ = declaring("shared").to(base.resolve("shared/shared.jar"));
        Path _ = declaring("second").to(base.resolve("shared/second.jar"));
        Path _ = declaring("classes").toFolder(base.resolve("shared/classes"));
        declared("all", "", "");
        declared("others", "", "<absolute-ordering><others/></absolute-ordering>");
        declared(
                "named",
                "",
                "<absolute-ordering><name>shared</name><name>own</name></absolute-ordering>");
        declared("none", "", "<absolute-ordering/>");
        declared("complete", "", " metadata-complete=\"true\"");
        declared("alone", "<JarScanner scanClassPath='false'/>", "");
        declared("skipped", filter("pluggabilitySkip='shared.jar,common.jar'"), "");
        declared("folders", filter("pluggabilitySkip='classes,lib'"), "");
        Map<String, String> exceptions = new HashMap<>();
        for (String application :
                List.of("all", "others", "named", "none", "complete", "skipped")) {
            for (String place : List.of("loose", "classes")) {
                exceptions.put(
                        "http://localhost/" + application + "/static-" + place + ".txt",
                        "META-INF/resources of shared folders of classes is not served");
            }
        }
        TomcatBeside beside = TomcatBeside.of(home, base, folder, List.of(80), requests);
        beside.assertAlike(exceptions);
        assertEquals(List.of(), beside.told());
    }
}
