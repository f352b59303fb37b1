package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import io.margay.testkit.LoggedLines;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextAttributeEvent;
import jakarta.servlet.ServletContextAttributeListener;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestAttributeEvent;
import jakarta.servlet.ServletRequestAttributeListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Start, registration and stop of applications (Servlet 6.1 §4, §11).
final class LifecycleTest {
    private static final List<String> EVENTS = new ArrayList<>();

    @BeforeEach
    void forget() {
        EVENTS.clear();
    }

    /// A listener that a descriptor declares.
    public static final class Declared implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            EVENTS.add("declared starts");
            event.getServletContext().addServlet("late", new Noting("late")).setLoadOnStartup(2);
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            EVENTS.add("declared stops");
        }
    }

    private static final class Noting extends GenericServlet {
        private final String name;

        Noting(String name) {
            this.name = name;
        }

        @Override
        public void init() {
            EVENTS.add("init " + name);
        }

        @Override
        public void service(ServletRequest request, ServletResponse response) {
            EVENTS.add("service " + name);
        }

        @Override
        public void destroy() {
            EVENTS.add("destroy " + name);
        }
    }

    private static final class NotingFilter implements Filter {
        @Override
        public void init(FilterConfig config) {
            EVENTS.add("filter init " + config.getInitParameter("p"));
        }

        @Override
        public void doFilter(ServletRequest q, ServletResponse r, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(q, r);
        }

        @Override
        public void destroy() {
            EVENTS.add("filter destroy");
        }
    }

    @Test
    void start_everything_inOrderAndBack() throws Exception {
        TestApp app =
                TestApp.root()
                        .listener(Declared.class)
                        .setup(context -> {
                            EVENTS.add("initializer");
                            context.addListener(
                                    new ServletContextListener() {
                                        @Override
                                        public void contextInitialized(ServletContextEvent event) {
                                            EVENTS.add("programmatic starts");
                                            assertThrows(
                                                    UnsupportedOperationException.class,
                                                    () ->
                                                            event.getServletContext()
                                                                    .addListener(Declared.class));
                                        }

                                        @Override
                                        public void contextDestroyed(ServletContextEvent event) {
                                            EVENTS.add("programmatic stops");
                                        }
                                    });
                            var filter = context.addFilter("f", new NotingFilter());
                            filter.setInitParameter("p", "v");
                            context.addServlet("second", new Noting("second")).setLoadOnStartup(1);
                            context.addServlet("first", new Noting("first")).setLoadOnStartup(0);
                            context.addServlet("lazy", new Noting("lazy")).addMapping("/l");
                        });
        app.start();
        assertEquals(
                List.of(
                        "initializer",
                        "declared starts",
                        "programmatic starts",
                        "filter init v",
                        "init first",
                        "init second",
                        "init late"),
                EVENTS);
        EVENTS.clear();
        app.get("/l");
        app.get("/l");
        app.start().stop();
        assertEquals(
                List.of(
                        "init lazy",
                        "service lazy",
                        "service lazy",
                        "destroy late",
                        "destroy lazy",
                        "destroy first",
                        "destroy second",
                        "filter destroy",
                        "programmatic stops",
                        "declared stops"),
                EVENTS);
        assertEquals(503, app.get("/l").status());
    }

    @Test
    void start_listenerFails_nothingRuns() {
        TestApp app =
                TestApp.root()
                        .setup(context ->
                                context.addListener(
                                        new ServletContextListener() {
                                            @Override
                                            public void contextInitialized(
                                                    ServletContextEvent event) {
                                                throw new IllegalStateException("refused");
                                            }
                                        }));
        WebAppException thrown = assertThrows(WebAppException.class, app::start);
        assertTrue(thrown.getMessage().contains("refused"), thrown.getMessage());
    }

    @Test
    void start_listenerFailsWithAnyError_whatStartedIsStopped() {
        List<String> log = new ArrayList<>();
        TestApp app =
                TestApp.root()
                        .setup(context -> {
                            context.addListener(
                                    new ServletContextListener() {
                                        @Override
                                        public void contextDestroyed(ServletContextEvent event) {
                                            log.add("destroyed");
                                        }
                                    });
                            context.addListener(
                                    new ServletContextListener() {
                                        @Override
                                        public void contextInitialized(ServletContextEvent event) {
                                            throw new ServiceConfigurationError("refused");
                                        }
                                    });
                        });
        WebAppException thrown = assertThrows(WebAppException.class, app::start);
        assertTrue(thrown.getMessage().contains("refused"), thrown.getMessage());
        assertEquals(List.of("destroyed"), log);
    }

    @Test
    void registration_afterStart_throws() {
        ServletContext context = TestApp.root().start().context();
        assertThrows(IllegalStateException.class, () -> context.addServlet("x", new Noting("x")));
        assertThrows(IllegalStateException.class, () -> context.addFilter("x", new NotingFilter()));
        assertThrows(IllegalStateException.class, () -> context.setInitParameter("a", "b"));
        assertThrows(IllegalStateException.class, () -> context.declareRoles("r"));
        assertThrows(
                IllegalStateException.class,
                () -> context.getSessionCookieConfig().setName("other"));
        ServletRegistration.Dynamic existing =
                (ServletRegistration.Dynamic) context.getServletRegistration("default");
        assertThrows(IllegalStateException.class, () -> existing.addMapping("/x"));
        assertThrows(IllegalStateException.class, () -> existing.setLoadOnStartup(1));
    }

    @Test
    void registration_conflicts_areAnswered() {
        TestApp.root()
                .setup(context -> {
                    ServletRegistration.Dynamic a = context.addServlet("a", new Noting("a"));
                    ServletRegistration.Dynamic b = context.addServlet("b", new Noting("b"));
                    assertNull(context.addServlet("a", new Noting("c")));
                    assertEquals(Set.of(), a.addMapping("/x", "/y"));
                    assertEquals(Set.of("/x"), b.addMapping("/z", "/x"));
                    assertEquals(List.of(), List.copyOf(b.getMappings()));
                    assertTrue(a.setInitParameter("k", "1"));
                    assertEquals(Set.of("k"), a.setInitParameters(Map.of("k", "2", "l", "3")));
                    assertNull(a.getInitParameter("l"));
                    assertThrows(IllegalArgumentException.class, () -> context.addServlet("", "c"));
                    assertThrows(IllegalArgumentException.class, () -> a.addMapping("no-slash"));
                    assertThrows(
                            IllegalArgumentException.class, () -> a.setInitParameter(null, "x"));
                })
                .start();
    }

    @Test
    void filters_beforeAndAfterDeclared_runInOrder() throws Exception {
        TestApp app =
                TestApp.root()
                        .filter("/*", mark("A"))
                        .setup(context -> {
                            var first = context.addFilter("first", mark("F"));
                            first.addMappingForUrlPatterns(null, false, "/*");
                            var named = context.addFilter("named", mark("N"));
                            named.addMappingForServletNames(
                                    EnumSet.of(DispatcherType.REQUEST), false, "/a");
                            assertEquals(
                                    List.of("/a"), List.copyOf(named.getServletNameMappings()));
                        })
                        .servlet("/a", (q, r) -> r.getWriter().print(q.getAttribute("m")));
        assertEquals("nullFAN", app.get("/a").body());
    }

    private static Filter mark(String text) {
        return (q, r, chain) -> {
            q.setAttribute("m", q.getAttribute("m") + text);
            chain.doFilter(q, r);
        };
    }

    @Test
    void context_answersFacts() throws Exception {
        TestApp app =
                TestApp.at("/c")
                        .file("/a.txt", "a")
                        .file("/d/b.special", "b")
                        .settings(s -> s.withAttributes(Map.of("given", "attribute")));
        ServletContext context = app.start().context();
        assertEquals("/c", context.getContextPath());
        assertEquals("contextValue", context.getInitParameter("contextParam"));
        assertEquals("attribute", context.getAttribute("given"));
        assertEquals(6, context.getMajorVersion());
        assertEquals(1, context.getEffectiveMinorVersion());
        assertEquals("application/x-special", context.getMimeType("x.special"));
        assertEquals("text/html", context.getMimeType("x.html"));
        assertNull(context.getMimeType("x"));
        assertEquals(Set.of("/a.txt", "/d/"), context.getResourcePaths("/"));
        assertNotNull(context.getResource("/a.txt"));
        assertNull(context.getResource("/none"));
        assertNull(context.getResource("/../a.txt"));
        assertThrows(java.net.MalformedURLException.class, () -> context.getResource("none"));
        assertEquals(1, context.getResourceAsStream("/d/../a.txt").readAllBytes().length);
        assertEquals("test", context.getServletContextName());
        assertEquals(30, context.getSessionTimeout());
        assertNull(context.getJspConfigDescriptor());
        assertNull(context.getNamedDispatcher("none"));
    }

    @Test
    void requestAndAttributeListeners_hearEverything() throws Exception {
        /// Both kinds in one.
        class Both
                implements ServletRequestListener,
                        ServletRequestAttributeListener,
                        ServletContextAttributeListener {
            @Override
            public void requestInitialized(ServletRequestEvent event) {
                EVENTS.add("request");
            }

            @Override
            public void requestDestroyed(ServletRequestEvent event) {
                EVENTS.add("request over");
            }

            @Override
            public void attributeAdded(ServletRequestAttributeEvent event) {
                EVENTS.add("added " + event.getValue());
            }

            @Override
            public void attributeReplaced(ServletRequestAttributeEvent event) {
                EVENTS.add("replaced " + event.getValue());
            }

            @Override
            public void attributeRemoved(ServletRequestAttributeEvent event) {
                EVENTS.add("removed " + event.getValue());
            }

            @Override
            public void attributeAdded(ServletContextAttributeEvent event) {
                EVENTS.add("context " + event.getValue());
            }
        }
        ScriptedExchange exchange =
                TestApp.root()
                        .setup(context -> context.addListener(new Both()))
                        .servlet(
                                "/a",
                                (q, r) -> {
                                    q.setAttribute("n", 1);
                                    q.setAttribute("n", 2);
                                    q.removeAttribute("n");
                                    q.removeAttribute("n");
                                    q.getServletContext().setAttribute("c", 3);
                                })
                        .get("/a");
        assertEquals(200, exchange.status());
        assertEquals(
                List.of(
                        "request",
                        "added 1",
                        "replaced 1",
                        "removed 2",
                        "context 3",
                        "request over"),
                EVENTS);
    }

    @Test
    void uncoveredMethods_areToldOnceAtTheStart() throws Exception {
        try (LoggedLines log = LoggedLines.of("margay.app.partly")) {
            TestApp app =
                    TestApp.at("/partly")
                            .constraint(
                                    new SecurityConstraint(
                                            List.of(
                                                    new WebResourceCollection(
                                                            "some",
                                                            List.of("/a/*"),
                                                            Set.of("GET"),
                                                            Set.of())),
                                            Set.of(),
                                            "NONE"))
                            .servlet("/a/*", (q, r) -> r.getWriter().print("open"));
            assertEquals("open", app.run(ScriptedExchange.form("/partly/a/b", "")).body());
            assertEquals(403, app.get("/partly/a/b").status());
            assertEquals(1, log.count("open to everybody: /a/*: all but GET"), log.toString());
        }
    }
}
