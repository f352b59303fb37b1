package io.margay.servlet.descriptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.WebAppDescriptor.FilterMapping;
import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.DescriptorLimits;
import jakarta.annotation.security.DeclareRoles;
import jakarta.annotation.security.RunAs;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.HttpConstraint;
import jakarta.servlet.annotation.HttpMethodConstraint;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import jakarta.servlet.annotation.ServletSecurity.TransportGuarantee;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.annotation.WebInitParam;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jboss.jandex.Index;
import org.junit.jupiter.api.Test;

/// Merging of web.xml, fragments and annotations (Servlet 6.1 §8.2.3).
class DescriptorAssemblyTest {
    @WebServlet(
            name = "up",
            urlPatterns = {"/up", "*.up"},
            initParams = {
                @WebInitParam(name = "a", value = "1"),
                @WebInitParam(name = "b", value = "2")
            },
            loadOnStartup = 4,
            asyncSupported = true)
    @MultipartConfig(location = "l", maxFileSize = 1, maxRequestSize = 2, fileSizeThreshold = 3)
    @RunAs("boss")
    @DeclareRoles({"boss", "guest"})
    static class Up extends HttpServlet {}

    @WebServlet("/plain")
    @ServletSecurity(
            value = @HttpConstraint(rolesAllowed = "r"),
            httpMethodConstraints = {
                @HttpMethodConstraint(
                        value = "PUT",
                        emptyRoleSemantic = EmptyRoleSemantic.DENY,
                        transportGuarantee = TransportGuarantee.CONFIDENTIAL)
            })
    static class Plain extends HttpServlet {}

    @WebServlet("/partial")
    @ServletSecurity(
            value = @HttpConstraint(EmptyRoleSemantic.PERMIT),
            httpMethodConstraints = @HttpMethodConstraint("GET"))
    static class Partial extends HttpServlet {}

    @WebFilter(
            filterName = "f",
            value = "/f/*",
            servletNames = "up",
            dispatcherTypes = {DispatcherType.ERROR, DispatcherType.REQUEST},
            initParams = @WebInitParam(name = "x", value = "y"))
    static class Filter extends HttpFilter {}

    @WebListener
    static class Listener implements ServletContextListener {}

    @WebServlet
    static class NoPattern extends HttpServlet {}

    @WebServlet(value = "/a", urlPatterns = "/b")
    static class Both extends HttpServlet {}

    private final DescriptorAssembly assembly = new DescriptorAssembly(DescriptorLimits.defaults());
    private final Map<String, Index> indexes = new HashMap<>();
    private Index classes;

    private DescriptorAssemblyTest webXml(String body) {
        String version = body.contains("<?v22?>") ? "2.4" : "6.1";
        assembly.webXml(bytes("<web-app version='" + version + "'>\n" + body + "\n</web-app>"));
        return this;
    }

    private DescriptorAssemblyTest complete(String body) {
        assembly.webXml(
                bytes("<web-app version='6.1' metadata-complete='true'>" + body + "</web-app>"));
        return this;
    }

    private DescriptorAssemblyTest fragment(String name, String body) {
        return library(
                name + ".jar",
                "<web-fragment version='6.1'><name>" + name + "</name>" + body + "</web-fragment>");
    }

    private DescriptorAssemblyTest library(String jar, String fragmentXml, Class<?>... annotated) {
        assembly.library(jar, fragmentXml == null ? null : bytes(fragmentXml));
        indexes.put(jar, index(annotated));
        return this;
    }

    private DescriptorAssemblyTest classes(Class<?>... annotated) {
        classes = index(annotated);
        return this;
    }

    private static Index index(Class<?>... annotated) {
        try {
            return Index.of(annotated);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private WebAppDescriptor assemble() {
        return assembly.assemble(classes, indexes);
    }

    private String failure() {
        return assertThrows(DescriptorException.class, this::assemble).getMessage();
    }

    private static String servlet(String name, String inner) {
        return "<servlet><servlet-name>" + name + "</servlet-name>" + inner + "</servlet>";
    }

    private static String mapping(String name, String pattern) {
        return "<servlet-mapping><servlet-name>"
                + name
                + "</servlet-name><url-pattern>"
                + pattern
                + "</url-pattern></servlet-mapping>";
    }

    private static String param(String name, String value) {
        return "<init-param><param-name>"
                + name
                + "</param-name><param-value>"
                + value
                + "</param-value></init-param>";
    }

    private static String contextParam(String name, String value) {
        return "<context-param><param-name>"
                + name
                + "</param-name><param-value>"
                + value
                + "</param-value></context-param>";
    }

    @Test
    void annotations_ofAServlet_areAllRead() {
        WebAppDescriptor descriptor = classes(Up.class).assemble();
        ServletDef up = descriptor.components().servlets().getFirst();
        assertEquals("up", up.name());
        assertEquals(Up.class.getName(), up.className());
        assertEquals(Map.of("a", "1", "b", "2"), up.initParams());
        assertEquals(4, up.loadOnStartup());
        assertTrue(up.asyncSupported());
        assertEquals("boss", up.roles().runAs());
        assertEquals(2, up.multipart().getMaxRequestSize());
        assertEquals(Map.of("/up", "up", "*.up", "up"), descriptor.components().servletMappings());
        assertEquals(Set.of("boss", "guest"), descriptor.security().roles());
    }

    private DescriptorAssemblyTest common(String file, String body) {
        assembly.common(
                file, bytes("<web-app version='6.1'>" + body + "</web-app>"), Set.of("Own"));
        return this;
    }

    private static String filter(String name) {
        return "<filter><filter-name>"
                + name
                + "</filter-name><filter-class>F</filter-class></filter><filter-mapping>"
                + "<filter-name>"
                + name
                + "</filter-name><url-pattern>/*</url-pattern></filter-mapping>";
    }

    @Test
    void commonDescriptor_thatIsReadLater_isAdded_andTakesThePlaceOfWhatItSaysAnew() {
        String type = "<servlet-class>%s</servlet-class>";
        WebAppDescriptor descriptor =
                webXml(contextParam("own", "application"))
                        .common(
                                "one",
                                contextParam("own", "one")
                                        + contextParam("a", "one")
                                        + contextParam("b", "one")
                                        + filter("first")
                                        + servlet("s", type.formatted("One") + param("p", "one"))
                                        + mapping("s", "/s")
                                        + servlet("default", type.formatted("Own"))
                                        + mapping("default", "/")
                                        + servlet("jsp", type.formatted("Own"))
                                        + mapping("jsp", "*.jsp")
                                        + "<session-config><session-timeout>5</session-timeout>"
                                        + "<cookie-config><name>one</name></cookie-config>"
                                        + "</session-config>"
                                        + "<welcome-file-list><welcome-file>one</welcome-file>"
                                        + "</welcome-file-list>"
                                        + "<error-page><error-code>404</error-code>"
                                        + "<location>/one</location></error-page>")
                        .common(
                                "two",
                                contextParam("b", "two")
                                        + filter("second")
                                        + servlet("s", type.formatted("Two"))
                                        + servlet("default", type.formatted("Custom"))
                                        + "<session-config><session-timeout>6</session-timeout>"
                                        + "</session-config>"
                                        + "<welcome-file-list><welcome-file>two</welcome-file>"
                                        + "</welcome-file-list>"
                                        + "<error-page><error-code>404</error-code>"
                                        + "<location>/two</location></error-page>")
                        .assemble();
        assertEquals(
                Map.of("own", "application", "a", "one", "b", "two"),
                descriptor.general().contextParams());
        assertEquals(
                List.of("first", "second"),
                descriptor.components().filterMappings().stream()
                        .map(FilterMapping::filterName)
                        .toList());
        assertEquals(Map.of("/s", "s", "/", "default"), descriptor.components().servletMappings());
        for (ServletDef servlet : descriptor.components().servlets()) {
            assertEquals(servlet.name().equals("s") ? "Two" : "Custom", servlet.className());
            assertEquals(Map.of(), servlet.initParams());
        }
        assertEquals(6, descriptor.session().timeoutMinutes());
        assertNull(descriptor.session().cookieName());
        assertEquals(List.of("two"), descriptor.content().welcomeFiles());
        assertEquals(1, descriptor.content().errorPages().size());
        assertEquals("/two", descriptor.content().errorPages().getFirst().location());
    }

    @Test
    void commonDescriptors_withAFilterOfOneName_areAnError() {
        webXml("").common("one", filter("f")).common("two", filter("f"));
        String failure = failure();
        assertTrue(
                failure.contains("the filter f is declared in one:1:")
                        && failure.startsWith("two:1:"),
                failure);
    }

    @Test
    void servletSecurity_thatAsksNothing_leavesOtherMethodsUncovered() {
        List<SecurityConstraint> constraints =
                classes(Partial.class).assemble().security().constraints();
        assertEquals(1, constraints.size());
        assertEquals(Set.of("GET"), constraints.getFirst().collections().getFirst().methods());
    }

    @Test
    void annotation_withoutName_isNamedAsTheClass() {
        assertEquals(
                Map.of("/plain", Plain.class.getName()),
                classes(Plain.class).assemble().components().servletMappings());
    }

    @Test
    void annotations_ofFilterAndListener_areRead() {
        WebAppDescriptor descriptor = classes(Filter.class, Listener.class).assemble();
        assertEquals("f", descriptor.components().filters().getFirst().name());
        FilterMapping mapping = descriptor.components().filterMappings().getFirst();
        assertEquals(List.of("/f/*"), mapping.urlPatterns());
        assertEquals(List.of("up"), mapping.servletNames());
        assertEquals(Set.of(DispatcherType.ERROR, DispatcherType.REQUEST), mapping.dispatchers());
        assertEquals(List.of(Listener.class.getName()), descriptor.components().listeners());
    }

    @Test
    void annotations_ofSecurity_becomeConstraints() {
        List<SecurityConstraint> constraints =
                classes(Plain.class).assemble().security().constraints();
        SecurityConstraint put = constraints.getFirst();
        assertEquals(Set.of(), put.roles());
        assertEquals("CONFIDENTIAL", put.transportGuarantee());
        assertEquals(Set.of("PUT"), put.collections().getFirst().methods());
        SecurityConstraint rest = constraints.get(1);
        assertEquals(Set.of("r"), rest.roles());
        assertEquals(Set.of("PUT"), rest.collections().getFirst().omittedMethods());
        assertEquals(List.of("/plain"), rest.collections().getFirst().urlPatterns());
    }

    @Test
    void security_ofWebXmlForThePattern_replacesTheAnnotation() {
        WebAppDescriptor descriptor =
                webXml(
                                "<security-constraint><web-resource-collection><url-pattern>/plain"
                                        + "</url-pattern></web-resource-collection>"
                                        + "</security-constraint>")
                        .classes(Plain.class)
                        .assemble();
        assertEquals(1, descriptor.security().constraints().size());
    }

    @Test
    void annotation_withoutOrWithTwoPatternSettings_isRefused() {
        String message = classes(NoPattern.class, Both.class).failure();
        assertTrue(message.contains("NoPattern.class: @WebServlet: names no URL pattern"), message);
        assertTrue(message.contains("has both value and urlPatterns"), message);
    }

    @Test
    void webXml_ofTheSameServlet_goesBeforeTheAnnotation() {
        WebAppDescriptor descriptor =
                webXml(
                                servlet(
                                                "up",
                                                param("a", "9")
                                                        + "<load-on-startup>7"
                                                        + "</load-on-startup>")
                                        + mapping("up", "/other"))
                        .classes(Up.class)
                        .assemble();
        ServletDef up = descriptor.components().servlets().getFirst();
        assertEquals(1, descriptor.components().servlets().size());
        assertEquals(Up.class.getName(), up.className());
        assertEquals(Map.of("a", "9", "b", "2"), up.initParams());
        assertEquals(7, up.loadOnStartup());
        assertEquals(Map.of("/other", "up"), descriptor.components().servletMappings());
    }

    @Test
    void webXml_ofTheSameFilter_replacesTheMappings() {
        WebAppDescriptor descriptor =
                webXml(
                                "<filter><filter-name>f</filter-name></filter><filter-mapping>"
                                        + "<filter-name>f</filter-name><url-pattern>/only"
                                        + "</url-pattern></filter-mapping>")
                        .classes(Filter.class)
                        .assemble();
        assertEquals(
                Filter.class.getName(), descriptor.components().filters().getFirst().className());
        assertEquals(1, descriptor.components().filterMappings().size());
        assertEquals(
                List.of("/only"),
                descriptor.components().filterMappings().getFirst().urlPatterns());
    }

    @Test
    void metadataComplete_leavesAnnotationsAndFragmentsAlone() {
        WebAppDescriptor descriptor =
                complete("")
                        .fragment("a", contextParam("x", "1"))
                        .library("b.jar", null, Listener.class)
                        .classes(Up.class)
                        .assemble();
        assertTrue(descriptor.components().servlets().isEmpty());
        assertTrue(descriptor.components().listeners().isEmpty());
        assertTrue(descriptor.general().contextParams().isEmpty());
    }

    @Test
    void metadataComplete_ofAFragment_silencesThatLibraryOnly() {
        WebAppDescriptor descriptor =
                library(
                                "a.jar",
                                "<web-fragment metadata-complete='true'><name>a</name>"
                                        + "</web-fragment>",
                                Up.class)
                        .library("b.jar", null, Listener.class)
                        .assemble();
        assertTrue(descriptor.components().servlets().isEmpty());
        assertEquals(1, descriptor.components().listeners().size());
    }

    @Test
    void fragments_addUpInOrder() {
        WebAppDescriptor descriptor =
                webXml(
                                contextParam("m", "main")
                                        + "<listener><listener-class>M</listener-class>"
                                        + "</listener>")
                        .fragment(
                                "a",
                                "<ordering><after><name>b</name></after></ordering>"
                                        + contextParam("a", "1")
                                        + "<listener><listener-class>A</listener-class></listener>"
                                        + servlet("sa", "<servlet-class>SA</servlet-class>")
                                        + mapping("sa", "/a")
                                        + "<welcome-file-list><welcome-file>a.html</welcome-file>"
                                        + "</welcome-file-list>")
                        .fragment(
                                "b",
                                contextParam("b", "2")
                                        + "<listener><listener-class>B</listener-class></listener>"
                                        + "<welcome-file-list><welcome-file>b.html</welcome-file>"
                                        + "</welcome-file-list>")
                        .assemble();
        assertEquals(List.of("b.jar", "a.jar"), descriptor.components().orderedLibs());
        assertEquals(List.of("M", "B", "A"), descriptor.components().listeners());
        assertEquals(List.of("b.html", "a.html"), descriptor.content().welcomeFiles());
        assertEquals(
                Map.of("m", "main", "a", "1", "b", "2"),
                new LinkedHashMap<>(descriptor.general().contextParams()));
        assertEquals(Map.of("/a", "sa"), descriptor.components().servletMappings());
    }

    @Test
    void orderedLibs_withoutAnyOrdering_areNull() {
        assertNull(fragment("a", "").assemble().components().orderedLibs());
    }

    @Test
    void fragments_thatContradictEachOther_areRefusedNamingBoth() {
        String message =
                fragment("a", contextParam("x", "1"))
                        .fragment("b", contextParam("x", "2"))
                        .failure();
        assertTrue(message.contains("a.jar") && message.contains("b.jar"), message);
        assertTrue(message.contains("Declare it in WEB-INF/web.xml"), message);
    }

    @Test
    void fragments_thatContradictEachOther_areSettledByWebXml() {
        assertEquals(
                Map.of("x", "main"),
                webXml(contextParam("x", "main"))
                        .fragment("a", contextParam("x", "1"))
                        .fragment("b", contextParam("x", "2"))
                        .assemble()
                        .general()
                        .contextParams());
    }

    @Test
    void fragments_thatContradictEachOtherInAServlet_areRefused() {
        String one = servlet("s", "<servlet-class>S</servlet-class>" + param("p", "1"));
        String other =
                servlet(
                        "s",
                        "<servlet-class>T</servlet-class>"
                                + param("p", "2")
                                + "<load-on-startup>1</load-on-startup>");
        String message = fragment("a", one).fragment("b", other).failure();
        assertTrue(message.contains("the class of servlet s"), message);
        assertTrue(message.contains("parameter of servlet s: p"), message);
    }

    @Test
    void fragment_mappingOfAServletThatWebXmlMaps_isLeftOut() {
        assertEquals(
                Map.of("/main", "s"),
                webXml(servlet("s", "<servlet-class>S</servlet-class>") + mapping("s", "/main"))
                        .fragment("a", mapping("s", "/fragment"))
                        .assemble()
                        .components()
                        .servletMappings());
    }

    @Test
    void fragment_thatMapsAnotherServletToATakenPattern_isRefused() {
        String message =
                webXml(servlet("s", "<servlet-class>S</servlet-class>") + mapping("s", "/x"))
                        .fragment(
                                "a",
                                servlet("t", "<servlet-class>T</servlet-class>")
                                        + mapping("t", "/x"))
                        .failure();
        assertTrue(message.contains("mapped to servlet t, but also to s"), message);
    }

    @Test
    void distributable_onlyWhenAllAre() {
        assertTrue(webXml("<distributable/>").assemble().general().distributable());
        assertTrue(
                new DescriptorAssemblyTest()
                        .webXml("<distributable/>")
                        .fragment("a", "<distributable/>")
                        .assemble()
                        .general()
                        .distributable());
        assertFalse(
                new DescriptorAssemblyTest()
                        .webXml("<distributable/>")
                        .fragment("a", "")
                        .assemble()
                        .general()
                        .distributable());
    }

    @Test
    void absoluteOrdering_withoutOthers_silencesTheRest() {
        WebAppDescriptor descriptor =
                webXml("<absolute-ordering><name>a</name></absolute-ordering>")
                        .fragment("a", contextParam("a", "1"))
                        .fragment("b", contextParam("b", "2"))
                        .library("c.jar", null, Up.class)
                        .assemble();
        assertEquals(Map.of("a", "1"), descriptor.general().contextParams());
        assertTrue(descriptor.components().servlets().isEmpty());
        assertEquals(List.of("a.jar"), descriptor.components().orderedLibs());
    }

    @Test
    void fragment_malformed_isNamedWithItsLibrary() {
        String message =
                assertThrows(
                                DescriptorException.class,
                                () -> library("x.jar", "<web-fragment>\n<oops</web-fragment>"))
                        .getMessage();
        assertTrue(message.startsWith("WEB-INF/lib/x.jar!/META-INF/web-fragment.xml:2:"), message);
    }

    @Test
    void session_ofAFragment_isTakenWhereWebXmlIsSilent() {
        var session =
                webXml("<session-config><session-timeout>5</session-timeout></session-config>")
                        .fragment(
                                "a",
                                "<session-config><session-timeout>9</session-timeout>"
                                        + "<cookie-config><name>N</name></cookie-config>"
                                        + "</session-config>")
                        .assemble()
                        .session();
        assertEquals(5, session.timeoutMinutes());
        assertEquals("N", session.cookieName());
    }
}
