package io.margay.compat.tomcat.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.margay.compat.tomcat.FakeExchange;
import io.margay.compat.tomcat.client.RemoteCidrFilter;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.descriptor.WebAppDescriptorComponentsBuilder;
import io.margay.servlet.descriptor.WebAppDescriptors;
import jakarta.servlet.Filter;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TomcatClassesTest {
    private static final String CIDR = "org.apache.catalina.filters.RemoteCIDRFilter";
    private static final Set<String> WANT_A_RULE =
            Set.of("RemoteAddrFilter", "RemoteCidrFilter", "RemoteHostFilter");

    static Stream<String> names() {
        return TomcatClasses.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void entry_isSomethingThatCanBeMade(String className) throws Exception {
        switch (TomcatClasses.substitute(className).orElseThrow()) {
            case Substitute.OwnFilter(Class<? extends Filter> type) -> {
                assertTrue(Modifier.isPublic(type.getModifiers()));
                Filter filter = type.getConstructor().newInstance();
                boolean wantsRule = WANT_A_RULE.contains(type.getSimpleName());
                filter.init(FakeExchange.config(wantsRule ? Map.of("deny", "10.0.0.1") : Map.of()));
            }
            case Substitute.ContainerServlet(String name) ->
                    assertTrue(WebAppDescriptors.CONTAINER_SERVLETS.contains(name));
            case Substitute.Nothing(String remedy) -> assertFalse(remedy.isBlank());
        }
    }

    @Test
    void servletsOfTheContainer_areNamed() {
        assertEquals(
                Optional.of(new Substitute.ContainerServlet("default")),
                TomcatClasses.substitute("org.apache.catalina.servlets.DefaultServlet"));
        assertEquals(
                Optional.of(new Substitute.ContainerServlet("jsp")),
                TomcatClasses.substitute("org.apache.jasper.servlet.JspServlet"));
    }

    @Test
    void managersOfTomcat_areRefused_andTheConsoleIsNamed() {
        for (String name : List.of("HTMLManagerServlet", "host.HTMLHostManagerServlet")) {
            if (TomcatClasses.substitute("org.apache.catalina.manager." + name).orElseThrow()
                    instanceof Substitute.Nothing(String remedy)) {
                assertTrue(remedy.contains("--admin"), remedy);
            } else {
                fail(name);
            }
        }
    }

    @Test
    void otherClasses_haveNoSubstitute() {
        assertTrue(TomcatClasses.substitute("org.apache.catalina.filters.Unheard").isEmpty());
        assertTrue(TomcatClasses.substitute("com.example.CorsFilter").isEmpty());
    }

    @Test
    void descriptor_getsOurFilters_whereTheApplicationBringsNone() {
        WebAppDescriptor descriptor =
                withFilters(
                        new FilterDef("a", CIDR, Map.of("allow", "::1"), true),
                        new FilterDef("b", "com.example.Own", Map.of(), false));
        List<FilterDef> replaced =
                TomcatClasses.replaced(descriptor, name -> false, warning -> {})
                        .components()
                        .filters();
        assertEquals(RemoteCidrFilter.class.getName(), replaced.get(0).className());
        assertEquals(Map.of("allow", "::1"), replaced.get(0).initParams());
        assertTrue(replaced.get(0).asyncSupported());
        assertEquals("com.example.Own", replaced.get(1).className());
        assertEquals(
                CIDR,
                TomcatClasses.replaced(descriptor, CIDR::equals, warning -> {})
                        .components()
                        .filters()
                        .get(0)
                        .className());
    }

    static WebAppDescriptor withFilters(FilterDef... filters) {
        WebAppDescriptor empty = WebAppDescriptors.empty();
        return empty.with(
                WebAppDescriptorComponentsBuilder.builder(empty.components())
                        .filters(List.of(filters))
                        .build());
    }
}
