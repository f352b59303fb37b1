package io.margay.compat.tomcat.javax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.margay.compat.tomcat.application.AppServer;
import io.margay.compat.tomcat.removed.RemovedCalls;
import io.margay.compat.tomcat.removed.RemovedMethods;
import io.margay.testkit.Archives;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What Servlet 6, Pages 4 and Expression Language 6 have removed does in converted applications
/// what it did in Tomcat 9.
@Tag("slow")
final class RemovedCallsTest {
    private static final String SESSION =
            """
            package p;
            import java.io.*;
            import java.util.*;
            import java.util.function.*;
            import javax.servlet.*;
            import javax.servlet.http.*;
            public class Session extends HttpServlet {
                @Override
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws ServletException, IOException {
                    PrintWriter out = r.getWriter();
                    HttpSession s = q.getSession();
                    s.putValue("a", 1L);
                    s.putValue("b", "two");
                    BiConsumer<String, Object> put = s::putValue;
                    put.accept("c", 3.0);
                    Function<String, Object> get = s::getValue;
                    BiFunction<HttpSession, String, Object> any = HttpSession::getValue;
                    String[] names = s.getValueNames();
                    Arrays.sort(names);
                    out.println(Arrays.toString(names) + s.getValue("a") + get.apply("b")
                            + any.apply(s, "c"));
                    s.removeValue("a");
                    out.println(s.getValue("a"));
                    HttpSessionContext all = s.getSessionContext();
                    out.println(all.getIds().hasMoreElements() + " " + all.getSession(s.getId()));
                    out.println(q.isRequestedSessionIdFromUrl());
                    out.println(q.getRealPath("/x").endsWith("/x"));
                    ServletContext c = getServletContext();
                    c.log(new IOException("meant"), "logged");
                    out.println(c.getServlet("any") + " " + c.getServlets().hasMoreElements()
                            + c.getServletNames().hasMoreElements());
                    out.println(HttpUtils.getRequestURL(q).toString().replaceAll(":\\\\d+", "")
                            + HttpUtils.parseQueryString("x=1&x=%20y+z").get("x")[1]);
                    r.setStatus(203, "said so");
                }
            }
            """;

    private static final String WRAPPERS =
            """
            package p;
            import java.io.*;
            import javax.servlet.*;
            import javax.servlet.http.*;
            public class Wrappers extends HttpServlet {
                static class Marking extends HttpServletResponseWrapper {
                    Marking(HttpServletResponse r) { super(r); }
                    @Override public String encodeUrl(String u) {
                        return super.encodeUrl(u) + "?marked";
                    }
                    @Override public void setStatus(int s, String m) {
                        super.setStatus(s + 1, m);
                    }
                }
                static class Plain extends HttpServletResponseWrapper {
                    Plain(HttpServletResponse r) { super(r); }
                    String inside() { return encodeUrl("/in") + encodeRedirectUrl("/r"); }
                }
                static class Asking extends HttpServletRequestWrapper {
                    Asking(HttpServletRequest q) { super(q); }
                    @Override public String getRealPath(String p) {
                        java.util.function.Function<String, String> above = super::getRealPath;
                        return "asked " + above.apply(p).endsWith(p);
                    }
                }
                @Override
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws ServletException, IOException {
                    PrintWriter out = r.getWriter();
                    Marking marking = new Marking(r);
                    Plain plain = new Plain(marking);
                    HttpServletResponse outer = new HttpServletResponseWrapper(plain);
                    out.println(outer.encodeUrl("/a") + " " + plain.inside());
                    out.println(new HttpServletRequestWrapper(new Asking(q)).getRealPath("/x"));
                    Asking direct = new Asking(q);
                    out.println(direct.isRequestedSessionIdFromUrl());
                    outer.setStatus(202, null);
                }
            }
            """;

    private static final String UNAVAILABLE =
            """
            package p;
            import java.io.*;
            import javax.servlet.*;
            import javax.servlet.http.*;
            public class Unavailable extends HttpServlet {
                static class Own extends UnavailableException {
                    Own(Servlet s) { super(7, s, "own"); }
                }
                private static String text(UnavailableException e, Servlet s) {
                    return e.getMessage() + (e.getServlet() == s) + e.isPermanent()
                            + e.getUnavailableSeconds();
                }
                @Override
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws ServletException, IOException {
                    PrintWriter out = r.getWriter();
                    try {
                        if (q.getParameter("x") == null) {
                            throw new UnavailableException(this, "first");
                        }
                    } catch (UnavailableException e) {
                        out.println(text(e, this));
                    }
                    out.println(text(new UnavailableException(5, this, "later"), this));
                    out.println(text(new UnavailableException("new"), null));
                    out.println(text(new Own(this), this));
                }
            }
            """;

    private static final String SINGLE =
            """
            package p;
            import java.io.*;
            import java.util.concurrent.*;
            import javax.servlet.*;
            import javax.servlet.http.*;
            public class Single extends HttpServlet implements SingleThreadModel {
                private static final CyclicBarrier BOTH = new CyclicBarrier(2);
                private int requests;
                @Override
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws ServletException, IOException {
                    int before = requests++;
                    try {
                        BOTH.await(20, TimeUnit.SECONDS);
                    } catch (Exception e) {
                        throw new ServletException(e);
                    }
                    r.getWriter().println(requests - before + getServletConfig().getServletName());
                }
            }
            """;

    private static final String TAG =
            """
            package p;
            import javax.servlet.jsp.*;
            import javax.servlet.jsp.el.*;
            import javax.servlet.jsp.tagext.*;
            public class Evaluate extends SimpleTagSupport {
                @Override
                public void doTag() throws JspException, java.io.IOException {
                    try {
                        JspContext c = getJspContext();
                        c.setAttribute("n", 20);
                        ExpressionEvaluator e = c.getExpressionEvaluator();
                        VariableResolver v = c.getVariableResolver();
                        c.getOut().print(e.evaluate("${n + 1}", Integer.class, v, null) + " "
                                + v.resolveVariable("n") + " "
                                + e.parseExpression("${m}", String.class, null)
                                        .evaluate(name -> "resolved " + name));
                    } catch (ELException e) {
                        throw new JspException("not evaluated", e.getRootCause());
                    }
                    JspException failure = new JspTagException("f", new Error("root"));
                    getJspContext().getOut().print(" " + failure.getRootCause().getMessage());
                }
            }
            """;

    @TempDir Path temp;

    private AppServer serve() {
        StringBuilder webXml = new StringBuilder("<web-app version=\"2.5\">");
        for (String name : List.of("Session", "Wrappers", "Unavailable", "Single")) {
            webXml.append(
                    """
                    <servlet>
                      <servlet-name>%1$s</servlet-name><servlet-class>p.%1$s</servlet-class>
                    </servlet>
                    <servlet-mapping>
                      <servlet-name>%1$s</servlet-name><url-pattern>/%1$s</url-pattern>
                    </servlet-mapping>
                    """
                            .formatted(name));
        }
        Path war =
                Archives.in(temp)
                        .classes(
                                "WEB-INF/classes/",
                                List.of(),
                                "p.Session",
                                SESSION,
                                "p.Wrappers",
                                WRAPPERS,
                                "p.Unavailable",
                                UNAVAILABLE,
                                "p.Single",
                                SINGLE,
                                "p.Evaluate",
                                TAG)
                        .text("WEB-INF/web.xml", webXml + "</web-app>")
                        .text(
                                "WEB-INF/e.tld",
                                "<taglib version=\"2.0\"><tlib-version>1</tlib-version>"
                                        + "<short-name>e</short-name><uri>/e</uri><tag>"
                                        + "<name>evaluate</name>"
                                        + "<tag-class>p.Evaluate</tag-class>"
                                        + "<body-content>empty</body-content></tag></taglib>")
                        .text("e.jsp", "<%@ taglib uri=\"/e\" prefix=\"e\" %><e:evaluate/>")
                        .to(temp.resolve("removed.war"));
        return AppServer.start(war, "/app", temp.resolve("work"), UnaryOperator.identity());
    }

    private static void says(int status, String expected, HttpResponse<String> response) {
        assertEquals(expected, response.body().strip());
        assertEquals(status, response.statusCode());
    }

    @Test
    void removedMethods_doWhatTheyDid() {
        try (AppServer server = serve()) {
            says(
                    203,
                    """
                    [a, b, c]1two3.0
                    null
                    false null
                    false
                    true
                    null falsefalse
                    http://127.0.0.1/app/Session y z\
                    """,
                    server.get("/Session"));
            says(
                    203,
                    """
                    /a?marked /in?marked/r
                    asked true
                    false\
                    """,
                    server.get("/Wrappers"));
            says(
                    200,
                    """
                    firsttruetrue-1
                    latertruefalse5
                    newtruetrue-1
                    owntruefalse7\
                    """,
                    server.get("/Unavailable"));
            says(200, "21 20 resolved m root", server.get("/e.jsp"));
        }
    }

    /// Each waits for the other in `doGet`: with one instance, one of them would see two requests.
    @Test
    void singleThreadModel_hasOneRequestPerInstance() throws Exception {
        try (AppServer server = serve();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            CountDownLatch ready = new CountDownLatch(2);
            List<Future<HttpResponse<String>>> both = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                both.add(
                        threads.submit(() -> {
                            ready.countDown();
                            ready.await();
                            return server.get("/Single");
                        }));
            }
            for (Future<HttpResponse<String>> each : both) {
                says(200, "1Single", each.get());
            }
        }
    }

    /// Compares the APIs of Tomcat 9 with those of the container: whatever was public there is
    /// here, or something stands for it.
    @Test
    void everyPublicMethodOfTheOldApis_isThereOrHasAStandIn() throws Exception {
        int looked = 0;
        for (Class<?> witness :
                List.of(
                        javax.servlet.Servlet.class,
                        javax.servlet.jsp.JspPage.class,
                        javax.el.ELResolver.class)) {
            for (String name : classes(witness)) {
                Class<?> old = Class.forName(name, false, witness.getClassLoader());
                if (Modifier.isPublic(old.getModifiers())) {
                    Class<?> now = now(name);
                    for (Executable each : publicOnes(old)) {
                        looked++;
                        assertNotNull(find(each, now), () -> "nothing stands for " + each);
                    }
                }
            }
        }
        assertEquals(true, looked > 900, () -> "methods of the old APIs");
    }

    private static List<String> classes(Class<?> witness) throws Exception {
        try (ZipFile zip = new ZipFile(file(witness).toFile())) {
            return zip.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith("javax/") && name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                    .toList();
        }
    }

    private static Path file(Class<?> witness) throws URISyntaxException {
        return Path.of(witness.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static Class<?> now(String name) throws ClassNotFoundException {
        return Class.forName(RemovedApi.renamed(name.replace("javax.", "jakarta.")));
    }

    private static List<Executable> publicOnes(Class<?> type) {
        return Stream.<Executable>concat(
                        Stream.of(type.getDeclaredMethods()),
                        Stream.of(type.getDeclaredConstructors()))
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .toList();
    }

    private static Executable find(Executable old, Class<?> now) throws Exception {
        Class<?>[] types = new Class<?>[old.getParameterCount()];
        for (int i = 0; i < types.length; i++) {
            types[i] = type(old.getParameterTypes()[i]);
        }
        try {
            return old instanceof Constructor<?>
                    ? now.getDeclaredConstructor(types)
                    : now.getMethod(old.getName(), types);
        } catch (NoSuchMethodException e) {
            return standIn(old, now, types);
        }
    }

    private static Executable standIn(Executable old, Class<?> now, Class<?>[] types) {
        if (old instanceof Constructor<?>) {
            return Stream.of(io.margay.compat.tomcat.removed.ServletUnavailable.class)
                    .flatMap(type -> Stream.of(type.getConstructors()))
                    .filter(each -> List.of(each.getParameterTypes()).equals(List.of(types)))
                    .findFirst()
                    .orElse(null);
        }
        String owner = now.getName().replace('.', '/');
        String descriptor =
                java.lang.invoke.MethodType.methodType(type(((Method) old).getReturnType()), types)
                        .descriptorString();
        RemovedApi.Method known = RemovedApi.method(owner, old.getName(), descriptor);
        return known == null ? null : both(known);
    }

    private static Class<?> type(Class<?> old) {
        if (old.isArray()) {
            return type(old.getComponentType()).arrayType();
        }
        try {
            return old.getName().startsWith("javax.") ? now(old.getName()) : old;
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /// What stands for the call, if something stands for a call by `super`, too.
    private static Executable both(RemovedApi.Method known) {
        Method call = named(RemovedCalls.class, known.with(known.receiver()), known.name());
        String wrapper = known.wrapper();
        Method special =
                named(
                        RemovedMethods.class,
                        known.with(wrapper == null ? known.receiver() : wrapper),
                        known.name());
        return special == null ? null : call;
    }

    private static Method named(Class<?> type, String descriptor, String name) {
        return Stream.of(type.getMethods())
                .filter(each ->
                        each.getName().equals(name)
                                && java.lang.invoke.MethodType.methodType(
                                                each.getReturnType(), each.getParameterTypes())
                                        .descriptorString()
                                        .equals(descriptor))
                .findFirst()
                .orElse(null);
    }
}
